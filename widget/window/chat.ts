import type { HeardEvent } from '#contract/events.ts'
import type { Message } from '#contract/messages.ts'
import { fieldsOf } from '../protocol.ts'
import { createAttention } from './attention.ts'
import { type Claims, listConversations, listEvents, listMessages, performStep, updateCustomer } from './calls.ts'
import { createCatchUp } from './catch-up.ts'
import { readClaims } from './claims.ts'
import { Live, type Spot } from './live.ts'
import { type Address, readLook } from './look.ts'
import { newId } from './new-id.ts'
import { addUnsent, adoptConversation, endSession, type Kept, retryUnsent, type Step } from './outbox.ts'
import { createPageNews } from './page-news.ts'
import { createParent, readToggle } from './parent.ts'
import { createPatience } from './patience.ts'
import { watchAgents } from './presence.ts'
import type { Outcome } from './request.ts'
import { createSender } from './sender.ts'
import { FIRST_STATE } from './state.ts'
import { createStorage } from './storage.ts'
import { createStore } from './store.ts'
import { applyEvent, EMPTY_THREAD, loadThread, mergeMessages } from './thread.ts'
import { createTypingSign, createTypingTeller } from './typing.ts'
import { createWardrobe } from './wardrobe.ts'

/** As many messages as the server sends along with a conversation. */
const PAGE_SIZE = 50
/** A page whose server is slow to answer is told all the same that the window is there. */
const START_MS = 3000

/** The chat of one visitor in one inbox: what is known, and all that can be done with it. */
export class Chat {
  readonly store = createStore(FIRST_STATE)
  private readonly address: Address
  private readonly storage
  private readonly parent
  private readonly wardrobe
  private readonly catchUp
  private readonly live
  private readonly wakeSender
  private readonly agents
  private readonly tellPage
  private readonly lookAround
  private readonly showTyping
  private readonly tellTyping
  private readonly patience = createPatience()
  private claims: Claims

  constructor(address: Address) {
    const { store, patience } = this
    this.address = address
    this.claims = readClaims(address.metadata)
    this.storage = createStorage(address)
    const { session, conversation } = this.storage.read()
    store.update({ isOnline: navigator.onLine, isOpen: !address.isToggled, isLoading: !!conversation?.opened })
    this.parent = createParent(address.ts)
    this.wardrobe = createWardrobe(store, address.look, address)
    this.catchUp = createCatchUp({
      ask: (after) => this.callAsVisitor((token) => listEvents(token, after)),
      hear: (events) => this.hear(events),
      reload: () => this.load(),
    })
    this.live = new Live(
      {
        show: (connection) => {
          store.update({ connection })
          if (connection === 'live') this.lookAround()
        },
        hear: (event) => this.hear([event]),
        typing: (_user_id, isTyping) => this.showTyping(isTyping),
        catchUp: () => this.catchUp.run(),
      },
      patience,
    )
    this.wakeSender = createSender({
      storage: this.storage,
      patience,
      perform: (step) => performStep(step, address, this.claims),
      settled: (step, outcome) => this.settle(step, outcome),
      waiting: (waitUntil) => store.update({ waitUntil }),
    })
    this.agents = watchAgents(address.account_id, (agentsOnline) => store.update({ agentsOnline }))
    this.tellPage = createPageNews(this.parent, !!session?.opened)
    this.lookAround = createAttention(store, this.parent, () => this.live.tell('messages:seen', {}))
    this.showTyping = createTypingSign(store)
    this.tellTyping = createTypingTeller((typing) => this.live.tell('typing', { typing }))
  }

  /** Starts with what is kept, and tells the page around us when the first screen is there. */
  async start() {
    this.parent.hear((event, payload) => this.obey(event, payload))
    this.storage.onChange(() => this.follow())
    document.addEventListener('visibilitychange', this.lookAround)
    const noteNetwork = () => this.store.update({ isOnline: navigator.onLine })
    for (const event of ['online', 'offline']) addEventListener(event, noteNetwork)
    this.follow()
    const dressed = this.address.isSettled ? undefined : this.wardrobe.fetchSaved().then(() => this.follow())
    const loaded = this.storage.read().session?.opened ? this.catchUp.run() : undefined
    await Promise.race([Promise.all([dressed, loaded]), this.patience.sleep(START_MS)])
    this.parent.tell('chat:loaded', {})
  }

  /** Shows a text at once and sends it as soon as that is possible. Blank text is dropped. */
  send(text: string) {
    const body = text.trim()
    if (!body) return
    const message = { id: newId(), body, sent_at: new Date().toISOString() }
    this.storage.write(addUnsent(this.storage.read(), message))
    this.keepDraft('')
    this.follow()
  }

  /** Sends a refused message again. */
  retry(id: string) {
    this.storage.write(retryUnsent(this.storage.read(), id))
    this.follow()
  }

  readDraft(): string {
    return this.storage.readDraft()
  }

  /** Keeps what is being written. */
  keepDraft(text: string) {
    this.storage.writeDraft(text)
    this.tellTyping(text)
  }

  /** Adds the page of messages before the oldest one on screen. */
  async loadOlder(): Promise<void> {
    const { conversation_id, messages, hasOlder } = this.store.get().thread
    const before = messages[0]?.number
    if (!conversation_id || !hasOlder || before === undefined) return
    const outcome = await this.callAsVisitor((token) => listMessages(token, conversation_id, before))
    const { thread } = this.store.get()
    if (outcome.kind !== 'done' || thread.conversation_id !== conversation_id) return
    const { data, next } = outcome.answer
    this.store.update({
      thread: { ...thread, messages: mergeMessages(thread.messages, data), hasOlder: next !== null },
    })
  }

  close() {
    this.parent.tell('papercups:close', {})
  }

  /** Calls with the visitor's secret, and forgets it when the server no longer knows it. */
  private async callAsVisitor<Answer>(
    call: (token: string, customer_id: string) => Promise<Outcome<Answer>>,
  ): Promise<Outcome<Answer>> {
    const { session } = this.storage.read()
    if (!session?.opened) return { kind: 'later' }
    const outcome = await call(session.token, session.customer_id)
    const kept = this.storage.read()
    if (outcome.kind === 'signed out' && kept.session?.token === session.token) {
      this.storage.write(endSession(kept))
      this.follow()
    }
    return outcome
  }

  private async load(): Promise<Outcome> {
    const outcome = await this.callAsVisitor((token, customer_id) =>
      listConversations(this.address, token, customer_id),
    )
    if (outcome.kind !== 'done') return outcome
    const found = outcome.answer.data[0]
    const { thread } = this.store.get()
    // One that was closed before our eyes stays on screen, and goes on when the visitor writes again.
    if (found || thread.messages.length === 0) {
      this.storage.write(adoptConversation(this.storage.read(), found?.id ?? null))
    }
    if (found) {
      const { id: conversation_id, status, messages } = found
      this.store.update({ thread: loadThread(thread, { conversation_id, status, messages }, PAGE_SIZE) })
    }
    this.store.update({ isLoading: false })
    this.follow()
    this.lookAround()
    return outcome
  }

  /** Brings everything in line with what is kept: the thread, the line, the page around us, the sender. */
  private follow() {
    const kept = this.storage.read()
    const isIn = !!kept.session?.opened
    const id = kept.conversation?.opened ? kept.conversation.id : null
    const { thread, look } = this.store.get()
    if (thread.conversation_id !== id) this.store.update({ thread: { ...EMPTY_THREAD, conversation_id: id } })
    this.store.update({ outbox: kept.outbox })
    if (!kept.session) this.catchUp.forget()
    const isSending = kept.outbox.some(({ refused }) => !refused)
    // A visitor's first words are about to open a conversation: there is nothing to hear until they have.
    if (!isIn || id || !isSending) this.live.moveTo(findSpot(kept, id))
    this.agents.watch(isIn && look.showAgentAvailability ? this.live.socket : undefined)
    this.tellPage(kept)
    if (isSending) this.wakeSender()
  }

  private settle(step: Step, outcome: Outcome) {
    if (step.kind === 'post message' && outcome.kind === 'done') {
      const message = (outcome.answer as { data: Message }).data
      this.hear([{ event: 'shout', payload: message }])
      this.parent.tell('message:sent', message)
    }
    this.follow()
  }

  private hear(events: HeardEvent[]) {
    const before = this.store.get().thread
    const thread = events.reduce(applyEvent, before)
    if (thread !== before) this.store.update({ thread })
    const known = new Set(before.messages.map(({ id }) => id))
    for (const message of thread.messages) {
      if (message.user_id === null || known.has(message.id)) continue
      this.showTyping(false)
      this.parent.tell('message:received', message)
    }
    // The server names the conversation; what is in it, and whether it is this inbox's, is for loading to say.
    const isCreated = events.some(({ event }) => event === 'conversation:created')
    if (isCreated && !this.storage.read().conversation) void this.load()
    this.lookAround()
  }

  private obey(event: string, payload: unknown) {
    if (event === 'papercups:toggle') {
      const { isOpen, byPerson } = readToggle(payload)
      this.store.update({ isOpen, openings: this.store.get().openings + (isOpen && byPerson ? 1 : 0) })
      this.lookAround()
    } else if (event === 'config:update') {
      this.wardrobe.wish(readLook(fieldsOf(payload)))
      this.follow()
    } else if (event === 'customer:update') {
      this.claims = { ...this.claims, ...readClaims(fieldsOf(fieldsOf(payload).metadata)) }
      void this.callAsVisitor((token, customer_id) => updateCustomer(token, customer_id, this.claims))
    }
  }
}

function findSpot({ session }: Kept, conversation_id: string | null): Spot | undefined {
  return session?.opened ? { token: session.token, customer_id: session.customer_id, conversation_id } : undefined
}
