import type { ClientEvent } from '#contract/events.ts'
import type { Message } from '#contract/messages.ts'
import { createWardrobe, FRESH_MS } from './appearance/appearance.ts'
import type { Address } from './appearance/settings.ts'
import { listEvents, performStep, rate, revokeSession } from './calls.ts'
import { createFiles } from './outbox/files.ts'
import type { Kept, Step } from './outbox/outbox.ts'
import { createSender } from './outbox/sender.ts'
import { createWriting } from './outbox/writing.ts'
import { createAttention } from './parent/attention.ts'
import { createParent } from './parent/parent.ts'
import { createOrders } from './parent/parent-commands.ts'
import { createPageNews } from './parent/parent-events.ts'
import { createHearing } from './realtime/apply-events.ts'
import { createPatience } from './realtime/backoff.ts'
import { createCatchUp } from './realtime/catch-up.ts'
import { Live, type Spot } from './realtime/connection.ts'
import { watchAgents } from './realtime/presence.ts'
import { createTypingSign, createTypingTeller } from './realtime/typing.ts'
import type { Outcome } from './request.ts'
import { createIdentity } from './session/identity.ts'
import { createSighting } from './session/report-visit.ts'
import { createVisitor } from './session/visitor.ts'
import { createSound } from './sound.ts'
import { FIRST_STATE } from './state.ts'
import { createStorage, type Storage } from './storage.ts'
import { createStore } from './store.ts'
import { createConversations } from './thread/conversations.ts'
import { EMPTY_THREAD } from './thread/thread.ts'

/** A page whose server is slow to answer is told all the same that the window is there. */
const START_MS = 3000

/** The chat of one visitor in one inbox: what is known, and all that can be done with it. */
export class Chat {
  readonly store = createStore(FIRST_STATE)
  readonly files
  readonly conversations
  readonly writing
  readonly parent
  private readonly address: Address
  private readonly storage
  private readonly visitor
  private readonly wardrobe
  private readonly catchUp
  private readonly live
  private readonly wakeSender
  private readonly identity
  /** The page may take the frame away as soon as it is told that there is a window. */
  private readonly left: Promise<void> | undefined
  private readonly noteSighting
  private readonly agents
  private readonly tellPage
  private readonly lookAround
  private readonly showTyping
  private readonly apply
  private readonly obey
  private readonly patience = createPatience()

  constructor(address: Address) {
    const { store, patience } = this
    this.address = address
    this.storage = createStorage(address)
    if (address.isFresh) this.left = leaveNothing(this.storage)
    const { session, conversation } = this.storage.read()
    store.update({ isOnline: navigator.onLine, isOpen: !address.isToggled, isLoading: !!conversation?.opened })
    this.parent = createParent(address.ts)
    this.wardrobe = createWardrobe(store, address)
    this.visitor = createVisitor(store, this.storage, address, () => this.follow())
    const { storage, visitor } = this
    this.files = createFiles({
      store,
      storage,
      place: address,
      sendVoice: (file, seconds) => this.writing.post('', { files: [file], metadata: { voice_seconds: seconds } }),
    })
    this.conversations = createConversations({
      store,
      storage,
      place: address,
      patience,
      call: visitor.call,
      follow: () => this.follow(),
    })
    this.catchUp = createCatchUp({
      ask: (after) => visitor.call((token) => listEvents(token, after)),
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
      storage,
      patience,
      perform: (step) => performStep(step, address, visitor.claims(), this.identity),
      settled: (step, outcome) => this.settle(step, outcome),
      waiting: (waitUntil) => store.update({ waitUntil }),
    })
    this.noteSighting = createSighting(address, visitor.claims)
    this.identity = createIdentity({
      storage,
      parent: this.parent,
      place: address,
      call: visitor.call,
      follow: () => this.follow(),
      wakeSender: () => this.wakeSender(),
    })
    this.agents = watchAgents(address, (agentsOnline) => store.update({ agentsOnline }))
    this.tellPage = createPageNews(this.parent, !!session?.opened)
    this.lookAround = createAttention(store, this.parent, () => this.live.tell('messages:seen', {}))
    this.showTyping = createTypingSign(store)
    this.apply = createHearing({
      store,
      parent: this.parent,
      ring: createSound(),
      showTyping: this.showTyping,
      load: () => void this.load(),
      list: () => void this.conversations.list().then(() => this.follow()),
      hasConversation: () => !!storage.read().conversation,
    })
    this.obey = createOrders({
      store,
      parent: this.parent,
      wardrobe: this.wardrobe,
      visitor,
      identity: this.identity,
      toggled: () => {
        this.freshen()
        this.follow()
        this.lookAround()
      },
      noteSighting: (isOpen) => this.noteSighting(isOpen),
      follow: () => this.follow(),
    })
    this.writing = createWriting({
      store,
      storage,
      files: this.files,
      visitor,
      tellTyping: createTypingTeller((typing) => this.live.tell('typing', { typing })),
      follow: () => this.follow(),
    })
  }

  /** Starts with what is kept, and tells the page around us when the first screen is there. */
  async start() {
    this.parent.hear(this.obey)
    this.storage.onChange(() => this.follow())
    document.addEventListener('visibilitychange', () => this.lookAround())
    const noteNetwork = () => this.store.update({ isOnline: navigator.onLine })
    for (const event of ['online', 'offline']) addEventListener(event, noteNetwork)
    setInterval(() => this.freshen(), FRESH_MS)
    this.follow()
    void this.files.restore()
    const dressed = this.address.saved ? undefined : this.wardrobe.fetchSaved().then(() => this.follow())
    const loaded = this.storage.read().session?.opened ? this.catchUp.run() : undefined
    await Promise.race([Promise.all([dressed, loaded, this.left]), this.patience.sleep(START_MS)])
    this.parent.tell('chat:loaded', {})
  }

  /** Says what the visitor thinks of the conversation on screen. True when it is stored. */
  async rate(score: number, comment?: string): Promise<boolean> {
    const id = this.store.get().thread.conversation_id
    if (!id) return false
    const outcome = await this.visitor.call((token) => rate(token, id, { score, comment }))
    if (outcome.kind === 'done') this.hear([{ event: 'conversation:rated', payload: outcome.answer.data }])
    return outcome.kind === 'done'
  }

  /** Shows the conversation, or the list of them all. */
  turnTo(place: 'thread' | 'list') {
    this.store.update({ place })
    if (place === 'list') void this.conversations.list()
    this.lookAround()
  }

  /** The visitor has no time for the card now. What was missed stays missed. */
  putCardAway() {
    this.store.update({ card: null })
    this.parent.tell('messages:seen', {})
  }

  close() {
    this.parent.tell('papercups:close', {})
  }

  private async load(): Promise<Outcome> {
    const outcome = await this.conversations.load()
    if (outcome.kind !== 'done') return outcome
    this.store.update({ isLoading: false })
    this.follow()
    this.lookAround()
    return outcome
  }

  /** What is saved may have changed since the page was loaded, and shops close. */
  private freshen() {
    if (!this.store.get().isOpen || document.hidden || !this.wardrobe.isStale()) return
    void this.wardrobe.fetchSaved().then(() => this.follow())
  }

  /** Brings everything in line with what is kept: the thread, the line, the page around us, the sender. */
  private follow() {
    const kept = this.storage.read()
    const isIn = !!kept.session?.opened
    const id = kept.conversation?.opened ? kept.conversation.id : null
    const { thread, look, conversations, isOpen } = this.store.get()
    if (thread.conversation_id !== id) this.store.update({ thread: { ...EMPTY_THREAD, conversation_id: id } })
    this.store.update({ outbox: kept.outbox, ...(kept.conversation && { startsNew: false }) })
    if (!kept.session) {
      this.catchUp.forget()
      if (conversations.length > 0) this.store.update({ conversations: [], isLoading: false })
    }
    const isSending = kept.outbox.some(({ refused }) => !refused)
    const others = conversations.filter(({ status }) => status === 'open').map((one) => one.id)
    // A visitor's first words are about to open a conversation: there is nothing to hear until they have.
    if (!isIn || id || !isSending) this.live.moveTo(findSpot(kept, id, others))
    const isPresenceShown = !!look.showAgentAvailability || (!!look.awayMessage && !!look.isOutsideWorkingHours)
    this.agents.watch(isPresenceShown && (isOpen || !!this.live.line), this.live.line)
    this.tellPage(kept)
    if (isSending) this.wakeSender()
  }

  private hear(events: ClientEvent[]) {
    this.apply(events)
    this.lookAround()
  }

  private settle(step: Step, outcome: Outcome) {
    if (step.kind === 'post message' && outcome.kind === 'done') {
      const message = (outcome.answer as { data: Message }).data
      this.hear([{ event: 'shout', payload: message }])
      this.parent.tell('message:sent', message)
    }
    this.follow()
  }
}

function findSpot({ session }: Kept, conversation_id: string | null, others: string[]): Spot | undefined {
  if (!session?.opened) return undefined
  return { token: session.token, customer_id: session.customer_id, conversation_id, others }
}

/** Whoever was here has gone: nothing of them stays in this browser, and what it held opens nothing any more. */
async function leaveNothing(storage: Storage) {
  const { session } = storage.read()
  storage.wipe()
  if (session?.opened) await revokeSession(session.token)
}
