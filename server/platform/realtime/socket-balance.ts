/** What a node reports to the others regularly; `sockets` is null when it stops. */
export interface SocketCount {
  node: string
  sockets: number | null
}

interface BalanceDependencies {
  /** This node. */
  node: string
  /** Interval of checks. */
  everyMs: number
  count(): number
  report(count: SocketCount): void
  /** Asks this many clients to reconnect; a proxy then connects them where there are fewest. */
  sendAway(count: number): void
}

/** Smaller differences are ignored. */
const TOLERATED_SHARE = 0.25
const TOLERATED_SOCKETS = 10
/** Share of the sockets sent away at one check, and their maximum: each of them is disconnected for a moment. */
const SHARE = 0.02
const MAX_SENT_AWAY = 100
/** A node that missed this many reports is gone. */
const FORGOTTEN_AFTER = 3
/** A node that missed this many may be gone: its sockets are about to come here, so nobody is sent away meanwhile. */
const MISSED_AFTER = 1.5
/** At most this many checks are skipped after clients that were sent away came back. */
const MAX_SKIPPED_CHECKS = 60

/**
 * Rebalances sockets across nodes. After a rolling restart they all stay on the nodes that were up first, and a socket
 * never moves by itself. A node with many more sockets than the others sends a few away at each check. If they come
 * back, because the proxy does not balance by load, it does so less and less often.
 */
export class SocketBalance {
  readonly #dependencies: BalanceDependencies
  readonly #others = new Map<string, { sockets: number; at: number }>()
  readonly #timer: NodeJS.Timeout
  /** The most sockets there should be now, unless those that were sent away came back. */
  #expected: number | undefined
  #pause = 0
  #checksToSkip = 0

  constructor(dependencies: BalanceDependencies) {
    this.#dependencies = dependencies
    this.#timer = setInterval(() => this.#check(), dependencies.everyMs).unref()
  }

  receive({ node, sockets }: SocketCount) {
    if (sockets === null) this.#others.delete(node)
    else this.#others.set(node, { sockets, at: performance.now() })
  }

  stop() {
    clearInterval(this.#timer)
    this.#dependencies.report({ node: this.#dependencies.node, sockets: null })
  }

  #check() {
    const { node, count, report, sendAway } = this.#dependencies
    const own = count()
    report({ node, sockets: own })
    this.#assessLast(own)
    if (this.#checksToSkip-- > 0) return
    const leaving = this.#surplus(own)
    this.#checksToSkip = 0
    if (leaving === 0) return
    this.#expected = own - leaving / 2
    sendAway(leaving)
  }

  /** Checks whether sending away helped the last time. */
  #assessLast(own: number) {
    if (this.#expected === undefined) return
    this.#pause = own > this.#expected ? Math.min(MAX_SKIPPED_CHECKS, 2 * this.#pause + 1) : 0
    this.#checksToSkip = this.#pause
    this.#expected = undefined
  }

  #surplus(own: number): number {
    const since = (checks: number) => performance.now() - checks * this.#dependencies.everyMs
    for (const [node, { at }] of this.#others) if (at < since(FORGOTTEN_AFTER)) this.#others.delete(node)
    if ([...this.#others.values()].some(({ at }) => at < since(MISSED_AFTER))) return 0
    const others = [...this.#others.values()].map(({ sockets }) => sockets)
    const mean = (own + others.reduce((sum, sockets) => sum + sockets, 0)) / (others.length + 1)
    if (own <= mean * (1 + TOLERATED_SHARE) + TOLERATED_SOCKETS) return 0
    return Math.min(MAX_SENT_AWAY, Math.ceil(own * SHARE), Math.floor(own - mean))
  }
}
