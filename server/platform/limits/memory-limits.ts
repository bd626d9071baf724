import { type Allowance, type Limit, type Limits, refill, secondsUntil } from './limits.ts'

interface Bucket {
  tokens: number
  touchedAt: number
  limit: Limit
}

interface Options {
  /** Maximum number of buckets; beyond it those unused for longest are removed. */
  maxKeys?: number
  /** Milliseconds, for tests. */
  now?: () => number
}

/** Token buckets of this process. */
export class MemoryLimits implements Limits {
  readonly #maxKeys: number
  readonly #now: () => number
  /** Unused for longest first. */
  readonly #buckets = new Map<string, Bucket>()

  constructor({ maxKeys = 100_000, now = Date.now }: Options = {}) {
    this.#maxKeys = maxKeys
    this.#now = now
  }

  get size(): number {
    return this.#buckets.size
  }

  async take(key: string, limit: Limit, cost = 1): Promise<Allowance> {
    const now = this.#now()
    const bucket = this.#buckets.get(key)
    const tokens = bucket ? refill(bucket.tokens, now - bucket.touchedAt, limit) : limit.capacity
    const price = Math.min(cost, limit.capacity)
    const allowed = tokens >= price
    this.#buckets.delete(key)
    this.#buckets.set(key, { tokens: allowed ? tokens - price : tokens, touchedAt: now, limit })
    this.#sweep(now)
    return allowed ? { allowed } : { allowed, retryAfterSeconds: secondsUntil(price - tokens, limit) }
  }

  /**
   * A full bucket carries no information, so it can be removed. Checking two per new bucket keeps up without a timer.
   */
  #sweep(now: number) {
    let looks = 2
    for (const [key, { tokens, touchedAt, limit }] of this.#buckets) {
      const isFull = refill(tokens, now - touchedAt, limit) >= limit.capacity
      if (!isFull && this.#buckets.size <= this.#maxKeys) return
      this.#buckets.delete(key)
      if (--looks === 0) return
    }
  }
}
