import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { AccessChecks } from './access-checks.ts'
import type { Bus } from './bus.ts'
import { type CallerFilter, matches } from './caller-filter.ts'
import type { AccessChange, Channel, ChannelDefinition } from './channel.ts'
import { Connection } from './connection.ts'
import { encodeBroadcast } from './frames.ts'
import type { Hub } from './hub.ts'
import { PRESENCE_MARK, Presence } from './presence.ts'
import type { PresenceStore } from './presence-store.ts'
import { DEFAULT_SETTINGS, type RealtimeSettings } from './settings.ts'
import { SocketBalance, type SocketCount } from './socket-balance.ts'
import { closeUnfinished, SocketCounts } from './socket-limits.ts'
import { readTopicKey, type TopicKey, wireTopic } from './topic-key.ts'
import { compilePatterns } from './topic-patterns.ts'
import { Topics } from './topics.ts'
import { acceptUpgrades, type UpgradeOptions } from './upgrades.ts'

interface Options extends Pick<UpgradeOptions, 'authenticate' | 'addressOf' | 'limits' | 'log'> {
  bus: Bus
  /** Needed with a bus that has other nodes. */
  presenceStore?: PresenceStore | undefined
  settings?: Partial<RealtimeSettings>
}

/** Sends to the sockets of all nodes, or of this one. */
export interface Publisher {
  broadcast(key: TopicKey, event: string, payload: object): void
  /** Rechecks whether clients may still be on their channels. */
  recheck(change: AccessChange): void
}

/** First letter of a broadcast on the bus; another one marks broadcasts with the number of their event. */
const FRAME_MARK = 'f'
const EVENT_MARK = 'e'
/** The topic on which nodes talk to each other; no client can name it. */
const NODES_TOPIC = '\u0000nodes'
/** All clients are sent away in this many steps. */
const RESYNC_STEPS = 50
/** Pending disconnects that are kept while the other nodes cannot be reached. */
const MAX_UNDELIVERED = 10_000
/** How long clients may take for the closing handshake. */
const CLOSE_TIMEOUT_MS = 1_000

/** A request from one node to the others. */
interface Disconnect {
  filter: CallerFilter
  reason: string
}
interface Recheck {
  recheck: AccessChange
  event_id: number
}

/**
 * The server side of the Phoenix Channels protocol on one node. Broadcasts work once it is constructed, sockets after
 * `attach`.
 */
export class Realtime {
  readonly presence: Presence
  readonly #options: Options
  readonly #settings: RealtimeSettings
  readonly #topics: Topics
  readonly #connections = new Set<Connection>()
  readonly #socketCounts: SocketCounts
  readonly #counts = { malformed: 0, rateLimited: 0, tooSlow: 0 }
  readonly #sweeper: NodeJS.Timeout
  readonly #measuring: NodeJS.Timeout
  readonly #accessChecks: AccessChecks
  readonly #balance: SocketBalance
  #onEvent: (id: number) => void = () => undefined
  /** Disconnects that the other nodes have not received yet. */
  #undelivered: string[] = []
  #isDraining = false

  constructor(options: Options) {
    const { bus, presenceStore: store, log } = options
    this.#options = options
    this.#settings = { ...DEFAULT_SETTINGS, ...options.settings }
    this.#socketCounts = new SocketCounts(this.#settings)
    this.#topics = new Topics(bus, (topic) => this.presence.unwatch(topic))
    this.#accessChecks = new AccessChecks(this.#topics)
    this.presence = new Presence({
      bus,
      store,
      log,
      isWatched: (topic) => this.#topics.has(topic),
      send: (topic, event, payload) => this.#topics.send(topic, event, payload),
    })
    bus.onMessage((topic, message) => this.#receiveMessage(topic, message))
    bus.onGap(() => this.#resync())
    void bus.subscribe(NODES_TOPIC)
    this.#balance = new SocketBalance({
      node: bus.node,
      everyMs: this.#settings.balanceMs,
      count: () => this.#connections.size,
      report: (count) => void bus.publishToOthers(NODES_TOPIC, JSON.stringify(count)),
      sendAway: (count) => this.#sendAway(count),
    })
    this.#sweeper = setInterval(() => this.#sweep(), this.#settings.sweepMs).unref()
    const { maxUnfinishedBytes, unfinishedMs } = this.#settings
    this.#measuring = setInterval(() => closeUnfinished(this.#connections, maxUnfinishedBytes), unfinishedMs).unref()
  }

  /** Takes sockets from an HTTP server, also before it listens. */
  attach(server: Server, channels: readonly ChannelDefinition[]) {
    const hub = this.#hub(channels)
    acceptUpgrades(server, {
      ...this.#options,
      settings: this.#settings,
      isDraining: () => this.#isDraining,
      isFull: (caller) => this.#socketCounts.isFull(caller),
      open: (ws, line, caller, version) => {
        const connection = new Connection(ws, line, hub, caller, version)
        this.#connections.add(connection)
        this.#socketCounts.add(caller)
        return connection
      },
    })
  }

  /**
   * Sends to everyone on a topic, on all nodes; `except` leaves one channel of this node out. Resolves when the bus has
   * it for the other nodes; an unreachable bus is logged, never thrown.
   */
  async broadcast(key: TopicKey, event: string, payload: object, { except }: { except?: Channel } = {}) {
    const frame = encodeBroadcast(wireTopic(key), event, payload)
    this.#topics.deliverFrame(key, frame, except)
    await this.#options.bus.publishToOthers(key, FRAME_MARK + frame)
  }

  /** Calls back with the id of each event that another node has broadcast to sockets here. */
  onEvent(listener: (id: number) => void) {
    this.#onEvent = listener
  }

  /** Publishes to all nodes, together with the id of the event. */
  everywhere(event_id: number): Publisher {
    return {
      broadcast: (key, event, payload) => {
        const frame = encodeBroadcast(wireTopic(key), event, payload)
        this.#topics.deliverFrame(key, frame)
        void this.#options.bus.publishToOthers(key, `${EVENT_MARK}${event_id} ${frame}`)
      },
      recheck: (recheck) => {
        this.#accessChecks.enqueue(recheck)
        void this.#options.bus.publishToOthers(NODES_TOPIC, JSON.stringify({ recheck, event_id }))
      },
    }
  }

  /** The sockets of this node alone. */
  readonly local: Publisher = {
    broadcast: (key, event, payload) => this.#topics.send(key, event, payload),
    recheck: (change) => this.#accessChecks.enqueue(change),
  }

  /** The accounts with sockets on this node. */
  accounts(): Set<string> {
    return this.#topics.accounts()
  }

  /** Closes the sockets of these callers on all nodes at once. They may reconnect if they still have access. */
  async disconnect(filter: CallerFilter, reason = 'signed out') {
    const order = JSON.stringify({ filter, reason })
    const isPublished = await this.#options.bus.publish(NODES_TOPIC, order)
    if (!isPublished) this.#undelivered = [...this.#undelivered.slice(-MAX_UNDELIVERED), order]
  }

  stats() {
    let channels = 0
    for (const connection of this.#connections) channels += connection.topicCount
    const presences = this.presence.ownCount
    return { sockets: this.#connections.size, channels, topics: this.#topics.size, presences, ...this.#counts }
  }

  /** Shutting down: accepts no sockets, finishes work in progress, and asks clients to reconnect. */
  async drain() {
    this.#isDraining = true
    clearInterval(this.#sweeper)
    clearInterval(this.#measuring)
    this.#balance.stop()
    const isBusy = () => this.#connections.values().some((connection) => connection.isBusy)
    await waitWhile(isBusy, this.#settings.drainMs)
    const leaving = [...this.#connections]
    for (const connection of leaving) connection.close(1012, 'service restart')
    await waitWhile(() => leaving.some(({ isClosed }) => !isClosed), CLOSE_TIMEOUT_MS)
    for (const connection of leaving) connection.terminate()
    await this.presence.close()
  }

  #hub(channels: readonly ChannelDefinition[]): Hub {
    return {
      settings: this.#settings,
      log: this.#options.log,
      topics: this.#topics,
      presence: this.presence,
      counts: this.#counts,
      match: compilePatterns(channels),
      accessChanges: () => this.#accessChecks.count,
      isDraining: () => this.#isDraining,
      removeConnection: (connection) => {
        if (this.#connections.delete(connection)) this.#socketCounts.remove(connection.caller)
      },
    }
  }

  #receiveMessage(topic: string, message: string) {
    if (topic === NODES_TOPIC) this.#handleRequest(JSON.parse(message))
    else if (message.startsWith(FRAME_MARK))
      this.#topics.deliverFrame(readTopicKey(topic), message.slice(FRAME_MARK.length))
    else if (message.startsWith(EVENT_MARK)) this.#receiveEvent(readTopicKey(topic), message)
    else if (message.startsWith(PRESENCE_MARK))
      this.presence.receive(readTopicKey(topic), message.slice(PRESENCE_MARK.length))
  }

  #receiveEvent(key: TopicKey, message: string) {
    const gap = message.indexOf(' ')
    this.#topics.deliverFrame(key, message.slice(gap + 1))
    this.#onEvent(Number(message.slice(EVENT_MARK.length, gap)))
  }

  #handleRequest(order: Disconnect | Recheck | SocketCount) {
    if ('filter' in order) return this.#disconnectHere(order)
    if ('sockets' in order) return this.#balance.receive(order)
    this.#accessChecks.enqueue(order.recheck)
    this.#onEvent(order.event_id)
  }

  #disconnectHere({ filter, reason }: Disconnect) {
    for (const connection of [...this.#connections]) {
      if (matches(connection.caller, filter)) connection.close(1008, reason)
    }
  }

  /** Sends away the oldest sockets; a proxy may connect them to another node. */
  #sendAway(count: number) {
    const idle = this.#connections.values().filter(({ isBusy }) => !isBusy)
    for (const connection of [...idle.take(count)]) connection.close(1012, 'please reconnect')
  }

  #sweep() {
    const now = performance.now()
    for (const connection of [...this.#connections]) connection.sweep(now)
  }

  /**
   * Messages of other nodes were missed, which clients cannot know. A reconnecting client is authenticated again and
   * fetches what it missed, so all are made to reconnect, a few at a time.
   */
  async #resync() {
    const owed = this.#undelivered
    this.#undelivered = []
    for (const order of owed) void this.#options.bus.publishToOthers(NODES_TOPIC, order)
    const leaving = [...this.#connections]
    const step = Math.ceil(leaving.length / RESYNC_STEPS)
    for (let start = 0; start < leaving.length; start += step) {
      for (const connection of leaving.slice(start, start + step)) connection.close(1012, 'please reconnect')
      await sleep(this.#settings.resyncMs / RESYNC_STEPS, undefined, { ref: false })
    }
  }
}

async function waitWhile(isTrue: () => boolean, longestMs: number) {
  const deadline = performance.now() + longestMs
  while (isTrue() && performance.now() < deadline) await sleep(5)
}
