import type { Caller } from '../caller.ts'
import { asRefusal } from '../db/problems.ts'
import { type ChannelSession, Refused, refusalResponse } from './channel.ts'
import type { Connection } from './connection.ts'
import type { Frame } from './frames.ts'
import type { Hub } from './hub.ts'
import { JoinedChannel } from './joined-channel.ts'

/** The reply to a push without a result. */
export const NOTHING = {}
/** The reply to a join of a topic that no channel serves. */
export const UNMATCHED = { reason: 'unmatched topic' }

/** One topic on one socket: its frames are handled strictly one after the other. */
export class TopicQueue {
  readonly #connection: Connection
  readonly #hub: Hub
  readonly #topic: string
  #channel: JoinedChannel | null = null
  #waiting: Frame[] | null = null
  #isBusy = false

  constructor(connection: Connection, hub: Hub, topic: string) {
    this.#connection = connection
    this.#hub = hub
    this.#topic = topic
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  get isIdle(): boolean {
    return !this.#isBusy && this.#channel === null
  }

  get carriesLargeFrames(): boolean {
    return this.#channel?.session?.carriesLargeFrames === true
  }

  get waitingCount(): number {
    return this.#waiting?.length ?? 0
  }

  wait(frame: Frame) {
    this.#waiting ??= []
    this.#waiting.push(frame)
  }

  /** Handles a frame and those that arrive meanwhile. Never throws. */
  async work(first: Frame) {
    this.#isBusy = true
    for (let frame: Frame | undefined = first; frame && !this.#connection.isEnded; frame = this.#dequeue()) {
      try {
        if (frame.event === 'phx_join') await this.#join(frame)
        else if (frame.event === 'phx_leave') this.#leave(frame)
        else await this.#receive(frame)
      } catch (error) {
        this.#hub.log.error({ err: error, topic: this.#topic, event: frame.event }, 'A frame could not be handled')
      }
    }
    this.#isBusy = false
    if (this.isIdle) this.#connection.removeQueue(this.#topic, this)
  }

  /** Ends the channel without a message to the client; the caller sends that. */
  drop() {
    const channel = this.#channel
    this.#channel = null
    if (!channel) return
    channel.isOpen = false
    this.#hub.topics.remove(channel)
    this.#hub.presence.untrackAll(channel)
    try {
      channel.session?.left?.()
    } catch (error) {
      this.#hub.log.error({ err: error, topic: this.#topic }, 'A channel failed while it was left')
    }
  }

  /** Ends a channel from the server's side, unless it has ended already. */
  end(channel: JoinedChannel, event: 'phx_close' | 'phx_error') {
    if (this.#channel !== channel) return
    this.drop()
    if (this.isIdle) this.#connection.removeQueue(this.#topic, this)
    channel.sendEnd(event)
  }

  /**
   * Ends a channel whose recheck threw. A visitor reconnects with their current identity; a client known by ids alone
   * stays out; after an internal error the client joins again and is checked then.
   */
  expel(channel: JoinedChannel, thrown: unknown) {
    if (this.#channel !== channel) return
    const isRefused = refusalResponse(thrown) !== undefined
    if (!isRefused)
      this.#hub.log.error({ err: thrown, topic: this.#topic }, 'A channel failed while its access was rechecked')
    if (isRefused && channel.caller.kind === 'visitor') this.#connection.close(1008, 'please reconnect')
    else this.end(channel, isRefused ? 'phx_close' : 'phx_error')
  }

  #dequeue(): Frame | undefined {
    const frame = this.#waiting?.shift()
    if (this.#waiting?.length === 0) this.#waiting = null
    if (frame) this.#connection.onDequeued(frame)
    return frame
  }

  async #join(frame: Frame) {
    const before = this.#channel
    this.drop()
    before?.sendEnd('phx_close')
    const channel = new JoinedChannel(this.#connection, this, this.#topic, frame.joinRef ?? frame.ref)
    const changes = this.#hub.accessChanges()
    if (!(await this.#admit(channel, frame))) return
    this.#channel = channel
    this.#connection.onJoined(this.carriesLargeFrames)
    // Nothing is ever broadcast to a topic without account, so it is not kept, nor subscribed to.
    if (channel.session?.account_id && !this.#connection.isEnded) await this.#hub.topics.add(channel)
    // A change during the check was only passed to channels that had joined by then.
    const isStale = this.#hub.accessChanges() !== changes
    if (isStale && !(await this.#recheck(channel, frame))) this.drop()
    if (this.#connection.isEnded) this.drop()
    // It may have been ended while waiting for the bus.
    if (this.#channel !== channel) return
    this.#connection.reply(frame, 'ok', NOTHING)
    channel.isOpen = true
    void this.#begin(channel)
  }

  /** Calls the definition's `join`; sends the refusal to the client. */
  async #admit(channel: JoinedChannel, frame: Frame): Promise<boolean> {
    const match = this.#hub.match(this.#topic)
    if (!match) {
      this.#connection.reply(frame, 'error', UNMATCHED)
      return false
    }
    const { caller } = this.#connection
    try {
      const session = await match.definition.join({ caller, params: match.params, payload: frame.payload, channel })
      if (!mayReceive(caller, session)) throw new Refused({ reason: 'unauthorized' })
      channel.session = session
      return true
    } catch (thrown) {
      this.#connection.reply(frame, 'error', this.#explain(thrown, frame, 'join crashed'))
      return false
    }
  }

  async #recheck({ session }: JoinedChannel, frame: Frame): Promise<boolean> {
    try {
      const { account_id } = session ?? {}
      if (account_id) await session?.recheck?.({ account_id, customer_ids: null })
      return true
    } catch (thrown) {
      this.#connection.reply(frame, 'error', this.#explain(thrown, frame, 'join crashed'))
      return false
    }
  }

  async #begin(channel: JoinedChannel) {
    try {
      await channel.session?.joined?.()
    } catch (error) {
      this.#hub.log.error({ err: error, topic: this.#topic }, 'A channel failed after the join')
      this.end(channel, 'phx_error')
    }
  }

  #leave(frame: Frame) {
    const channel = this.#channel
    this.#connection.reply(frame, 'ok', NOTHING)
    if (!channel || !isAddressedTo(frame, channel)) return
    this.drop()
    channel.sendEnd('phx_close')
  }

  async #receive(frame: Frame) {
    const channel = this.#channel
    if (!channel || !isAddressedTo(frame, channel)) return this.#connection.reply(frame, 'error', UNMATCHED)
    const on = channel.session?.on ?? {}
    if (!Object.hasOwn(on, frame.event)) return this.#connection.reply(frame, 'error', { reason: 'unknown event' })
    try {
      this.#connection.reply(frame, 'ok', (await on[frame.event]?.(frame.payload)) ?? NOTHING)
    } catch (thrown) {
      this.#connection.reply(frame, 'error', this.#explain(thrown, frame, 'internal error'))
    }
  }

  #explain(thrown: unknown, { event }: Frame, reason: string): object {
    const response = refusalResponse(asRefusal(thrown) ?? thrown)
    if (!response) this.#hub.log.error({ err: thrown, topic: this.#topic, event }, reason)
    return response ?? { reason }
  }
}

/** Callers of an account join no topic of another one, whatever the channel itself would allow. */
function mayReceive(caller: Caller, { account_id }: ChannelSession): boolean {
  return caller.kind === 'anonymous' || account_id === null || caller.account_id === account_id
}

/** Frames of an older join may still arrive after a newer one replaced it. */
function isAddressedTo(frame: Frame, channel: JoinedChannel): boolean {
  return frame.joinRef === null || frame.joinRef === channel.joinRef
}
