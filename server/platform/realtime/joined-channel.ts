import type { Caller } from '../caller.ts'
import type { AccessChange, Channel, ChannelSession } from './channel.ts'
import type { Connection } from './connection.ts'
import { encode, type Ref } from './frames.ts'
import type { PresenceEntry } from './presence-entries.ts'
import { type TopicKey, topicKey } from './topic-key.ts'
import type { TopicQueue } from './topic-queue.ts'

/** One socket on one topic, from the join to the end. */
export class JoinedChannel implements Channel {
  readonly connection: Connection
  readonly topic: string
  readonly joinRef: Ref
  readonly #queue: TopicQueue
  /** Between the reply to the join and the end. */
  isOpen = false
  session: ChannelSession | null = null
  tracked: PresenceEntry[] | null = null

  constructor(connection: Connection, queue: TopicQueue, topic: string, joinRef: Ref) {
    this.connection = connection
    this.#queue = queue
    this.topic = topic
    this.joinRef = joinRef
  }

  get key(): TopicKey {
    return topicKey(this.session?.account_id ?? null, this.topic)
  }

  get caller(): Caller {
    return this.connection.caller
  }

  push(event: string, payload: object) {
    if (!this.isOpen) return
    this.connection.send(encode(this.connection.version, { ...this.#address, ref: null }, event, payload))
  }

  close() {
    this.#queue.end(this, 'phx_close')
  }

  /** Removes a client that may no longer be here. Never throws; returns nothing when it is not concerned. */
  recheck(change: AccessChange): Promise<void> | undefined {
    return this.session?.recheck?.(change)?.catch((thrown) => this.#queue.expel(this, thrown))
  }

  /** Tells the client that its channel has ended: `phx_close` for good, `phx_error` to make it rejoin. */
  sendEnd(event: 'phx_close' | 'phx_error') {
    this.connection.send(encode(this.connection.version, this.#address, event, {}))
  }

  get #address() {
    return { joinRef: this.joinRef, ref: this.joinRef, topic: this.topic }
  }
}
