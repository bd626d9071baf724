import { TooMany } from '../../errors.ts'

/** A bucket that holds `capacity` tokens and is refilled with `perSecond` of them. */
export interface Limit {
  capacity: number
  perSecond: number
}

/** Whether a token was taken and, if not, when there will be one. */
export type Allowance = { allowed: true } | { allowed: false; retryAfterSeconds: number }

/** Token buckets by key, shared by all nodes if there is a Redis. */
export interface Limits {
  /**
   * Takes `cost` tokens (default 1) from the bucket named `key`, or none if there are too few. A cost above the
   * capacity needs a full bucket, a negative one returns tokens. Never throws: without the shared store each node
   * counts for itself.
   */
  take(key: string, limit: Limit, cost?: number): Promise<Allowance>
}

/** Takes tokens, by default one, or refuses with the time to wait. */
export async function consume(limits: Limits, key: string, limit: Limit, cost = 1): Promise<void> {
  const allowance = await limits.take(key, limit, cost)
  if (!allowance.allowed) throw new TooMany(allowance.retryAfterSeconds)
}

/** The tokens in a bucket after `elapsedMs` more milliseconds. */
export function refill(tokens: number, elapsedMs: number, { capacity, perSecond }: Limit): number {
  return Math.min(capacity, tokens + (Math.max(0, elapsedMs) / 1000) * perSecond)
}

/** Whole seconds, at least one, until `missing` tokens are refilled. */
export function secondsUntil(missing: number, { perSecond }: Limit): number {
  return Math.max(1, Math.ceil(missing / perSecond))
}
