import type { Meta, PresenceDiff, PresenceEntry } from './presence-entries.ts'
import type { PresenceStore } from './presence-store.ts'
import { type Redis, Script } from './redis.ts'
import { readTopicKey, type TopicKey } from './topic-key.ts'

/** A node that is silent for longer is dead. With a beat every 2.5 s its entries are gone within 11 s. */
const LEASE_MS = 8_000

const NODES = 'parley:presence:nodes'
const topicsKey = (node: string) => `parley:presence:topics:${node}`
const entriesKey = (node: string, topic: string) => `parley:presence:entries:${node}:${topic}`

const FORGET = `
local function forget(node)
  local topics = redis.call('SMEMBERS', 'parley:presence:topics:' .. node)
  for _, topic in ipairs(topics) do redis.call('DEL', 'parley:presence:entries:' .. node .. ':' .. topic) end
  redis.call('DEL', 'parley:presence:topics:' .. node)
  return topics
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/**
 * Returns "1" when this node's lease had ended, then the live nodes. The first to send a heartbeat cleans up after dead
 * nodes.
 */
const BEAT = `${FORGET}
local lease = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or 0)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
for _, dead in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)) do
  forget(dead)
  redis.call('ZREM', KEYS[1], dead)
end
local answer = redis.call('ZRANGE', KEYS[1], 0, -1)
table.insert(answer, 1, lease > now and '0' or '1')
return answer
`

const WIPE = `${FORGET} return forget(ARGV[1])`

/** Returns node, ref, entry; node, ref, entry; … */
const LOAD = new Script(`${FORGET}
local answer = {}
for _, node in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], now, '+inf')) do
  if node ~= ARGV[1] then
    for index, text in ipairs(redis.call('HGETALL', 'parley:presence:entries:' .. node .. ':' .. ARGV[2])) do
      if index % 2 == 1 then table.insert(answer, node) end
      table.insert(answer, text)
    end
  end
end
return answer
`)

/**
 * Presence of several nodes in Redis: a lease per node in one sorted set, a hash of entries per node and topic, and
 * per node the set of its topics. Commands that fail while Redis is away are not repeated: `rewrite` follows.
 */
export class RedisPresence implements PresenceStore {
  readonly #redis: Redis
  readonly #node: string

  /** `node` is that of the bus. */
  constructor(redis: Redis, node: string) {
    this.#redis = redis
    this.#node = node
  }

  write(topic: TopicKey, { joins, leaves }: PresenceDiff, isLast: boolean) {
    const sent: Promise<unknown>[] = []
    const key = entriesKey(this.#node, topic)
    if (joins.length) sent.push(this.#redis.hSet(key, Object.fromEntries(joins.map(toField))))
    if (joins.length) sent.push(this.#redis.sAdd(topicsKey(this.#node), topic))
    if (leaves.length)
      sent.push(
        this.#redis.hDel(
          key,
          leaves.map(({ meta }) => meta.phx_ref),
        ),
      )
    if (isLast) sent.push(this.#redis.sRem(topicsKey(this.#node), topic))
    void Promise.allSettled(sent)
  }

  async load(topic: TopicKey): Promise<PresenceEntry[]> {
    const answer = toTexts(await LOAD.run(this.#redis, [NODES], [this.#node, topic]))
    const entries: PresenceEntry[] = []
    for (let index = 0; index < answer.length; index += 3) {
      const [key, meta]: [string, Meta] = JSON.parse(answer[index + 2] ?? '')
      entries.push({ topic, node: answer[index] ?? '', key, meta })
    }
    return entries
  }

  async beat(): Promise<{ alive: Set<string>; lapsed: boolean }> {
    const args = [this.#node, String(LEASE_MS)]
    const [lapsed, ...alive] = toTexts(await this.#redis.eval(BEAT, { keys: [NODES], arguments: args }))
    return { alive: new Set(alive), lapsed: lapsed === '1' }
  }

  async rewrite(entries: PresenceEntry[]): Promise<TopicKey[]> {
    // Sent in one go, so that entries tracked meanwhile come after it.
    const wiped = this.#redis.eval(WIPE, { arguments: [this.#node] })
    for (const [topic, joins] of Map.groupBy(entries, (entry) => entry.topic)) {
      this.write(topic, { joins, leaves: [] }, false)
    }
    return toTexts(await wiped).map(readTopicKey)
  }

  async leave() {
    await this.#redis
      .multi()
      .eval(WIPE, { arguments: [this.#node] })
      .zRem(NODES, this.#node)
      .exec()
  }
}

function toField({ key, meta }: PresenceEntry): [string, string] {
  return [meta.phx_ref, JSON.stringify([key, meta])]
}

function toTexts(answer: unknown): string[] {
  return Array.isArray(answer) ? answer.map(String) : []
}
