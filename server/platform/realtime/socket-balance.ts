/** What a node tells the others now and then; no count when it goes. */
export interface SocketCount {
  node: string
  sockets: number | null
}

interface Surroundings {
  /** This node. */
  node: string
  /** Between two looks. */
  everyMs: number
  count(): number
  tell(count: SocketCount): void
  /** Asks so many clients to connect anew; a proxy then takes them where there are fewest. */
  sendAway(count: number): void
}

/** Differences below these are left alone. */
const TOLERATED_SHARE = 0.25
const TOLERATED_SOCKETS = 10
/** Asked at one look, of all that are here and at most: whoever is asked is away for a moment. */
const SHARE = 0.02
const MOST = 100
/** A node that was not seen for so many looks is gone. */
const FORGOTTEN_AFTER = 3
/** One that was not seen for so many may be gone: its sockets are about to come here, so nobody is sent away meanwhile. */
const MISSED_AFTER = 1.5
/** Looks that are left out, at most, when those who were sent away came back. */
const LONGEST_PAUSE = 60

/**
 * Spreads sockets over the nodes again. After a restart of one node after another they all stay on those that were there
 * first, and a socket never moves by itself. A node that has many more than the others sends a few away at each look.
 * Where they come back, because the proxy does not choose by load, it asks less and less often.
 */
export class SocketBalance {
  readonly #surroundings: Surroundings
  readonly #others = new Map<string, { sockets: number; at: number }>()
  readonly #timer: NodeJS.Timeout
  /** How many there should be at most now, had those who were sent away not come back. */
  #expected: number | undefined
  #pause = 0
  #looksToSkip = 0

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
    this.#timer = setInterval(() => this.#look(), surroundings.everyMs).unref()
  }

  receive({ node, sockets }: SocketCount) {
    if (sockets === null) this.#others.delete(node)
    else this.#others.set(node, { sockets, at: performance.now() })
  }

  stop() {
    clearInterval(this.#timer)
    this.#surroundings.tell({ node: this.#surroundings.node, sockets: null })
  }

  #look() {
    const { node, count, tell, sendAway } = this.#surroundings
    const own = count()
    tell({ node, sockets: own })
    this.#judge(own)
    if (this.#looksToSkip-- > 0) return
    const leaving = this.#surplus(own)
    this.#looksToSkip = 0
    if (leaving === 0) return
    this.#expected = own - leaving / 2
    sendAway(leaving)
  }

  /** Whether sending away helped the last time. */
  #judge(own: number) {
    if (this.#expected === undefined) return
    this.#pause = own > this.#expected ? Math.min(LONGEST_PAUSE, 2 * this.#pause + 1) : 0
    this.#looksToSkip = this.#pause
    this.#expected = undefined
  }

  #surplus(own: number): number {
    const since = (looks: number) => performance.now() - looks * this.#surroundings.everyMs
    for (const [node, { at }] of this.#others) if (at < since(FORGOTTEN_AFTER)) this.#others.delete(node)
    if ([...this.#others.values()].some(({ at }) => at < since(MISSED_AFTER))) return 0
    const others = [...this.#others.values()].map(({ sockets }) => sockets)
    const mean = (own + others.reduce((sum, sockets) => sum + sockets, 0)) / (others.length + 1)
    if (own <= mean * (1 + TOLERATED_SHARE) + TOLERATED_SOCKETS) return 0
    return Math.min(MOST, Math.ceil(own * SHARE), Math.floor(own - mean))
  }
}
