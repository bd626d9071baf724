import type { Limits } from './limits/limits.ts'
import { MemoryLimits } from './limits/memory-limits.ts'
import type { Log } from './log.ts'
import type { Bus } from './realtime/bus.ts'
import { MemoryBus } from './realtime/memory-bus.ts'
import type { PresenceStore } from './realtime/presence-store.ts'
import { answerWithin } from './within-time.ts'

/** What nodes share beside the database: messages to sockets, presence, and rate limits. */
export interface FanOut {
  bus: Bus
  presenceStore?: PresenceStore
  limits: Limits
  close(): void
}

/** How long a start waits for Redis. Afterwards the server works without it until it can be reached. */
const CONNECT_MS = 3_000

/** In memory for a single server, over Redis if configured. */
export async function openFanOut(redisUrl: string | undefined, log: Log): Promise<FanOut> {
  if (!redisUrl) return { bus: new MemoryBus(), limits: new MemoryLimits(), close: () => undefined }
  // The Redis client is a fifth of all modules, so it is only loaded with Redis.
  const [{ openRedis }, { RedisBus }, { RedisPresence }, { RedisLimits }] = await Promise.all([
    import('./realtime/redis.ts'),
    import('./realtime/redis-bus.ts'),
    import('./realtime/redis-presence.ts'),
    import('./limits/redis-limits.ts'),
  ])
  const redis = openRedis(redisUrl, log)
  const bus = new RedisBus(redis, log)
  // Clients that join before the first connection would be asked to reconnect as soon as there is one.
  await answerWithin(CONNECT_MS, new Promise<void>((resolve) => redis.once('ready', resolve)))
  return {
    bus,
    presenceStore: new RedisPresence(redis, bus.node),
    limits: new RedisLimits(redis, log),
    close: () => redis.destroy(),
  }
}
