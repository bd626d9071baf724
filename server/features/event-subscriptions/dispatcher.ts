import { type Context, perServer } from '../../context.ts'
import { type Claimed, claimDue, findNextDue, release } from './claim.ts'
import { deliver } from './deliver.ts'

/** Requests under way on one server, and to one address; to one that only fails there goes one at a time. */
const AT_ONCE = 64
const AT_ONCE_PER_SUBSCRIPTION = 8
const AT_ONCE_TO_FAILING = 1
const SHORTEST_SLEEP_MS = 500
/** A server that has nothing to do looks for what another one left behind. */
const LONGEST_SLEEP_MS = 30_000

/**
 * Sends what is due, on each server. A receiver that is slow or dead holds up its own deliveries alone, because it gets
 * few of the requests that may be under way at once.
 */
class Dispatcher {
  readonly #context: Context
  readonly #underWay = new Map<string, { count: number; isFailing: boolean }>()
  #count = 0
  #running = false
  #again = false
  #stopped = false
  #timer: NodeJS.Timeout | undefined

  constructor(context: Context) {
    this.#context = context
  }

  /** Looks for what is due. */
  wake(): void {
    if (this.#stopped) return
    this.#again = true
    if (!this.#running) void this.#run()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    this.#running = true
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false
        await this.#sendDue()
      }
      await this.#sleep()
    } catch (error) {
      this.#context.log.warn({ err: error }, 'Webhooks cannot be sent for a moment')
      this.#wakeIn(LONGEST_SLEEP_MS)
    } finally {
      this.#running = false
    }
    // Somebody woke it between the last look and here.
    if (this.#again) this.wake()
  }

  async #sendDue(): Promise<void> {
    const room = AT_ONCE - this.#count
    if (room <= 0) return
    const claimed = await claimDue(this.#context.db, {
      limit: Math.min(room, AT_ONCE_PER_SUBSCRIPTION),
      busy: [...this.#underWay].filter(([, { count, isFailing }]) => count >= mostOf(isFailing)).map(([id]) => id),
    })
    const excess = claimed.filter((one) => !this.#add(one))
    await release(this.#context.db, excess)
    for (const one of claimed) if (!excess.includes(one)) void this.#send(one)
    if (claimed.length > 0) this.#again = true
  }

  /** False when too many are on their way to its address. */
  #add({ subscription_id, isFailing }: Claimed): boolean {
    const line = this.#underWay.get(subscription_id) ?? { count: 0, isFailing }
    line.isFailing = isFailing
    if (line.count >= mostOf(isFailing)) return false
    line.count++
    this.#underWay.set(subscription_id, line)
    this.#count++
    return true
  }

  async #send(one: Claimed): Promise<void> {
    await deliver(this.#context, one).catch((error) => {
      this.#context.log.error({ err: error, delivery_id: one.id }, 'The outcome of a webhook was not noted')
    })
    const line = this.#underWay.get(one.subscription_id)!
    this.#count--
    if (--line.count === 0) this.#underWay.delete(one.subscription_id)
    this.wake()
  }

  async #sleep(): Promise<void> {
    // Each that ends wakes it, and what is due waits for one of these, here or on another server.
    const next = this.#count > 0 ? undefined : await findNextDue(this.#context.db)
    this.#wakeIn(next ? Math.max(SHORTEST_SLEEP_MS, Date.parse(next) - Date.now()) : LONGEST_SLEEP_MS)
  }

  #wakeIn(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#stopped) return
    this.#timer = setTimeout(() => this.wake(), Math.min(ms, LONGEST_SLEEP_MS))
    this.#timer.unref()
  }
}

function mostOf(isFailing: boolean): number {
  return isFailing ? AT_ONCE_TO_FAILING : AT_ONCE_PER_SUBSCRIPTION
}

/** The one of this server. */
export const dispatcherOf = perServer((context) => new Dispatcher(context))
