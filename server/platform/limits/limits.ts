import { TooMany } from '../../errors.ts'

/** A bucket that holds `capacity` tokens and is refilled with `perSecond` of them. */
export interface Limit {
  capacity: number
  perSecond: number
}

/** What a bucket answers: whether there was a token, and if not, when there will be. */
export type Allowance = { allowed: true } | { allowed: false; retryAfterSeconds: number }

/** Token buckets by key, shared by all nodes where there is a Redis. */
export interface Limits {
  /**
   * Takes `cost` tokens (default 1) from the bucket named `key`, or none when there are too few. A cost above the
   * capacity asks for a full bucket, a negative one gives tokens back. Never throws: when the shared store is away, each node counts for itself.
   */
  take(key: string, limit: Limit, cost?: number): Promise<Allowance>
}

/** Takes tokens, one unless said otherwise, or refuses with how long to wait. */
export async function spend(limits: Limits, key: string, limit: Limit, cost = 1): Promise<void> {
  const allowance = await limits.take(key, limit, cost)
  if (!allowance.allowed) throw new TooMany(allowance.retryAfterSeconds)
}

/** What is in a bucket after `elapsedMs` more milliseconds. */
export function refill(tokens: number, elapsedMs: number, { capacity, perSecond }: Limit): number {
  return Math.min(capacity, tokens + (Math.max(0, elapsedMs) / 1000) * perSecond)
}

/** Whole seconds, at least one, until `missing` tokens have come in. */
export function secondsUntil(missing: number, { perSecond }: Limit): number {
  return Math.max(1, Math.ceil(missing / perSecond))
}
