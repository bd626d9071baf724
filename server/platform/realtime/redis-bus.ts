import { randomUUID } from 'node:crypto'
import { messageOf } from '../../errors.ts'
import type { Log } from '../log.ts'
import { answerWithin } from '../within-time.ts'
import type { Bus, Receive } from './bus.ts'
import type { Redis } from './redis.ts'
import { RedisSubscriptions } from './redis-subscriptions.ts'

const PREFIX = 'parley:topic:'
const NO_RIGHTS = /^NOPERM/
/** What an operator can do about errors of Redis. */
const PROBLEMS: [RegExp, string][] = [
  [NO_RIGHTS, 'The Redis user in REDIS_URL lacks rights: it needs the channels and keys that begin with parley:.'],
  [/^(WRONGPASS|NOAUTH|ERR AUTH)/, 'Redis refuses the user name or password in REDIS_URL.'],
  [
    /certificate|altnames/i,
    'The certificate of Redis is not trusted: name its authority in NODE_EXTRA_CA_CERTS, and use the host name in the certificate.',
  ],
]
/** How long a join may wait for Redis to confirm the subscription: what comes before that would be missed. */
const TIMEOUT_MS = 1_000

/** The bus of several nodes: one Redis channel per topic, subscribed while a local client is on it. */
export class RedisBus implements Bus {
  readonly node = randomUUID()
  readonly #redis: Redis
  readonly #log: Log
  readonly #subscriptions: RedisSubscriptions
  readonly #repairs: (() => void)[] = []
  #repairTopic: ((topic: string) => void) | undefined
  #receive: Receive | undefined
  #lostMessages = 0
  #isLosing = false
  /** The last error, unless something has worked since. */
  #reason: string | undefined

  constructor(redis: Redis, log: Log) {
    this.#redis = redis
    this.#log = log
    this.#subscriptions = new RedisSubscriptions(redis, log, (channel, message) => this.#dispatch(channel, message))
    redis.on('ready', () => this.#recover())
    redis.on('error', (error) => {
      this.#reason = messageOf(error)
    })
  }

  publish(topic: string, message: string): Promise<boolean> {
    this.#receive?.(topic, message)
    return this.publishToOthers(topic, message)
  }

  async publishToOthers(topic: string, message: string): Promise<boolean> {
    try {
      await this.#redis.publish(PREFIX + topic, `${this.node} ${message}`)
      this.#reason = undefined
      return true
    } catch (error) {
      this.#reason = messageOf(error)
      this.#lostMessages++
      if (!this.#isLosing) this.#log.warn({ topic, reason: messageOf(error) }, 'Messages to other nodes are being lost')
      this.#isLosing = true
      return false
    }
  }

  async subscribe(topic: string): Promise<void> {
    const confirmed = this.#subscriptions.add(PREFIX + topic)
    if (!confirmed) return
    const isInTime = await answerWithin(
      TIMEOUT_MS,
      confirmed.then(() => true),
    )
    if (!isInTime) void confirmed.then(() => this.#repairTopic?.(topic))
  }

  unsubscribe(topic: string) {
    this.#subscriptions.remove(PREFIX + topic)
  }

  onMessage(receive: Receive) {
    this.#receive = receive
  }

  onLate(repair: (topic: string) => void) {
    this.#repairTopic = repair
  }

  onGap(repair: () => void) {
    this.#repairs.push(repair)
  }

  isHealthy(): boolean {
    return this.problem() === undefined
  }

  problem(): string | undefined {
    if (this.#redis.isReady && !NO_RIGHTS.test(this.#reason ?? '')) return undefined
    const advice = PROBLEMS.find(([pattern]) => pattern.test(this.#reason ?? ''))
    return advice?.[1] ?? 'Redis (REDIS_URL) does not respond.'
  }

  #dispatch(channel: string, message: string) {
    if (message.startsWith(this.node)) return
    try {
      this.#receive?.(channel.slice(PREFIX.length), message.slice(message.indexOf(' ') + 1))
    } catch (error) {
      // Thrown further, it would cost the connection. A node of another version may send messages unknown to this one.
      this.#log.error({ err: error, channel }, 'A message from another node could not be handled')
    }
  }

  async #recover() {
    if (this.#isLosing) this.#log.warn({ lost: this.#lostMessages }, 'Messages to other nodes were lost')
    this.#isLosing = false
    // Says whether this user may use channels, before the first message does.
    await this.publishToOthers('probe', '')
    await this.#subscriptions.flush()
    for (const repair of this.#repairs) repair()
  }
}
