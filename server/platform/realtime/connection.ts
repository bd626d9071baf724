import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { Caller } from '../caller.ts'
import { FrameAllowance } from './frame-allowance.ts'
import { type Address, encode, type Frame, type Malformed, parseFrame, type Version } from './frames.ts'
import type { Hub } from './hub.ts'
import type { ServerSocket } from './server-socket.ts'
import { NOTHING, TopicQueue, UNMATCHED } from './topic-queue.ts'
import { UnfinishedFrame } from './unfinished-frame.ts'

const UNREADABLE = { text: 1007, binary: 1003 }
const TOO_LARGE = 'frame too large'
const AS_TEXT = { binary: false }

/** One socket: filters frames, passes them to the queues of their topics, and sends. */
export class Connection {
  readonly caller: Caller
  readonly version: Version
  readonly #ws: ServerSocket
  /** The stream below the socket. */
  readonly #stream: Duplex
  readonly #hub: Hub
  readonly #queues = new Map<string, TopicQueue>()
  readonly #allowance: FrameAllowance
  readonly #openedAt = performance.now()
  #receivedAt = this.#openedAt
  #hasJoined = false
  readonly unfinished: UnfinishedFrame
  #unreadable = 0
  #waitingCharacters = 0
  /** Bytes of the largest frame since the client had read everything. */
  #largestUnread = 0
  #isEnded = false

  constructor(ws: ServerSocket, stream: Duplex, hub: Hub, caller: Caller, version: Version) {
    this.#ws = ws
    this.#stream = stream
    this.#hub = hub
    this.caller = caller
    this.version = version
    this.#allowance = new FrameAllowance(hub.settings, this.#receivedAt)
    this.unfinished = new UnfinishedFrame(stream)
    ws.limitFrames(this.#maxFrameBytes)
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  get isBusy(): boolean {
    return this.#queues.values().some((queue) => queue.isBusy)
  }

  /** The closing handshake is over. */
  get isClosed(): boolean {
    return this.#ws.readyState === WebSocket.CLOSED
  }

  get topicCount(): number {
    return this.#queues.size
  }

  receive(text: string) {
    if (!this.#listens()) return
    const isLarge = text.length > this.#maxFrameBytes
    if (isLarge && !this.#carriesLargeFrames) return this.close(1009, TOO_LARGE)
    const frame = parseFrame(text, this.version, this.#hub.settings.maxTopicLength)
    if ('malformed' in frame) return this.#refuseMalformed(frame, text.length)
    const isHeartbeat = frame.topic === 'phoenix' && frame.event === 'heartbeat'
    const queue = this.#queues.get(frame.topic)
    if (isLarge && !queue?.carriesLargeFrames) return this.close(1009, TOO_LARGE)
    const isFree = isHeartbeat
      ? this.#allowance.passesAsHeartbeat(this.#receivedAt)
      : queue !== undefined && frame.event === 'phx_leave'
    if (!isFree && !this.#consumeTokens(text.length)) return this.#refuseFlood(frame)
    if (isHeartbeat) return this.#answer(frame, 'ok', NOTHING)
    if (queue?.isBusy) return this.#queue(queue, frame)
    if (queue) void queue.work(frame)
    else this.#receiveUnjoined(frame)
  }

  receiveBinary() {
    if (this.#listens()) this.#refuseUnreadable('binary')
  }

  receivePing(data: Buffer) {
    if (this.#listens() && this.#consumeTokens(data.length) && this.#keepsUp()) this.#ws.pong(data)
  }

  send(data: string | Buffer) {
    if (this.#isEnded || this.#ws.readyState !== WebSocket.OPEN) return
    if (this.#keepsUp()) return this.#write(data)
    this.#hub.counts.tooSlow++
    this.#hub.log.info({ address: this.caller.address }, 'Closed a socket whose client reads too slowly')
    this.terminate()
  }

  /**
   * Writes that one change causes are combined, because writing is the most expensive part with many receivers. They do
   * not wait for the next turn of the event loop, before which the server answers other requests.
   */
  #write(data: string | Buffer) {
    if (this.#stream.writableCorked === 0) {
      this.#stream.cork()
      process.nextTick(() => this.#stream.uncork())
    }
    const size = Buffer.byteLength(data)
    this.#largestUnread = this.#ws.bufferedAmount === 0 ? size : Math.max(this.#largestUnread, size)
    this.#ws.send(data, AS_TEXT)
  }

  /** Does nothing when the client asked for no reply. */
  reply(address: Address, status: 'ok' | 'error', response: object) {
    if (address.ref !== null) this.#answer(address, status, response)
  }

  /** Ends everything immediately; the closing handshake follows. The client may reconnect. */
  close(code: number, reason: string) {
    this.end()
    this.#ws.close(code, reason)
  }

  terminate() {
    this.end()
    this.#ws.terminate()
  }

  end() {
    if (this.#isEnded) return
    this.#isEnded = true
    for (const queue of this.#queues.values()) queue.drop()
    this.#queues.clear()
    this.#hub.removeConnection(this)
  }

  sweep(now: number) {
    const { idleMs, joinMs } = this.#hub.settings
    this.#allowance.forgive()
    if (now - this.#receivedAt > idleMs) return this.close(1001, 'idle')
    const isUseless = this.caller.kind === 'anonymous' && !this.#hasJoined && now - this.#openedAt > joinMs
    if (isUseless) this.close(1008, 'no topic was joined')
  }

  /** A topic was joined. One with recorded pages permits larger frames from then on. */
  onJoined(carriesLargeFrames: boolean) {
    this.#hasJoined = true
    if (carriesLargeFrames) this.#ws.limitFrames(this.#hub.settings.maxLargeFrameBytes)
  }

  onDequeued({ size }: Frame) {
    this.#waitingCharacters -= size
  }

  removeQueue(topic: string, queue: TopicQueue) {
    if (this.#queues.get(topic) === queue) this.#queues.delete(topic)
  }

  #listens(): boolean {
    if (this.#isEnded || this.#hub.isDraining()) return false
    this.#receivedAt = performance.now()
    this.unfinished.onFrame()
    return true
  }

  get #isOfTeam(): boolean {
    return this.caller.kind === 'user'
  }

  get #maxTopics(): number {
    const { maxTopicsPerSocket, maxTopicsPerVisitorSocket } = this.#hub.settings
    return this.#isOfTeam ? maxTopicsPerSocket : Math.min(maxTopicsPerSocket, maxTopicsPerVisitorSocket)
  }

  get #maxFrameBytes(): number {
    const { maxFrameBytes, maxVisitorFrameBytes } = this.#hub.settings
    return this.#isOfTeam ? maxFrameBytes : Math.min(maxFrameBytes, maxVisitorFrameBytes)
  }

  #consumeTokens(characters: number): boolean {
    return this.#allowance.consume(characters, this.#hub.settings, this.#receivedAt)
  }

  /** One frame may exceed the limit, such as the list of all present customers of a large company. */
  #keepsUp(): boolean {
    const { bufferedAmount } = this.#ws
    const { maxUnreadBytes, maxLargeUnreadBytes } = this.#hub.settings
    if (bufferedAmount <= maxUnreadBytes + this.#largestUnread) return true
    return bufferedAmount <= maxLargeUnreadBytes && this.#carriesLargeFrames
  }

  get #carriesLargeFrames(): boolean {
    return this.#queues.values().some((queue) => queue.carriesLargeFrames)
  }

  #answer(address: Address, status: 'ok' | 'error', response: object) {
    this.send(encode(this.version, address, 'phx_reply', { status, response }))
  }

  #refuseMalformed({ malformed, reply }: Malformed, characters: number) {
    if (!reply) return this.#refuseUnreadable('text')
    this.#hub.counts.malformed++
    if (!this.#consumeTokens(characters)) return this.#refuseFlood(reply)
    this.#answer(reply, 'error', { reason: 'malformed frame', detail: malformed })
  }

  #refuseUnreadable(kind: 'text' | 'binary') {
    this.#hub.counts.malformed++
    if (++this.#unreadable > this.#hub.settings.maxUnreadable) this.close(UNREADABLE[kind], 'unreadable frames')
  }

  #refuseFlood(address: Address) {
    this.#hub.counts.rateLimited++
    const retry_after = this.#allowance.secondsToWait(this.#hub.settings)
    this.reply(address, 'error', { reason: 'rate limited', retry_after })
    if (this.#allowance.countRefused(this.#hub.settings)) this.close(1008, 'too many frames')
  }

  #queue(queue: TopicQueue, frame: Frame) {
    const { maxWaitingFrames, maxWaitingCharacters } = this.#hub.settings
    const isFull = queue.waitingCount >= maxWaitingFrames || this.#waitingCharacters + frame.size > maxWaitingCharacters
    if (isFull) return this.#refuseFlood(frame)
    this.#waitingCharacters += frame.size
    queue.wait(frame)
  }

  /** A frame for a topic that this socket has not joined. */
  #receiveUnjoined(frame: Frame) {
    if (frame.event === 'phx_leave') return this.reply(frame, 'ok', NOTHING)
    if (frame.event !== 'phx_join') return this.reply(frame, 'error', UNMATCHED)
    if (this.#queues.size >= this.#maxTopics) {
      return this.reply(frame, 'error', { reason: 'too many topics' })
    }
    const queue = new TopicQueue(this, this.#hub, frame.topic)
    this.#queues.set(frame.topic, queue)
    void queue.work(frame)
  }
}
