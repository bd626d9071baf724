import type { ClientEvent } from '#contract/events.ts'
import type { Outcome } from '../request.ts'
import { type Patience, waitMs } from './backoff.ts'
import { Line, type Topic } from './socket.ts'

/** `resting`: nothing to be live about yet. */
export type Connection = 'resting' | 'connecting' | 'live' | 'catching up' | 'offline'

const HEARD: ClientEvent['event'][] = [
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
  hear: (event: ClientEvent) => void
  typing: (user_id: number, typing: boolean) => void
  /** Asks for everything missed; repeated until it is done. */
  catchUp: () => Promise<Outcome>
}

export interface Spot {
  token: string
  customer_id: string
  conversation_id: string | null
  /** The visitor's other open conversations, in which somebody may answer, too. */
  others: string[]
}

/** Keeps one socket open for as long as there is a session, and never gives up. */
export class Live {
  private readonly listener: Listener
  private readonly patience: Patience
  private channel: Topic | undefined
  /** What is heard beside the conversation on screen, by topic. */
  private readonly beside = new Map<string, Topic>()
  private spot: Spot | undefined
  /** Counts joins and cuts, so that an answer to an earlier one is recognised. */
  private turn = 0
  line: Line | undefined

  constructor(listener: Listener, patience: Patience) {
    this.listener = listener
    this.patience = patience
    // The browser knows of a lost network long before a heartbeat is missed.
    addEventListener('online', () => this.line?.reopen())
    addEventListener('offline', () => this.fallBehind())
    document.addEventListener('visibilitychange', () => {
      if (document.hidden || !this.line) return
      if (!this.line.isOpen()) this.line.reopen()
      else if (this.channel?.isJoined) void this.comeBack()
    })
  }

  /** Where to listen from now on; undefined closes the socket. */
  moveTo(next: Spot | undefined) {
    const before = this.spot
    this.spot = next
    const isOther = before?.token !== next?.token || before?.customer_id !== next?.customer_id
    if (isOther) {
      this.turn++
      this.channel = undefined
      this.beside.clear()
      this.line?.close()
      this.line = next && this.open(next.token)
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

  /** Tells the server something about the conversation. Lost when there is no line: none of it is worth keeping. */
  tell(event: 'messages:seen' | 'typing', payload: object) {
    if (this.spot?.conversation_id) this.channel?.push(event, { ...payload })
  }

  private open(token: string): Line {
    return new Line(
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

  private join(spot: Spot) {
    const { conversation_id } = spot
    this.channel?.leave()
    this.channel = this.listen(conversation_id ? `conversation:${conversation_id}` : lobbyOf(spot), spot)
      .on('typing', ({ user_id, typing }: { user_id?: number; typing: boolean }) => {
        if (user_id) this.listener.typing(user_id, typing)
      })
      .onLost(() => this.fallBehind())
  }

  private listen(name: string, { customer_id }: Spot): Topic {
    const topic = this.line!.topic(name, { customer_id }).onJoin(() => void this.comeBack())
    for (const event of HEARD) {
      topic.on(event, (payload: unknown) => this.listener.hear({ event, payload } as ClientEvent))
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
      await this.patience.sleep(waitMs(failures))
    }
  }

  private fallBehind() {
    if (!this.spot) return
    this.turn++
    this.listener.show('offline')
  }
}

function lobbyOf({ customer_id }: Spot): string {
  return `conversation:lobby:${customer_id}`
}

/** The team may begin a conversation while another one is on screen. */
function listBeside(spot: Spot): string[] {
  const others = spot.others.filter((id) => id !== spot.conversation_id).map((id) => `conversation:${id}`)
  return spot.conversation_id ? [lobbyOf(spot), ...others] : others
}
