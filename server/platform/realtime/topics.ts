import type { Bus } from './bus.ts'
import { encodeBroadcast, toVersion1, type Version } from './frames.ts'
import type { JoinedChannel } from './joined-channel.ts'
import { accountOf, type TopicKey, wireTopic } from './topic-key.ts'

/** Which channels of this node are on which topic. The bus is subscribed while there is at least one. */
export class Topics {
  readonly #bus: Bus
  readonly #channels = new Map<TopicKey, Set<JoinedChannel>>()
  /** Called when the last channel of this node has left a topic. */
  readonly #onEmpty: (key: TopicKey) => void

  constructor(bus: Bus, onEmpty: (key: TopicKey) => void) {
    this.#bus = bus
    this.#onEmpty = onEmpty
  }

  get size(): number {
    return this.#channels.size
  }

  has(key: TopicKey): boolean {
    return this.#channels.has(key)
  }

  /** Resolves when messages of other nodes arrive, too. */
  add(channel: JoinedChannel): Promise<void> {
    const { key } = channel
    const channels = this.#channels.get(key)
    if (channels) channels.add(channel)
    else this.#channels.set(key, new Set([channel]))
    return this.#bus.subscribe(key)
  }

  remove(channel: JoinedChannel) {
    const { key } = channel
    const channels = this.#channels.get(key)
    if (!channels?.delete(channel) || channels.size > 0) return
    this.#channels.delete(key)
    this.#bus.unsubscribe(key)
    this.#onEmpty(key)
  }

  /** The accounts with topics that clients of this node have joined. */
  accounts(): Set<string> {
    return new Set(this.#channels.keys().map(accountOf))
  }

  ofAccount(account_id: string): JoinedChannel[] {
    return [...this.#channels].flatMap(([key, channels]) => (accountOf(key) === account_id ? [...channels] : []))
  }

  send(key: TopicKey, event: string, payload: object) {
    if (this.has(key)) this.deliverFrame(key, encodeBroadcast(wireTopic(key), event, payload))
  }

  /** Sends a frame of version 2 to all channels of a topic, serialised once. */
  deliverFrame(key: TopicKey, frame: string, except?: object) {
    const channels = this.#channels.get(key)
    if (!channels) return
    const bytes: Partial<Record<Version, Buffer>> = { 2: Buffer.from(frame) }
    for (const channel of channels) {
      const { version } = channel.connection
      bytes[version] ??= Buffer.from(toVersion1(frame))
      if (channel.isOpen && channel !== except) channel.connection.send(bytes[version])
    }
  }
}
