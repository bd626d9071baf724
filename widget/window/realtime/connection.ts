import type { VisitorEvent } from '#contract/visitor-events.ts'
import type { RequestOutcome } from '../request.ts'
import { type Backoff, waitMs } from './backoff.ts'
import { Socket, type Topic } from './socket.ts'

/** `resting`: there is no session yet, so no socket. */
export type Connection = 'resting' | 'connecting' | 'live' | 'catching up' | 'offline'

const RECEIVED: VisitorEvent['event'][] = [
  'shout',
  'message:updated',
  'message:deleted',
  'messages:seen',
  'messages:read',
  'conversation:status',
  'conversation:created',
  'conversation:changed',
  'conversation:rated',
]

interface Listener {
  show: (connection: Connection) => void
  apply: (event: VisitorEvent) => void
  typing: (user_id: number, typing: boolean) => void
  /** Fetches all missed events; repeated until it succeeds. */
  catchUp: () => Promise<RequestOutcome>
}

export interface Target {
  token: string
  customer_id: string
  conversation_id: string | null
  /** The visitor's other open conversations, which may also receive messages. */
  others: string[]
}

/** Keeps one socket open while there is a session, and reconnects without limit. */
export class Live {
  private readonly listener: Listener
  private readonly backoff: Backoff
  private channel: Topic | undefined
  /** Topics other than the conversation on screen, by name. */
  private readonly otherTopics = new Map<string, Topic>()
  private target: Target | undefined
  /** Grows with each join and disconnect, to recognize outdated answers. */
  private turn = 0
  /** A topic was joined, and what it missed was not asked for yet. */
  private isBehind = false
  socket: Socket | undefined

  constructor(listener: Listener, backoff: Backoff) {
    this.listener = listener
    this.backoff = backoff
    // The browser notices a lost network long before a heartbeat is missed.
    addEventListener('online', () => this.socket?.reopen())
    addEventListener('offline', () => this.fallBehind())
    document.addEventListener('visibilitychange', () => {
      if (document.hidden || !this.socket) return
      if (!this.socket.isOpen()) this.socket.reopen()
      else if (this.channel?.isJoined) void this.resume()
    })
  }

  /** What to listen to from now on; undefined closes the socket. */
  moveTo(next: Target | undefined) {
    const before = this.target
    this.target = next
    const isOther = before?.token !== next?.token || before?.customer_id !== next?.customer_id
    if (isOther) {
      this.turn++
      this.isBehind = false
      this.channel = undefined
      this.otherTopics.clear()
      this.socket?.close()
      this.socket = next && this.open(next.token)
      this.listener.show(next ? 'connecting' : 'resting')
    }
    if (!next) return
    const topics = listOtherTopics(next)
    for (const [topic, channel] of this.otherTopics) {
      if (topics.includes(topic)) continue
      channel.leave()
      this.otherTopics.delete(topic)
    }
    if (isOther || before?.conversation_id !== next.conversation_id) this.join(next)
    for (const topic of topics) if (!this.otherTopics.has(topic)) this.otherTopics.set(topic, this.listen(topic, next))
    this.resumeOnceJoined()
  }

  /** Sends an event about the conversation; dropped while not connected. */
  send(event: 'messages:seen' | 'typing', payload: object) {
    if (this.target?.conversation_id) this.channel?.push(event, { ...payload })
  }

  private open(token: string): Socket {
    return new Socket(
      { token },
      {
        closed: () => this.fallBehind(),
        // A refused socket looks like a lost one; an HTTP call shows which it is.
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
    const topic = this.socket!.topic(name, { customer_id })
    topic.onAnswer(() => {
      this.isBehind ||= topic.isJoined
      this.resumeOnceJoined()
    })
    for (const event of RECEIVED) {
      topic.on(event, (payload: unknown) => this.listener.apply({ event, payload } as VisitorEvent))
    }
    return topic
  }

  /** Asks once for all topics that are being joined. */
  private resumeOnceJoined() {
    const topics = [this.channel, ...this.otherTopics.values()]
    if (!this.isBehind || topics.some((topic) => topic?.isJoining)) return
    this.isBehind = false
    void this.resume()
  }

  private async resume() {
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
    this.isBehind = false
    this.listener.show('offline')
  }
}

function lobbyOf({ customer_id }: Target): string {
  return `conversation:lobby:${customer_id}`
}

/** The lobby as well as other conversations: the team may start one at any time. */
function listOtherTopics(target: Target): string[] {
  const others = target.others.filter((id) => id !== target.conversation_id).map((id) => `conversation:${id}`)
  return target.conversation_id ? [lobbyOf(target), ...others] : others
}
