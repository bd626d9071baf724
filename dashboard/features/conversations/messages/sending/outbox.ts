import type { Message } from '#contract/conversations/messages.ts'
import type { ScheduledMessage } from '#contract/conversations/scheduled-messages.ts'
import { sendErrorText } from '../../../../platform/http/errors.ts'
import { ApiError, isTemporary } from '../../../../platform/http/request.ts'
import { listKeys } from '../../../../platform/storage.ts'
import type { MentionedUser } from '../composer/mentions.ts'
import type { AttachedFile, Draft } from '../drafts/drafts.ts'
import type { SendPlan } from '../scheduled/plan.ts'

const PREFIX = 'parley.unsent:'
const FIRST_RETRY_MS = 2_000
const LAST_RETRY_MS = 30_000
const NONE: readonly Outgoing[] = []

/** A message that the server has not acknowledged. */
export interface Outgoing {
  /** Also the id of the stored message, so that a retry creates no duplicate. */
  id: string
  conversation_id: string
  user_id: number
  body: string
  files?: readonly AttachedFile[] | undefined
  mentions?: readonly MentionedUser[] | undefined
  type: 'reply' | 'note'
  sent_at: string
  /** Number of the newest message that the author had seen; null skips the check for newer ones. */
  last_seen_number: number | null
  /** Email fields, if it is sent as an email. */
  mail?: Draft['mail']
  /** Its author was asked, because the customer may have asked for no more messages. */
  send_anyway?: boolean | undefined
  /** What the author wrote, if the text is a translation of it. */
  original?: string | undefined
  /** If it is not simply sent at once. */
  plan?: SendPlan | undefined
  state: 'sending' | 'failed'
  error?: string
  /** It failed without a connection and is sent automatically once there is one. */
  waiting?: boolean
}

export interface OutboxDependencies {
  /** Returns what the server has stored: a message, or one that it sends later. */
  post(outgoing: Outgoing): Promise<Message | ScheduledMessage>
  sent(stored: Message | ScheduledMessage, outgoing: Outgoing): void
  /** Refused because the customer wrote meanwhile; `missed` are the messages that the author has not seen. */
  outdated(outgoing: Outgoing, missed: Message[]): void
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
  /** Calls `run` after `ms`. */
  later(run: () => void, ms: number): void
}

/**
 * Keeps each message until the server has stored it. Unsent messages survive reloads and network loss; those of one
 * conversation are sent in order, one after another.
 */
export class Outbox {
  readonly #dependencies: OutboxDependencies
  readonly #unsent = new Map<string, Outgoing>()
  readonly #byConversation = new Map<string, readonly Outgoing[]>()
  readonly #chains = new Map<string, Promise<void>>()
  readonly #listeners = new Set<() => void>()
  #failures = 0
  #isRetryDue = false
  #isClosed = false

  constructor(dependencies: OutboxDependencies) {
    this.#dependencies = dependencies
  }

  /** The unsent messages of one conversation, oldest first. The same array while nothing changes. */
  of(conversation_id: string): readonly Outgoing[] {
    return this.#byConversation.get(conversation_id) ?? NONE
  }

  /** How many messages the server has not acknowledged. */
  get size(): number {
    return this.#unsent.size
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Adds a message and sends it after the ones before it. */
  send(outgoing: Outgoing) {
    this.#store({ ...outgoing, state: 'sending', error: undefined, waiting: false })
    const before = this.#chains.get(outgoing.conversation_id) ?? Promise.resolve()
    this.#chains.set(
      outgoing.conversation_id,
      before.then(() => this.#deliver(outgoing.id)),
    )
  }

  retry(id: string) {
    const outgoing = this.#unsent.get(id)
    if (outgoing?.state === 'failed') this.send(outgoing)
  }

  /** Removes a failed message and returns it. */
  withdraw(id: string): Outgoing | undefined {
    const outgoing = this.#unsent.get(id)
    if (outgoing?.state !== 'failed') return undefined
    this.#drop(outgoing)
    return outgoing
  }

  /** Sends waiting messages when there is a connection again. */
  resume() {
    const waiting = [...this.#unsent.values()].filter((outgoing) => outgoing.waiting)
    for (const outgoing of waiting.sort(compareSending)) this.send(outgoing)
  }

  /** Restores this user's unsent messages from before a reload. */
  restore(user_id: number) {
    const { storage } = this.#dependencies
    const stored = listKeys(storage, PREFIX).flatMap((key) => parseOutgoing(storage.getItem(key)))
    for (const outgoing of stored.filter((each) => each.user_id === user_id).sort(compareSending)) {
      this.#unsent.set(outgoing.id, whenRestored(outgoing))
    }
    for (const { conversation_id } of this.#unsent.values()) this.#notifyListeners(conversation_id)
  }

  /**
   * Stops when the user signs out. Unsent messages stay stored for later; responses to running requests are ignored.
   */
  close() {
    this.#isClosed = true
  }

  async #deliver(id: string) {
    const outgoing = this.#unsent.get(id)
    if (outgoing?.state !== 'sending' || this.#isClosed) return
    const before = this.#waitingBefore(outgoing)
    if (before) return this.#store({ ...outgoing, state: 'failed', error: before.error, waiting: true })
    try {
      const stored = await this.#dependencies.post(outgoing)
      this.#failures = 0
      if (!this.#isClosed) this.#dependencies.sent(stored, outgoing)
      this.#drop(outgoing)
    } catch (error) {
      if (!this.#isClosed) this.#fail(outgoing, error)
    }
  }

  #waitingBefore({ id, conversation_id }: Outgoing): Outgoing | undefined {
    const mine = this.of(conversation_id)
    return mine
      .slice(
        0,
        mine.findIndex((other) => other.id === id),
      )
      .find((other) => other.waiting)
  }

  #fail(outgoing: Outgoing, error: unknown) {
    if (error instanceof ApiError && error.status === 409 && error.reason === 'outdated_view') {
      this.#drop(outgoing)
      this.#dependencies.outdated(outgoing, missedIn(error.body))
      return
    }
    this.#store({ ...outgoing, state: 'failed', error: sendErrorText(error), waiting: isTemporary(error) })
    if (isTemporary(error)) this.#retryLater()
  }

  /** A response may be lost while the connection stays open, so waiting messages are also retried by timer. */
  #retryLater() {
    if (this.#isRetryDue) return
    this.#isRetryDue = true
    const retry = () => {
      this.#isRetryDue = false
      this.resume()
    }
    this.#dependencies.later(retry, Math.min(FIRST_RETRY_MS * 2 ** this.#failures++, LAST_RETRY_MS))
  }

  #store(outgoing: Outgoing) {
    this.#unsent.set(outgoing.id, outgoing)
    this.#dependencies.storage.setItem(PREFIX + outgoing.id, JSON.stringify(outgoing))
    this.#notifyListeners(outgoing.conversation_id)
  }

  #drop(outgoing: Outgoing) {
    this.#unsent.delete(outgoing.id)
    this.#dependencies.storage.removeItem(PREFIX + outgoing.id)
    this.#notifyListeners(outgoing.conversation_id)
  }

  #notifyListeners(conversation_id: string) {
    const mine = [...this.#unsent.values()].filter((outgoing) => outgoing.conversation_id === conversation_id)
    this.#byConversation.set(conversation_id, mine)
    for (const listener of this.#listeners) listener()
  }
}

/** After a reload during sending it is unknown whether the message arrived; sending it again is safe. */
function whenRestored(outgoing: Outgoing): Outgoing {
  return outgoing.state === 'sending' ? { ...outgoing, state: 'failed', waiting: true } : outgoing
}

function compareSending(a: Outgoing, b: Outgoing): number {
  return a.sent_at < b.sent_at ? -1 : a.sent_at > b.sent_at ? 1 : 0
}

function missedIn(body: unknown): Message[] {
  const { data } = body as { data?: { messages?: Message[] } }
  return data?.messages ?? []
}

/** One stored message, or none if it cannot be parsed. */
function parseOutgoing(text: string | null): Outgoing[] {
  try {
    const outgoing: Outgoing = JSON.parse(text ?? '')
    return typeof outgoing.id === 'string' && typeof outgoing.body === 'string' ? [outgoing] : []
  } catch {
    return []
  }
}
