import { messageOf } from '../../errors.ts'
import type { Log } from '../log.ts'
import type { Redis } from './redis.ts'

const MAX_BATCH = 500

/**
 * Subscribes and unsubscribes Redis channels as wanted. One command at a time and in batches, so that quick leaving and
 * joining cannot cross and a storm of joins costs few round trips. The client itself renews confirmed subscriptions
 * when it reconnects; the others wait here for `flush`.
 */
export class RedisSubscriptions {
  readonly #redis: Redis
  readonly #log: Log
  readonly #receive: (message: string, channel: string) => void
  readonly #wanted = new Set<string>()
  readonly #subscribed = new Set<string>()
  readonly #missing = new Set<string>()
  readonly #surplus = new Set<string>()
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>()
  #settling: Promise<void> | undefined

  constructor(redis: Redis, log: Log, receive: (channel: string, message: string) => void) {
    this.#redis = redis
    this.#log = log
    this.#receive = (message, channel) => receive(channel, message)
  }

  /** Returns nothing when the channel is subscribed already, or when Redis is away. */
  add(channel: string): Promise<void> | undefined {
    this.#wanted.add(channel)
    this.#surplus.delete(channel)
    if (this.#subscribed.has(channel)) return
    this.#missing.add(channel)
    if (!this.#redis.isReady) return
    const waiting = this.#waiting.get(channel) ?? Promise.withResolvers<void>()
    this.#waiting.set(channel, waiting)
    void this.flush()
    return waiting.promise
  }

  remove(channel: string) {
    this.#wanted.delete(channel)
    this.#missing.delete(channel)
    if (this.#subscribed.has(channel)) this.#surplus.add(channel)
    void this.flush()
  }

  /** Resolves when nothing is left to do, or nothing can be done. */
  flush(): Promise<void> {
    this.#settling ??= this.#work()
    return this.#settling
  }

  async #work() {
    // One turn later, so that all requests of this turn go together.
    await Promise.resolve()
    try {
      while (this.#redis.isReady && (this.#missing.size || this.#surplus.size)) {
        if (this.#missing.size) await this.#subscribe(nextBatch(this.#missing))
        else await this.#unsubscribe(nextBatch(this.#surplus))
      }
    } catch (error) {
      this.#log.warn({ reason: messageOf(error) }, 'Redis subscriptions failed and will be retried')
    } finally {
      this.#settling = undefined
      for (const { resolve } of this.#waiting.values()) resolve()
      this.#waiting.clear()
    }
  }

  async #subscribe(batch: string[]) {
    try {
      await this.#redis.subscribe(batch, this.#receive)
    } catch (error) {
      for (const channel of batch) if (this.#wanted.has(channel)) this.#missing.add(channel)
      throw error
    }
    for (const channel of batch) {
      this.#subscribed.add(channel)
      this.#missing.delete(channel)
      if (!this.#wanted.has(channel)) this.#surplus.add(channel)
      this.#waiting.get(channel)?.resolve()
      this.#waiting.delete(channel)
    }
  }

  async #unsubscribe(batch: string[]) {
    for (const channel of batch) this.#subscribed.delete(channel)
    try {
      await this.#redis.unsubscribe(batch, this.#receive)
    } catch (error) {
      // The client would renew it when it reconnects.
      for (const channel of batch) {
        this.#subscribed.add(channel)
        this.#missing.delete(channel)
        if (!this.#wanted.has(channel)) this.#surplus.add(channel)
      }
      throw error
    }
  }
}

function nextBatch(channels: Set<string>): string[] {
  const batch = [...channels.values().take(MAX_BATCH)]
  for (const channel of batch) channels.delete(channel)
  return batch
}
