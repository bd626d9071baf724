import { DEMO_ACCOUNT } from '#contract/demo-account.ts'
import type { ClientEvent } from '#contract/events.ts'
import type { Message } from '#contract/messages.ts'
import { createAppearance, FRESH_MS } from './appearance/appearance.ts'
import type { Address } from './appearance/settings.ts'
import { getTeam, listEvents, performStep, rate, revokeSession } from './calls.ts'
import { createFiles } from './outbox/files.ts'
import type { Kept, Step } from './outbox/outbox.ts'
import { createSender } from './outbox/sender.ts'
import { createWriting } from './outbox/writing.ts'
import { createAttention } from './parent/attention.ts'
import { createParent } from './parent/parent.ts'
import { createParentCommands } from './parent/parent-commands.ts'
import { createParentEvents } from './parent/parent-events.ts'
import { createEventHandler } from './realtime/apply-events.ts'
import { createBackoff } from './realtime/backoff.ts'
import { createCatchUp } from './realtime/catch-up.ts'
import { Live, type Target } from './realtime/connection.ts'
import { watchAgents } from './realtime/presence.ts'
import { createTypingSign, createTypingTeller } from './realtime/typing.ts'
import type { Outcome } from './request.ts'
import { createIdentity } from './session/identity.ts'
import { createVisitReport } from './session/report-visit.ts'
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
  private readonly appearance
  private readonly catchUp
  private readonly live
  private readonly wakeSender
  private readonly identity
  /** The page may take the frame away as soon as it is told that there is a window. */
  private readonly left: Promise<void> | undefined
  private readonly reportVisit
  private readonly agents
  private readonly reportToParent
  private readonly lookAround
  private readonly showTyping
  private readonly applyToStore
  private readonly handleCommand
  private readonly backoff = createBackoff()

  constructor(address: Address) {
    const { store, backoff } = this
    this.address = address
    this.storage = createStorage(address)
    if (address.isFresh) this.left = leaveNothing(this.storage)
    const { session, conversation } = this.storage.read()
    store.update({ isOnline: navigator.onLine, isOpen: !address.isToggled, isLoading: !!conversation?.opened })
    this.parent = createParent(address.ts)
    this.appearance = createAppearance(store, address)
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
      backoff,
      call: visitor.call,
      follow: () => this.follow(),
    })
    this.catchUp = createCatchUp({
      ask: (after) => visitor.call((token) => listEvents(token, after)),
      apply: (events) => this.apply(events),
      reload: () => this.load(),
    })
    this.live = new Live(
      {
        show: (connection) => {
          store.update({ connection })
          if (connection === 'live') this.lookAround()
        },
        apply: (event) => this.apply([event]),
        typing: (_user_id, isTyping) => this.showTyping(isTyping),
        catchUp: () => this.catchUp.run(),
      },
      backoff,
    )
    this.wakeSender = createSender({
      storage,
      backoff,
      perform: (step) => performStep(step, address, visitor.claims(), this.identity),
      settled: (step, outcome) => this.settle(step, outcome),
      waiting: (waitUntil) => store.update({ waitUntil }),
    })
    this.reportVisit = createVisitReport(address, visitor.claims)
    this.identity = createIdentity({
      storage,
      parent: this.parent,
      place: address,
      call: visitor.call,
      follow: () => this.follow(),
      wakeSender: () => this.wakeSender(),
    })
    this.agents = watchAgents(address, (agentsOnline) => store.update({ agentsOnline }))
    this.reportToParent = createParentEvents(this.parent, !!session?.opened)
    this.lookAround = createAttention(store, this.parent, () => this.live.send('messages:seen', {}))
    this.showTyping = createTypingSign(store)
    this.applyToStore = createEventHandler({
      store,
      parent: this.parent,
      ring: createSound(),
      showTyping: this.showTyping,
      load: () => void this.load(),
      list: () => void this.conversations.list().then(() => this.follow()),
      hasConversation: () => !!storage.read().conversation,
    })
    this.handleCommand = createParentCommands({
      store,
      parent: this.parent,
      appearance: this.appearance,
      visitor,
      identity: this.identity,
      toggled: () => {
        this.freshen()
        this.follow()
        this.lookAround()
      },
      reportVisit: (isOpen) => this.reportVisit(isOpen),
      follow: () => this.follow(),
    })
    this.writing = createWriting({
      store,
      storage,
      files: this.files,
      visitor,
      tellTyping: createTypingTeller((typing) => this.live.send('typing', { typing })),
      follow: () => this.follow(),
    })
  }

  /** Starts with what is kept, and tells the page around us when the first screen is there. */
  async start() {
    this.parent.listen(this.handleCommand)
    this.storage.onChange(() => this.follow())
    document.addEventListener('visibilitychange', () => this.lookAround())
    const noteNetwork = () => this.store.update({ isOnline: navigator.onLine })
    for (const event of ['online', 'offline']) addEventListener(event, noteNetwork)
    setInterval(() => this.freshen(), FRESH_MS)
    this.follow()
    void this.files.restore()
    const appearanceLoaded = this.address.saved ? undefined : this.appearance.fetchSaved().then(() => this.follow())
    const loaded = this.storage.read().session?.opened ? this.catchUp.run() : undefined
    await Promise.race([Promise.all([appearanceLoaded, loaded, this.left]), this.backoff.sleep(START_MS)])
    this.parent.send('chat:loaded', {})
  }

  /** Says what the visitor thinks of the conversation on screen. True when it is stored. */
  async rate(score: number, comment?: string): Promise<boolean> {
    const id = this.store.get().thread.conversation_id
    if (!id) return false
    const outcome = await this.visitor.call((token) => rate(token, id, { score, comment }))
    if (outcome.kind === 'done') this.apply([{ event: 'conversation:rated', payload: outcome.answer.data }])
    return outcome.kind === 'done'
  }

  /** Who answers here, for whoever has not written yet. */
  async askForTeam() {
    if (this.address.account_id === DEMO_ACCOUNT) return undefined
    const outcome = await getTeam(this.address)
    return outcome.kind === 'done' ? outcome.answer.data : undefined
  }

  /** Shows the conversation, or the list of them all. */
  switchTo(place: 'thread' | 'list') {
    this.store.update({ place })
    if (place === 'list') void this.conversations.list()
    this.lookAround()
  }

  /** The visitor has no time for the card now. What was missed stays missed. */
  putCardAway() {
    this.store.update({ card: null })
    this.parent.send('messages:seen', {})
  }

  close() {
    this.parent.send('papercups:close', {})
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
    if (!this.store.get().isOpen || document.hidden || !this.appearance.isStale()) return
    void this.appearance.fetchSaved().then(() => this.follow())
  }

  /** Brings everything in line with what is kept: the thread, the socket, the page around us, the sender. */
  private follow() {
    const kept = this.storage.read()
    const isIn = !!kept.session?.opened
    const id = kept.conversation?.opened ? kept.conversation.id : null
    const { thread, appearance, conversations, isOpen } = this.store.get()
    if (thread.conversation_id !== id) this.store.update({ thread: { ...EMPTY_THREAD, conversation_id: id } })
    this.store.update({ outbox: kept.outbox, ...(kept.conversation && { startsNew: false }) })
    if (!kept.session) {
      this.catchUp.forget()
      if (conversations.length > 0) this.store.update({ conversations: [], isLoading: false })
    }
    const isSending = kept.outbox.some(({ refused }) => !refused)
    const others = conversations.filter(({ status }) => status === 'open').map((one) => one.id)
    // A visitor's first words are about to open a conversation: there is nothing to receive until they have.
    if (!isIn || id || !isSending) this.live.moveTo(findTarget(kept, id, others))
    const isPresenceShown =
      !!appearance.showAgentAvailability || (!!appearance.awayMessage && !!appearance.isOutsideWorkingHours)
    this.agents.watch(isPresenceShown && (isOpen || !!this.live.socket), this.live.socket)
    this.reportToParent(kept)
    if (isSending) this.wakeSender()
  }

  private apply(events: ClientEvent[]) {
    this.applyToStore(events)
    this.lookAround()
  }

  private settle(step: Step, outcome: Outcome) {
    if (step.kind === 'post message' && outcome.kind === 'done') {
      const message = (outcome.answer as { data: Message }).data
      this.apply([{ event: 'shout', payload: message }])
      this.parent.send('message:sent', message)
    }
    this.follow()
  }
}

function findTarget({ session }: Kept, conversation_id: string | null, others: string[]): Target | undefined {
  if (!session?.opened) return undefined
  return { token: session.token, customer_id: session.customer_id, conversation_id, others }
}

/** Whoever was here has gone: nothing of them stays in this browser, and what it held opens nothing any more. */
async function leaveNothing(storage: Storage) {
  const { session } = storage.read()
  storage.wipe()
  if (session?.opened) await revokeSession(session.token)
}
