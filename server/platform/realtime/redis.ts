import { createHash } from 'node:crypto'
import { createClient } from 'redis'
import { messageOf } from '../../errors.ts'
import type { Log } from '../log.ts'

const PING_MS = 2_000
const MAX_UNANSWERED_PINGS = 2

/** A connection to Redis that reconnects by itself. */
export type Redis = ReturnType<typeof openRedis>

/**
 * One connection to Redis or Valkey (6 or later), for commands and subscriptions alike: over RESP3 both come back in
 * the order they happened. Connects in the background and reconnects for ever; while it is away commands fail at once
 * instead of queueing up. A connection that stops answering is given up after six seconds.
 */
export function openRedis(url: string, log: Log) {
  const client = createClient({
    url,
    RESP: 3,
    disableOfflineQueue: true,
    commandsQueueMaxLength: 100_000,
    // The client's own time limit costs an `AbortSignal` for each command. `watch` gives a hanging connection up.
    commandOptions: { timeout: undefined },
    socket: {
      connectTimeout: 3_000,
      socketTimeout: 3 * PING_MS,
      reconnectStrategy: (tries) => Math.min(2_000, 50 * 2 ** Math.min(tries, 6)) + Math.random() * 100,
    },
  })
  let isAway = false
  client.on('error', (error) => {
    if (!isAway) log.warn({ reason: messageOf(error) }, 'Redis cannot be reached')
    isAway = true
  })
  client.on('ready', () => {
    if (isAway) log.info({}, 'Redis can be reached again')
    isAway = false
  })
  const connect = () =>
    client.connect().catch((error) => log.debug({ reason: messageOf(error) }, 'The connection to Redis was closed'))
  const reconnect = () => {
    log.warn({}, 'Redis does not respond; reconnecting')
    isAway = true
    client.destroy()
    void connect()
  }
  void connect()
  watch(client, reconnect)
  return client
}

interface Watched {
  isOpen: boolean
  isReady: boolean
  ping(): Promise<unknown>
}

/**
 * Written commands and heartbeats keep the client's idle timeout from noticing a hung server. Counts ticks instead of
 * time: after a pause of this process the answer is read before the next tick.
 */
function watch(client: Watched, renew: () => void) {
  let unanswered = 0
  const timer = setInterval(() => {
    if (!client.isOpen) return clearInterval(timer)
    if (!client.isReady) {
      unanswered = 0
    } else if (++unanswered > MAX_UNANSWERED_PINGS) {
      unanswered = 0
      renew()
    } else {
      const answered = () => {
        unanswered = 0
      }
      client.ping().then(answered, answered)
    }
  }, PING_MS).unref()
}

/** A Lua script that Redis runs as one step; sent in full only when Redis does not know it yet. */
export class Script {
  readonly #source: string
  readonly #sha: string

  constructor(source: string) {
    this.#source = source
    this.#sha = createHash('sha1').update(source).digest('hex')
  }

  async run(redis: Redis, keys: string[], args: string[]): Promise<unknown> {
    try {
      return await redis.evalSha(this.#sha, { keys, arguments: args })
    } catch (error) {
      if (!messageOf(error).startsWith('NOSCRIPT')) throw error
      return redis.eval(this.#source, { keys, arguments: args })
    }
  }
}
