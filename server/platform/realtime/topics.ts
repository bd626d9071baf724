import type { Bus } from './bus.ts'
import { encodeBroadcast, toVersion1, type Version } from './frames.ts'
import type { JoinedChannel } from './joined-channel.ts'

/** Which channels of this node are on which topic. The bus is subscribed while there is one. */
export class Topics {
  readonly #bus: Bus
  readonly #channels = new Map<string, Set<JoinedChannel>>()
  /** Called when the last channel of this node has left a topic. */
  readonly #onEmpty: (topic: string) => void

  constructor(bus: Bus, onEmpty: (topic: string) => void) {
    this.#bus = bus
    this.#onEmpty = onEmpty
  }

  get size(): number {
    return this.#channels.size
  }

  has(topic: string): boolean {
    return this.#channels.has(topic)
  }

  /** Resolves when messages of other nodes arrive, too. */
  add(channel: JoinedChannel): Promise<void> {
    const channels = this.#channels.get(channel.topic)
    if (channels) channels.add(channel)
    else this.#channels.set(channel.topic, new Set([channel]))
    return this.#bus.subscribe(channel.topic)
  }

  remove(channel: JoinedChannel) {
    const channels = this.#channels.get(channel.topic)
    if (!channels?.delete(channel) || channels.size > 0) return
    this.#channels.delete(channel.topic)
    this.#bus.unsubscribe(channel.topic)
    this.#onEmpty(channel.topic)
  }

  tell(topic: string, event: string, payload: object) {
    if (this.has(topic)) this.deliver(topic, encodeBroadcast(topic, event, payload))
  }

  /** Sends a frame of version 2 to all, written once for all of them. */
  deliver(topic: string, frame: string, except?: object) {
    const channels = this.#channels.get(topic)
    if (!channels) return
    const bytes: Partial<Record<Version, Buffer>> = { 2: Buffer.from(frame) }
    for (const channel of channels) {
      const { version } = channel.connection
      bytes[version] ??= Buffer.from(toVersion1(frame))
      if (channel.isOpen && channel !== except) channel.connection.send(bytes[version])
    }
  }
}
