import { waitMs } from './backoff.ts'

// A small Phoenix Channels client: five-part frames, topics that are rejoined after a reconnection, a heartbeat. The
// official client does more than the chat needs, and is as large as the whole chat.

type Payload = Record<string, unknown>
type Frame = [join_ref: string | null, ref: string | null, topic: string, event: string, payload: Payload]

const HEARTBEAT_MS = 30_000
const JOIN_MS = 10_000
const REJOIN_MS = [1000, 2000, 5000, 10_000]

interface SocketHandlers {
  closed: () => void
  /** The socket could not be opened, or was refused. */
  failed: () => void
}

/** One socket, kept open until `close`. Its topics are joined each time it opens. */
export class Socket {
  private readonly address: string
  private readonly protocols: string[]
  private readonly handlers: SocketHandlers
  private readonly topics = new Map<string, Topic>()
  private socket: WebSocket | undefined
  private retry: ReturnType<typeof setTimeout> | undefined
  private beat: ReturnType<typeof setInterval> | undefined
  private awaited: string | undefined
  private failures = 0
  private refs = 0
  private isClosed = false

  /** `token` is the visitor's, if known. It is sent as a protocol and not in the address, which proxies log. */
  constructor({ token, ...params }: Record<string, string | undefined>, handlers: Partial<SocketHandlers> = {}) {
    const entries = Object.entries(params).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))
    const url = new URL('/socket/websocket', location.href)
    url.protocol = url.protocol.replace('http', 'ws')
    url.search = String(new URLSearchParams([...entries, ['vsn', '2.0.0']]))
    this.address = String(url)
    this.protocols = token ? ['phoenix', `base64url.bearer.phx.${btoa(token).replace(/=/g, '')}`] : []
    this.handlers = { closed: () => undefined, failed: () => undefined, ...handlers }
    this.open()
  }

  isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN
  }

  topic(name: string, params: Payload = {}): Topic {
    this.topics.get(name)?.leave()
    const topic = new Topic(this, name, params)
    this.topics.set(name, topic)
    if (this.isOpen()) topic.join()
    return topic
  }

  /** Reconnects at once. */
  reopen() {
    this.drop()
    this.failures = 0
    this.open()
  }

  close() {
    this.isClosed = true
    this.drop()
  }

  removeTopic(topic: Topic) {
    if (this.topics.get(topic.name) === topic) this.topics.delete(topic.name)
  }

  nextRef(): string {
    return String(++this.refs)
  }

  /** Returns false while not connected. */
  send(frame: Frame): boolean {
    if (!this.isOpen()) return false
    this.socket!.send(JSON.stringify(frame))
    return true
  }

  private open() {
    clearTimeout(this.retry)
    const socket = new WebSocket(this.address, this.protocols)
    this.socket = socket
    socket.onopen = () => {
      this.failures = 0
      this.beat = setInterval(() => this.keepAlive(), HEARTBEAT_MS)
      for (const topic of this.topics.values()) topic.join()
    }
    socket.onerror = () => this.handlers.failed()
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data) as Frame)
    socket.onclose = () => {
      if (socket !== this.socket) return
      this.drop()
      this.handlers.closed()
      if (!this.isClosed) this.retry = setTimeout(() => this.open(), waitMs(Math.min(this.failures++, 4)))
    }
  }

  /** Closes the socket and ignores its further events. */
  private drop() {
    const { socket } = this
    this.socket = undefined
    clearTimeout(this.retry)
    clearInterval(this.beat)
    this.awaited = undefined
    for (const topic of this.topics.values()) topic.fall()
    socket?.close()
  }

  /** Reconnects when the last heartbeat was not answered, although the browser still reports an open socket. */
  private keepAlive() {
    if (this.awaited) {
      this.handlers.closed()
      return this.reopen()
    }
    this.awaited = this.nextRef()
    this.send([null, this.awaited, 'phoenix', 'heartbeat', {}])
  }

  private receive([join_ref, ref, name, event, payload]: Frame) {
    if (ref !== null && ref === this.awaited) this.awaited = undefined
    else this.topics.get(name)?.receive(join_ref, ref, event, payload)
  }
}

/** One topic of a socket. */
export class Topic {
  readonly name: string
  private readonly socket: Socket
  private readonly params: Payload
  private readonly listeners: [event: string, listener: (payload: never) => void][] = []
  private answered: () => void = () => undefined
  private lost: () => void = () => undefined
  private join_ref: string | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private failures = 0
  isJoined = false
  /** Waits for the answer to a join. */
  isJoining = false

  constructor(socket: Socket, name: string, params: Payload) {
    this.socket = socket
    this.name = name
    this.params = params
  }

  on<Body>(event: string, listener: (payload: Body) => void): this {
    this.listeners.push([event, listener])
    return this
  }

  /** Runs after every join, also after a reconnection, and after every refused or unanswered one. */
  onAnswer(answered: () => void): this {
    this.answered = answered
    return this
  }

  /** The server has closed this topic only; it is rejoined automatically. */
  onLost(lost: () => void): this {
    this.lost = lost
    return this
  }

  /** Dropped while not connected. */
  push(event: string, payload: Payload) {
    if (this.isJoined) this.socket.send([this.join_ref!, this.socket.nextRef(), this.name, event, payload])
  }

  leave() {
    clearTimeout(this.timer)
    this.push('phx_leave', {})
    this.isJoined = false
    this.socket.removeTopic(this)
  }

  join() {
    clearTimeout(this.timer)
    this.join_ref = this.socket.nextRef()
    this.isJoining = this.socket.send([this.join_ref, this.join_ref, this.name, 'phx_join', this.params])
    if (this.isJoining) this.timer = setTimeout(() => this.receiveAnswer(false), JOIN_MS)
  }

  /** The connection was lost. */
  fall() {
    clearTimeout(this.timer)
    this.isJoined = false
    this.isJoining = false
  }

  receive(join_ref: string | null, ref: string | null, event: string, payload: Payload) {
    // Ignores replies and events of an earlier join.
    if (join_ref !== null && join_ref !== this.join_ref) return
    if (event === 'phx_reply' && ref === this.join_ref) return this.receiveAnswer(payload.status === 'ok')
    if (event === 'phx_error' || event === 'phx_close') {
      this.lost()
      return this.receiveAnswer(false)
    }
    for (const [subscribed, listener] of this.listeners) if (subscribed === event) listener(payload as never)
  }

  private receiveAnswer(isOk: boolean) {
    this.isJoining = false
    if (isOk) {
      clearTimeout(this.timer)
      this.failures = 0
      this.isJoined = true
    } else this.rejoin()
    this.answered()
  }

  private rejoin() {
    clearTimeout(this.timer)
    this.isJoined = false
    const wait = REJOIN_MS[Math.min(this.failures++, REJOIN_MS.length - 1)]
    this.timer = setTimeout(() => this.join(), wait)
  }
}
