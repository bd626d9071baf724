import type { Log } from '../log.ts'
import { withRequestId } from '../request-id.ts'
import { traced } from '../tracing/traced.ts'

/** A row with the id of the request that caused it. */
interface WithRequestId {
  request_id: string | null
}

/** Rows of a table that become due, each worked on by one server. */
export interface DueWork<Claimed extends WithRequestId> {
  /** For the log: `webhooks`. */
  name: string
  /** How many one server works on at once. */
  atOnce: number
  /** How many are claimed at a time. */
  batch: number
  /** Claims due rows, leaving out these groups and rows that another server is claiming. */
  claim(limit: number, leftOut: string[]): Promise<Claimed[]>
  /** Limits how many of a group run at once, so that a slow group delays no other. */
  groups?: {
    of(claimed: Claimed): { group: string; atOnce: number }
    /** Groups take turns at being claimed, so that many rows of one group delay no other. Costs a second claim in each round. */
    inTurns?: true
    /** Returns claimed rows that exceed the limit of their group. */
    release(claimed: Claimed[]): Promise<void>
  }
  /** If claims expire: renews those in progress at this interval. */
  claims?: { everyMs: number; renew(running: Claimed[]): Promise<void> }
  /** If rows wait for a time: when the next unclaimed one is due. */
  findNextDue?(): Promise<string | undefined>
  /** Runs with the request id of the row. */
  run(claimed: Claimed): Promise<void>
}

const MIN_SLEEP_MS = 500
/** How often an idle server looks for rows that another one left behind. */
const MAX_SLEEP_MS = 30_000

/**
 * Works on due rows, on each server. Batches of jobs wait for their slowest; here the next row starts as soon as one
 * ends.
 */
export class Dispatcher<Claimed extends WithRequestId> {
  readonly #work: DueWork<Claimed>
  readonly #log: Log
  readonly #groups = new Map<string, { count: number; atOnce: number }>()
  readonly #claimed = new Set<Claimed>()
  /** Groups that had their turn in this round. It ends when no other group has due rows. */
  readonly #served = new Set<string>()
  #running = false
  #isWoken = false
  #stopped = false
  #timer: NodeJS.Timeout | undefined
  #renewalTimer: NodeJS.Timeout | undefined

  constructor(log: Log, work: DueWork<Claimed>) {
    this.#log = log
    this.#work = work
  }

  /** Looks for due rows. */
  wake(): void {
    if (this.#stopped) return
    this.#isWoken = true
    if (!this.#running) void this.#run()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    this.#running = true
    try {
      while (this.#isWoken && !this.#stopped) {
        this.#isWoken = false
        await this.#claimDue()
      }
      await this.#sleep()
    } catch (error) {
      this.#log.warn({ err: error, work: this.#work.name }, 'Due work could not be claimed; trying again later')
      this.#wakeIn(MAX_SLEEP_MS)
    } finally {
      this.#running = false
    }
    // It was woken between the last look and this line.
    if (this.#isWoken) this.wake()
  }

  async #claimDue(): Promise<void> {
    const room = this.#work.atOnce - this.#claimed.size
    if (room <= 0) return
    const busy = [...this.#groups].filter(([, { count, atOnce }]) => count >= atOnce).map(([group]) => group)
    const claimed = await this.#claimInTurns(Math.min(room, this.#work.batch), busy)
    const excess = claimed.filter((claim) => !this.#add(claim))
    await this.#work.groups?.release(excess)
    for (const claim of claimed) if (!excess.includes(claim)) void this.#finish(claim)
    if (claimed.length > 0) this.#isWoken = true
  }

  async #claimInTurns(limit: number, busy: string[]): Promise<Claimed[]> {
    let claimed = await this.#work.claim(limit, [...busy, ...this.#served])
    if (claimed.length === 0 && this.#served.size > 0) {
      this.#served.clear()
      claimed = await this.#work.claim(limit, busy)
    }
    if (this.#work.groups?.inTurns) for (const claim of claimed) this.#served.add(this.#groupOf(claim).group)
    return claimed
  }

  /** False when too many of its group are in progress. */
  #add(claim: Claimed): boolean {
    const { group, atOnce } = this.#groupOf(claim)
    const line = this.#groups.get(group) ?? { count: 0, atOnce }
    line.atOnce = atOnce
    if (line.count >= atOnce) return false
    line.count++
    this.#groups.set(group, line)
    this.#claimed.add(claim)
    this.#renewClaims()
    return true
  }

  #groupOf(claim: Claimed): { group: string; atOnce: number } {
    return this.#work.groups?.of(claim) ?? { group: '', atOnce: this.#work.atOnce }
  }

  async #finish(claim: Claimed): Promise<void> {
    const { name, run } = this.#work
    await withRequestId(claim.request_id, () =>
      traced({ name, kind: 'background' }, () => run(claim)).catch((error) => {
        this.#log.error({ err: error, work: name }, 'The outcome of a piece of work could not be stored')
      }),
    )
    const { group } = this.#groupOf(claim)
    const line = this.#groups.get(group)!
    this.#claimed.delete(claim)
    if (--line.count === 0) this.#groups.delete(group)
    this.wake()
  }

  /** Renews claims until nothing is in progress, even while the server stops. */
  #renewClaims(): void {
    const { claims } = this.#work
    if (!claims || this.#renewalTimer) return
    this.#renewalTimer = setInterval(() => {
      if (this.#claimed.size > 0)
        return void claims.renew([...this.#claimed]).catch((error) => this.#logFailedRenewal(error))
      clearInterval(this.#renewalTimer)
      this.#renewalTimer = undefined
    }, claims.everyMs).unref()
  }

  #logFailedRenewal(error: unknown): void {
    this.#log.warn({ err: error, work: this.#work.name }, 'Claims on running work could not be renewed')
  }

  async #sleep(): Promise<void> {
    // Every finished row wakes it, and due rows wait for one of these, here or on another server.
    const next = this.#claimed.size > 0 ? undefined : await this.#work.findNextDue?.()
    this.#wakeIn(next ? Math.max(MIN_SLEEP_MS, Date.parse(next) - Date.now()) : MAX_SLEEP_MS)
  }

  #wakeIn(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#stopped) return
    this.#timer = setTimeout(() => this.wake(), Math.min(ms, MAX_SLEEP_MS))
    this.#timer.unref()
  }
}
