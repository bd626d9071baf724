import { DEMO_ACCOUNT } from '#contract/accounts/demo-account.ts'
import type { VisitorMessage } from '#contract/conversations/messages.ts'
import type { VisitorEvent } from '#contract/visitor-events.ts'
import { createAppearance, FRESH_MS } from './appearance/appearance.ts'
import type { Address } from './appearance/settings.ts'
import { getTeam, listEvents, performStep, rate, revokeSession } from './calls.ts'
import { createFiles } from './outbox/files.ts'
import type { Step, VisitorData } from './outbox/outbox.ts'
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
import { createTypingSender, createTypingSign } from './realtime/typing.ts'
import type { RequestOutcome } from './request.ts'
import { createIdentity } from './session/identity.ts'
import { createVisitReport } from './session/report-visit.ts'
import { createVisitor } from './session/visitor.ts'
import { FIRST_STATE } from './state.ts'
import { createStorage, type Storage } from './storage.ts'
import { createStore } from './store.ts'
import { createConversations } from './thread/conversations.ts'
import { EMPTY_THREAD } from './thread/thread.ts'

/** The page is told that the window is ready after this time, even if the server has not answered. */
const START_MS = 3000

const loadSound = () => import('./lazy/sound.ts')

/** The chat of one visitor in one inbox: connects state, storage, socket, and the page around the frame. */
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
  /** Revoking the previous person's session. `chat:loaded` waits for it, because the page may then remove the frame. */
  private readonly wiping: Promise<void> | undefined
  private readonly reportVisit
  private readonly agents
  private readonly reportToParent
  private readonly updateSeen
  private readonly showTyping
  private readonly applyToStore
  private readonly handleCommand
  private readonly backoff = createBackoff()

  constructor(address: Address) {
    const { store, backoff } = this
    this.address = address
    this.storage = createStorage(address)
    if (address.isFresh) this.wiping = wipeVisitor(this.storage)
    const { session, conversation } = this.storage.read()
    store.update({ isOnline: navigator.onLine, isOpen: !address.isToggled, isLoading: !!conversation?.opened })
    this.parent = createParent(address.ts)
    this.appearance = createAppearance(store, address)
    this.visitor = createVisitor(store, this.storage, address, () => this.sync())
    const { storage, visitor } = this
    this.files = createFiles({
      store,
      storage,
      inbox: address,
      sendVoice: (file, seconds) => this.writing.post('', { files: [file], metadata: { voice_seconds: seconds } }),
    })
    this.conversations = createConversations({
      store,
      storage,
      inbox: address,
      backoff,
      call: visitor.call,
      sync: () => this.sync(),
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
          if (connection === 'live') this.updateSeen()
        },
        apply: (event) => {
          this.catchUp.arrive(event)
          this.apply([event])
        },
        typing: (_user_id, isTyping) => this.showTyping(isTyping),
        catchUp: () => this.catchUp.run(),
      },
      backoff,
    )
    this.wakeSender = createSender({
      storage,
      backoff,
      perform: (step) => performStep(step, address, visitor.claims(), this.identity),
      settled: (step, outcome) => this.applyOutcome(step, outcome),
      waiting: (waitUntil) => store.update({ waitUntil }),
    })
    this.reportVisit = createVisitReport(address, visitor.claims)
    this.identity = createIdentity({
      storage,
      parent: this.parent,
      inbox: address,
      call: visitor.call,
      sync: () => this.sync(),
      wakeSender: () => this.wakeSender(),
    })
    this.agents = watchAgents(address, (agentsOnline) => store.update({ agentsOnline }))
    this.reportToParent = createParentEvents(this.parent, !!session?.opened)
    this.updateSeen = createAttention(store, this.parent, () => this.live.send('messages:seen', {}))
    this.showTyping = createTypingSign(store)
    this.applyToStore = createEventHandler({
      store,
      parent: this.parent,
      ring: (at, isSeen) => void loadSound().then(({ ring }) => ring(storage.name, at, isSeen), console.error),
      showTyping: this.showTyping,
      load: () => void this.load(),
      list: () => void this.conversations.list().then(() => this.sync()),
      hasConversation: () => !!storage.read().conversation,
      moved: (id, merged_into) => {
        const isLeft = merged_into && store.get().thread.conversation_id === id
        const switched = isLeft ? this.conversations.show(merged_into) : Promise.resolve()
        void switched.then(() => this.load())
      },
    })
    this.handleCommand = createParentCommands({
      store,
      parent: this.parent,
      appearance: this.appearance,
      visitor,
      identity: this.identity,
      toggled: () => {
        this.refetchIfStale()
        this.sync()
        this.updateSeen()
      },
      reportVisit: (isOpen) => this.reportVisit(isOpen),
      sync: () => this.sync(),
    })
    this.writing = createWriting({
      store,
      storage,
      files: this.files,
      visitor,
      sendTyping: createTypingSender((typing) => this.live.send('typing', { typing })),
      sync: () => this.sync(),
    })
  }

  /** Starts from stored data, and tells the page when the first view is ready. */
  async start() {
    this.parent.listen(this.handleCommand)
    this.storage.onChange(() => this.sync())
    document.addEventListener('visibilitychange', () => this.updateSeen())
    const updateNetwork = () => this.store.update({ isOnline: navigator.onLine })
    window.ononline = updateNetwork
    window.onoffline = updateNetwork
    // Until it is unlocked; typing alone is a gesture, too.
    window.onpointerdown = () => void loadSound().then(({ unlock }) => unlock(), console.error)
    window.onkeydown = window.onpointerdown as () => void
    setInterval(() => this.refetchIfStale(), FRESH_MS)
    this.sync()
    void this.files.restore()
    const appearanceLoaded = this.address.saved ? undefined : this.appearance.fetchSaved().then(() => this.sync())
    const loaded = this.storage.read().session?.opened ? this.catchUp.run() : undefined
    await Promise.race([Promise.all([appearanceLoaded, loaded, this.wiping]), this.backoff.sleep(START_MS)])
    this.parent.send('chat:loaded', {})
  }

  /** Rates the conversation on screen. Returns whether the rating was stored. */
  async rate(score: number, comment?: string): Promise<boolean> {
    const id = this.store.get().thread.conversation_id
    if (!id) return false
    const outcome = await this.visitor.call((token) => rate(token, id, { score, comment }))
    if (outcome.kind === 'done') this.apply([{ event: 'conversation:rated', payload: outcome.answer.data }])
    return outcome.kind === 'done'
  }

  /** Loads the team, for the welcome text of a new conversation. */
  async fetchTeam() {
    if (this.address.account_id === DEMO_ACCOUNT) return undefined
    const outcome = await getTeam(this.address)
    return outcome.kind === 'done' ? outcome.answer.data : undefined
  }

  /** Switches between the conversation and the list of conversations. */
  switchTo(view: 'thread' | 'list') {
    this.store.update({ view })
    if (view === 'list') void this.conversations.list()
    this.updateSeen()
  }

  /** Dismisses the card; the messages stay unseen. */
  dismissCard() {
    this.store.update({ card: null })
    this.parent.send('messages:seen', {})
  }

  close() {
    this.parent.send('papercups:close', {})
  }

  private async load(): Promise<RequestOutcome> {
    const outcome = await this.conversations.load()
    if (outcome.kind !== 'done') return outcome
    this.store.update({ isLoading: false })
    this.sync()
    this.updateSeen()
    return outcome
  }

  /** Refetches settings, which may have changed, like the opening hours, since the page was loaded. */
  private refetchIfStale() {
    if (!this.store.get().isOpen || document.hidden || !this.appearance.isStale()) return
    void this.appearance.fetchSaved().then(() => this.sync())
  }

  /** Synchronizes the thread, the socket, the page and the sender with the stored data. */
  private sync() {
    const stored = this.storage.read()
    const isSessionOpen = !!stored.session?.opened
    const id = stored.conversation?.opened ? stored.conversation.id : null
    const { thread, appearance, conversations, isOpen } = this.store.get()
    if (thread.conversation_id !== id) this.store.update({ thread: { ...EMPTY_THREAD, conversation_id: id } })
    this.store.update({ outbox: stored.outbox, ...(stored.conversation && { startsNew: false }) })
    if (!stored.session) {
      this.catchUp.clearCursor()
      if (conversations.length > 0) this.store.update({ conversations: [], isLoading: false })
    }
    const isSending = stored.outbox.some(({ refused }) => !refused)
    const others = conversations.filter(({ status }) => status === 'open').map((conversation) => conversation.id)
    // While the first message is creating a conversation there is nothing to receive yet.
    if (!isSessionOpen || id || !isSending) this.live.moveTo(findTarget(stored, id, others))
    const isPresenceShown =
      !!appearance.showAgentAvailability || (!!appearance.awayMessage && !!appearance.isOutsideWorkingHours)
    this.agents.watch(isPresenceShown && (isOpen || !!this.live.socket), this.live.socket)
    this.reportToParent(stored)
    if (isSending) this.wakeSender()
  }

  private apply(events: VisitorEvent[]) {
    this.conversations.arrive(events)
    this.applyToStore(events)
    this.updateSeen()
  }

  private applyOutcome(step: Step, outcome: RequestOutcome) {
    if (step.kind === 'post message' && outcome.kind === 'done') {
      const message = (outcome.answer as { data: VisitorMessage }).data
      this.apply([{ event: 'shout', payload: message }])
      this.parent.send('message:sent', message)
    }
    this.sync()
  }
}

function findTarget({ session }: VisitorData, conversation_id: string | null, others: string[]): Target | undefined {
  if (!session?.opened) return undefined
  return { token: session.token, customer_id: session.customer_id, conversation_id, others }
}

/** Deletes everything of the previous person from this browser and revokes their session. */
async function wipeVisitor(storage: Storage) {
  const { session } = storage.read()
  storage.wipe()
  if (session?.opened) await revokeSession(session.token)
}
