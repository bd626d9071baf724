import type { ClientEvent } from '#contract/events.ts'
import type { Outcome } from '../request.ts'
import { type Backoff, waitMs } from './backoff.ts'
import { Socket, type Topic } from './socket.ts'

/** `resting`: nothing to be live about yet. */
export type Connection = 'resting' | 'connecting' | 'live' | 'catching up' | 'offline'

const RECEIVED: ClientEvent['event'][] = [
  'shout',
  'message:updated',
  'message:deleted',
  'messages:seen',
  'messages:read',
  'conversation:status',
  'conversation:created',
  'conversation:rated',
]

interface Listener {
  show: (connection: Connection) => void
  apply: (event: ClientEvent) => void
  typing: (user_id: number, typing: boolean) => void
  /** Asks for everything missed; repeated until it is done. */
  catchUp: () => Promise<Outcome>
}

export interface Target {
  token: string
  customer_id: string
  conversation_id: string | null
  /** The visitor's other open conversations, in which somebody may answer, too. */
  others: string[]
}

/** Keeps one socket open for as long as there is a session, and never gives up. */
export class Live {
  private readonly listener: Listener
  private readonly backoff: Backoff
  private channel: Topic | undefined
  /** Topics beside the conversation on screen, by name. */
  private readonly beside = new Map<string, Topic>()
  private target: Target | undefined
  /** Counts joins and cuts, so that an answer to an earlier one is recognised. */
  private turn = 0
  socket: Socket | undefined

  constructor(listener: Listener, backoff: Backoff) {
    this.listener = listener
    this.backoff = backoff
    // The browser knows of a lost network long before a heartbeat is missed.
    addEventListener('online', () => this.socket?.reopen())
    addEventListener('offline', () => this.fallBehind())
    document.addEventListener('visibilitychange', () => {
      if (document.hidden || !this.socket) return
      if (!this.socket.isOpen()) this.socket.reopen()
      else if (this.channel?.isJoined) void this.comeBack()
    })
  }

  /** Where to listen from now on; undefined closes the socket. */
  moveTo(next: Target | undefined) {
    const before = this.target
    this.target = next
    const isOther = before?.token !== next?.token || before?.customer_id !== next?.customer_id
    if (isOther) {
      this.turn++
      this.channel = undefined
      this.beside.clear()
      this.socket?.close()
      this.socket = next && this.open(next.token)
      this.listener.show(next ? 'connecting' : 'resting')
    }
    if (!next) return
    const wanted = listBeside(next)
    for (const [topic, channel] of this.beside) {
      if (wanted.includes(topic)) continue
      channel.leave()
      this.beside.delete(topic)
    }
    if (isOther || before?.conversation_id !== next.conversation_id) this.join(next)
    for (const topic of wanted) if (!this.beside.has(topic)) this.beside.set(topic, this.listen(topic, next))
  }

  /** Sends the server something about the conversation. Lost while not connected: none of it is worth keeping. */
  send(event: 'messages:seen' | 'typing', payload: object) {
    if (this.target?.conversation_id) this.channel?.push(event, { ...payload })
  }

  private open(token: string): Socket {
    return new Socket(
      { token },
      {
        closed: () => this.fallBehind(),
        // A socket that is refused looks like one that is lost; a call tells the difference.
        failed: () => {
          if (navigator.onLine) void this.listener.catchUp()
        },
      },
    )
  }

  private join(target: Target) {
    const { conversation_id } = target
    this.channel?.leave()
    this.channel = this.listen(conversation_id ? `conversation:${conversation_id}` : lobbyOf(target), target)
      .on('typing', ({ user_id, typing }: { user_id?: number; typing: boolean }) => {
        if (user_id) this.listener.typing(user_id, typing)
      })
      .onLost(() => this.fallBehind())
  }

  private listen(name: string, { customer_id }: Target): Topic {
    const topic = this.socket!.topic(name, { customer_id }).onJoin(() => void this.comeBack())
    for (const event of RECEIVED) {
      topic.on(event, (payload: unknown) => this.listener.apply({ event, payload } as ClientEvent))
    }
    return topic
  }

  private async comeBack() {
    const mine = ++this.turn
    this.listener.show('catching up')
    for (let failures = 0; mine === this.turn; failures++) {
      const { kind } = await this.listener.catchUp()
      if (mine !== this.turn || kind === 'signed out') return
      if (kind === 'done') return this.listener.show('live')
      await this.backoff.sleep(waitMs(failures))
    }
  }

  private fallBehind() {
    if (!this.target) return
    this.turn++
    this.listener.show('offline')
  }
}

function lobbyOf({ customer_id }: Target): string {
  return `conversation:lobby:${customer_id}`
}

/** The team may begin a conversation while another one is on screen. */
function listBeside(target: Target): string[] {
  const others = target.others.filter((id) => id !== target.conversation_id).map((id) => `conversation:${id}`)
  return target.conversation_id ? [lobbyOf(target), ...others] : others
}
