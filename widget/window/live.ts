import { type Channel, Socket } from 'phoenix'
import type { HeardEvent } from '#contract/events.ts'
import { type Patience, waitMs } from './patience.ts'
import type { Outcome } from './request.ts'

/** `resting`: nothing to be live about yet. */
export type Connection = 'resting' | 'connecting' | 'live' | 'catching up' | 'offline'

const HEARD: HeardEvent['event'][] = [
  'shout',
  'messages:seen',
  'messages:read',
  'conversation:status',
  'conversation:created',
]
const RECONNECT_MS = [200, 500, 1000, 2000, 4000]
const SLOWEST_MS = 8000

interface Listener {
  show: (connection: Connection) => void
  hear: (event: HeardEvent) => void
  typing: (user_id: number, typing: boolean) => void
  /** Asks for everything missed; repeated until it is done. */
  catchUp: () => Promise<Outcome>
}

export interface Spot {
  token: string
  customer_id: string
  conversation_id: string | null
}

/** Keeps one socket open for as long as there is a session, and never gives up. */
export class Live {
  private readonly listener: Listener
  private readonly patience: Patience
  private channel: Channel | undefined
  private spot: Spot | undefined
  /** Counts joins and cuts, so that an answer to an earlier one is recognised. */
  private turn = 0
  socket: Socket | undefined

  constructor(listener: Listener, patience: Patience) {
    this.listener = listener
    this.patience = patience
    // The browser knows of a lost network long before a heartbeat is missed.
    addEventListener('online', () => this.reconnect())
    addEventListener('offline', () => this.fallBehind())
    document.addEventListener('visibilitychange', () => {
      if (document.hidden || !this.socket) return
      if (!this.socket.isConnected()) this.reconnect()
      else if (this.channel?.state === 'joined') void this.comeBack()
    })
  }

  /** Where to listen from now on; undefined closes the socket. */
  moveTo(next: Spot | undefined) {
    const before = this.spot
    this.spot = next
    const isOther = before?.token !== next?.token
    if (isOther) {
      this.turn++
      this.channel = undefined
      this.socket?.disconnect()
      this.socket = next && this.open(next.token)
      this.listener.show(next ? 'connecting' : 'resting')
    }
    if (next && (isOther || before?.conversation_id !== next.conversation_id)) this.join(next)
  }

  /** Tells the server something about the conversation. Lost when there is no line: none of it is worth keeping. */
  tell(event: 'messages:seen' | 'typing', payload: object) {
    if (this.channel?.state === 'joined' && this.spot?.conversation_id) this.channel.push(event, payload)
  }

  private open(token: string): Socket {
    const opened = new Socket('/socket', {
      params: { visitor_token: token },
      reconnectAfterMs: (tries: number) => (RECONNECT_MS[tries - 1] ?? SLOWEST_MS) * (0.8 + 0.4 * Math.random()),
    })
    opened.onClose(() => this.fallBehind())
    // A socket that is refused looks like one that is lost; a call tells the difference.
    opened.onError(() => {
      if (navigator.onLine) void this.listener.catchUp()
    })
    opened.connect()
    return opened
  }

  private join({ conversation_id, customer_id }: Spot) {
    this.channel?.leave()
    const topic = conversation_id ? `conversation:${conversation_id}` : `conversation:lobby:${customer_id}`
    const joined = this.socket!.channel(topic, { customer_id })
    for (const event of HEARD) {
      joined.on(event, (payload: unknown) => this.listener.hear({ event, payload } as HeardEvent))
    }
    joined.on('typing', ({ user_id, typing }) => user_id && this.listener.typing(user_id, typing))
    joined.onError(() => this.fallBehind())
    // The callback stays with the join and runs again after every reconnection.
    joined.join().receive('ok', () => this.comeBack())
    this.channel = joined
  }

  private async comeBack() {
    const mine = ++this.turn
    this.listener.show('catching up')
    for (let failures = 0; mine === this.turn; failures++) {
      const { kind } = await this.listener.catchUp()
      if (mine !== this.turn || kind === 'signed out') return
      if (kind === 'done') return this.listener.show('live')
      await this.patience.sleep(waitMs(failures))
    }
  }

  private fallBehind() {
    if (!this.spot) return
    this.turn++
    this.listener.show('offline')
  }

  /** Does not wait for the client's own next attempt. */
  private reconnect() {
    this.socket?.disconnect(() => this.socket?.connect())
  }
}
