import { messageOf } from '../../errors.ts'
import type { Log } from '../log.ts'
import { answerWithin } from '../within-time.ts'
import type { Bus } from './bus.ts'
import {
  type PresenceDiff,
  type PresenceEntry,
  type PresenceOwner,
  type PresenceState,
  readMessage,
  toState,
  writeAll,
  writeChange,
} from './presence-entries.ts'
import type { PresenceStore } from './presence-store.ts'
import type { TopicKey } from './topic-key.ts'
import { TopicPresence } from './topic-presence.ts'

/** How often a node sends a heartbeat and checks those of the others. */
const BEAT_MS = 2_500
/** A store that does not answer must not delay the shutdown. */
const LEAVE_TIMEOUT_MS = 1_000

/** First letter of a presence message on the bus. */
export const PRESENCE_MARK = 'p'

interface PresenceDependencies {
  bus: Bus
  /** Needed as soon as the bus has other nodes. */
  store: PresenceStore | undefined
  log: Log
  /** Whether clients of this node are on the topic. */
  isWatched(topic: TopicKey): boolean
  /** Sends to the clients of this node. */
  send(topic: TopicKey, event: string, payload: object): void
}

/**
 * Who is on a topic, across all nodes. Each node keeps the entries of the topics its clients are on, and sends changes
 * to its own clients. An entry lives as long as the channel that tracked it.
 */
export class Presence {
  readonly #dependencies: PresenceDependencies
  readonly #node: string
  readonly #topics = new Map<TopicKey, TopicPresence>()
  /** When another node's last heartbeat was seen. */
  readonly #receivedAt = new Map<string, number>()
  readonly #timer: NodeJS.Timeout | undefined
  #lastRef = 0

  constructor(dependencies: PresenceDependencies) {
    this.#dependencies = dependencies
    this.#node = dependencies.bus.node
    if (!dependencies.store) return
    dependencies.bus.onGap(() => this.#recover())
    dependencies.bus.onLate((topic) => this.#reload(topic as TopicKey))
    this.#timer = setInterval(() => this.#beat(), BEAT_MS).unref()
    void this.#beat()
  }

  /**
   * Makes `key` present on a topic, which need not be the owner's own, until the owner closes. Tracking the same key
   * there again updates its meta.
   */
  track(topic: TopicKey, key: string, meta: Record<string, unknown>, owner: PresenceOwner) {
    if (!owner.isOpen) return
    const before = findTracked(owner, topic, key)
    const phx_ref = `${this.#node.slice(0, 8)}-${(++this.#lastRef).toString(36)}`
    const prev = before && { phx_ref_prev: before.meta.phx_ref }
    const entry: PresenceEntry = { topic, node: this.#node, key, meta: { ...meta, phx_ref, ...prev } }
    owner.tracked = [...(owner.tracked ?? []).filter((other) => other !== before), entry]
    this.#change(topic, { joins: [entry], leaves: before ? [before] : [] })
  }

  untrack(topic: TopicKey, key: string, owner: PresenceOwner) {
    const entry = findTracked(owner, topic, key)
    if (!entry || !owner.tracked) return
    owner.tracked = owner.tracked.filter((other) => other !== entry)
    this.#change(topic, { joins: [], leaves: [entry] })
  }

  untrackAll(owner: PresenceOwner) {
    const entries = owner.tracked ?? []
    owner.tracked = null
    for (const entry of entries) this.#change(entry.topic, { joins: [], leaves: [entry] })
  }

  /** Who is on the topic now, on all nodes; of this node only while Redis is away. */
  async list(topic: TopicKey): Promise<PresenceState> {
    const loading = this.#load(topic)
    if (loading) await loading
    const entries = this.#topics.get(topic)?.entries() ?? []
    const elsewhere = this.#dependencies.isWatched(topic) ? [] : ((await this.#loadOthers(topic)) ?? [])
    return toState([...entries, ...elsewhere])
  }

  /** Sends `presence_state` of the channel's own topic, as it is at the moment of sending. */
  async pushState(channel: PresenceOwner & { key: TopicKey; push(event: string, payload: object): void }) {
    const { key } = channel
    const loading = this.#load(key)
    if (loading) await loading
    channel.push('presence_state', toState(this.#topics.get(key)?.entries() ?? []))
  }

  /** Handles a message of another node. */
  receive(topic: TopicKey, text: string) {
    if (!this.#dependencies.isWatched(topic)) return
    const { node, all, ...change } = readMessage(topic, text)
    this.#receivedAt.set(node, performance.now())
    const presence = this.#presenceOf(topic)
    this.#sendDiff(topic, all ? presence.replaceNode(node, all) : presence.apply(change))
    this.#tidy(topic)
  }

  /** No client of this node is on the topic any more: messages about it no longer arrive. */
  unwatch(topic: TopicKey) {
    const before = this.#topics.get(topic)
    if (!before || !this.#dependencies.store) return
    this.#topics.delete(topic)
    if (before.own === 0) return
    const presence = this.#presenceOf(topic)
    presence.own = before.own
    presence.apply({ joins: before.of(this.#node), leaves: [] })
  }

  /** How many entries this node holds. */
  get ownCount(): number {
    return this.#topics.values().reduce((sum, { own }) => sum + own, 0)
  }

  /** Call it last, after every owner has closed. */
  async close() {
    clearInterval(this.#timer)
    const { store, log } = this.#dependencies
    if (!store) return
    const leaving = store
      .leave()
      .catch((error) =>
        log.debug({ reason: messageOf(error) }, 'Presence could not be removed; it expires with its lease'),
      )
    await answerWithin(LEAVE_TIMEOUT_MS, leaving)
  }

  #change(topic: TopicKey, change: PresenceDiff) {
    const presence = this.#presenceOf(topic)
    presence.own += change.joins.length - change.leaves.length
    const isLast = presence.own === 0
    this.#sendDiff(topic, presence.apply(change))
    this.#tidy(topic)
    const { store, bus } = this.#dependencies
    if (!store) return
    // First the store for nodes that load later, then the message to running ones: nobody can miss both.
    store.write(topic, change, isLast)
    void bus.publishToOthers(topic, PRESENCE_MARK + writeChange(this.#node, change))
  }

  #sendDiff(topic: TopicKey, { joins, leaves }: PresenceDiff) {
    if ((!joins.length && !leaves.length) || !this.#dependencies.isWatched(topic)) return
    this.#dependencies.send(topic, 'presence_diff', { joins: toState(joins), leaves: toState(leaves) })
  }

  #presenceOf(topic: TopicKey): TopicPresence {
    const presence = this.#topics.get(topic) ?? new TopicPresence()
    this.#topics.set(topic, presence)
    return presence
  }

  #tidy(topic: TopicKey) {
    const presence = this.#topics.get(topic)
    if (presence?.isEmpty && presence.knows === 'nothing' && !presence.loading) this.#topics.delete(topic)
  }

  /** Returns nothing when all is known, or when no client here keeps it current. */
  #load(topic: TopicKey): Promise<void> | undefined {
    if (!this.#dependencies.store || !this.#dependencies.isWatched(topic)) return
    const presence = this.#presenceOf(topic)
    if (presence.knows === 'all') return
    presence.loading ??= this.#mergeOthers(topic, presence)
    return presence.loading
  }

  async #mergeOthers(topic: TopicKey, presence: TopicPresence) {
    presence.beginLoading()
    const entries = await this.#loadOthers(topic)
    presence.loading = null
    if (!entries) return presence.abandonLoading()
    if (this.#topics.get(topic) !== presence) return
    const change = presence.finishLoading(entries, this.#node)
    if (presence.knows === 'stale') this.#sendDiff(topic, change)
    presence.knows = 'all'
  }

  /** Loads a topic again whose messages may have been missed since it was loaded. */
  async #reload(topic: TopicKey) {
    await this.#topics.get(topic)?.loading
    const presence = this.#topics.get(topic)
    if (presence?.knows !== 'all') return
    presence.knows = 'stale'
    await this.#load(topic)
  }

  /** Undefined when the store cannot be reached. */
  async #loadOthers(topic: TopicKey): Promise<PresenceEntry[] | undefined> {
    try {
      const entries = (await this.#dependencies.store?.load(topic)) ?? []
      for (const { node } of entries) this.#receivedAt.set(node, performance.now())
      return entries
    } catch (error) {
      this.#dependencies.log.warn({ topic, reason: messageOf(error) }, 'Presence of other nodes could not be loaded')
    }
  }

  async #recover() {
    for (const presence of this.#topics.values()) if (presence.knows === 'all') presence.knows = 'stale'
    await this.#beat()
    await this.#assertOwn()
  }

  async #beat() {
    const sentAt = performance.now()
    try {
      const beat = await this.#dependencies.store?.beat()
      if (!beat) return
      if (beat.lapsed) await this.#assertOwn()
      this.#removeDead(
        [...this.#receivedAt].filter(([node, at]) => !beat.alive.has(node) && at < sentAt).map(([node]) => node),
      )
    } catch (error) {
      this.#dependencies.log.debug({ reason: messageOf(error) }, 'The presence heartbeat failed')
    }
  }

  /** Others may have forgotten this node or missed its messages, so it sends all its entries again. */
  async #assertOwn() {
    const entries = [...this.#topics.values()].flatMap((presence) => presence.of(this.#node))
    try {
      const before = await this.#dependencies.store?.rewrite(entries)
      for (const topic of new Set([...(before ?? []), ...entries.map((entry) => entry.topic)])) {
        const own = this.#topics.get(topic)?.of(this.#node) ?? []
        void this.#dependencies.bus.publishToOthers(topic, PRESENCE_MARK + writeAll(this.#node, own))
      }
    } catch (error) {
      this.#dependencies.log.warn(
        { reason: messageOf(error) },
        'Presence of this node could not be stored for other nodes',
      )
    }
  }

  /** Every node does this for its own clients, so each client receives it once. */
  #removeDead(dead: string[]) {
    if (dead.length === 0) return
    for (const node of dead) this.#receivedAt.delete(node)
    for (const [topic, presence] of this.#topics) {
      this.#sendDiff(topic, presence.apply({ joins: [], leaves: dead.flatMap((node) => presence.of(node)) }))
      this.#tidy(topic)
    }
  }
}

function findTracked(owner: PresenceOwner, topic: TopicKey, key: string): PresenceEntry | undefined {
  return owner.tracked?.find((entry) => entry.topic === topic && entry.key === key)
}
