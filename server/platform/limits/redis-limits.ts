import { messageOf } from '../../errors.ts'
import type { Log } from '../log.ts'
import { type Redis, Script } from '../realtime/redis.ts'
import { answerWithin } from '../within-time.ts'
import { type Allowance, type Limit, type Limits, secondsUntil } from './limits.ts'
import { MemoryLimits } from './memory-limits.ts'

/** Maximum wait for Redis; then the node counts for itself. */
const TIMEOUT_MS = 300
/** Pause after Redis did not answer. */
const PAUSE_MS = 1_000

/** Returns the number of missing tokens, "0" if they were taken. Uses Redis's clock. */
const TAKE = new Script(`
local capacity, per_second, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local elapsed = math.max(0, now - (tonumber(bucket[2]) or now))
local tokens = math.min(capacity, (tonumber(bucket[1]) or capacity) + elapsed * per_second / 1000)
local missing = math.max(0, math.min(cost, capacity) - tokens)
if missing == 0 then tokens = tokens - math.min(cost, capacity) end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil(capacity / per_second * 1000) + 1000)
return tostring(missing)
`)

/** Token buckets shared by all nodes. */
export class RedisLimits implements Limits {
  readonly #redis: Redis
  readonly #log: Log
  readonly #own = new MemoryLimits()
  #retryAt = 0

  constructor(redis: Redis, log: Log) {
    this.#redis = redis
    this.#log = log
  }

  async take(key: string, limit: Limit, cost = 1): Promise<Allowance> {
    if (!this.#redis.isReady || performance.now() < this.#retryAt) return this.#own.take(key, limit, cost)
    try {
      const missing = await this.#takeFromRedis(key, limit, cost)
      return missing === 0 ? { allowed: true } : { allowed: false, retryAfterSeconds: secondsUntil(missing, limit) }
    } catch (error) {
      this.#log.warn({ reason: messageOf(error) }, 'Rate limits are counted per node while Redis cannot be reached')
      this.#retryAt = performance.now() + PAUSE_MS
      return this.#own.take(key, limit, cost)
    }
  }

  async #takeFromRedis(key: string, { capacity, perSecond }: Limit, cost: number): Promise<number> {
    const args = [capacity, perSecond, cost].map(String)
    const missing = await answerWithin(TIMEOUT_MS, TAKE.run(this.#redis, [`parley:limit:${key}`], args))
    if (missing === undefined) throw new Error('Redis did not respond in time.')
    return Number(missing)
  }
}
