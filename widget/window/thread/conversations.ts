import type { VisitorEvent } from '#contract/visitor-events.ts'
import { type InboxRef, listConversations, listMessages, listOwn } from '../calls.ts'
import { adoptConversation, switchTo } from '../outbox/outbox.ts'
import { type Backoff, waitMs } from '../realtime/backoff.ts'
import type { RequestOutcome } from '../request.ts'
import type { ChatStore } from '../state.ts'
import type { Storage } from '../storage.ts'
import { applyToOwn } from './own-conversations.ts'
import { EMPTY_THREAD, loadThread, type Thread, withMessages } from './thread.ts'

/** The number of messages that the server sends with a conversation. */
const PAGE_SIZE = 50

export type CallAsVisitor = <Answer>(
  call: (token: string, customer_id: string) => Promise<RequestOutcome<Answer>>,
) => Promise<RequestOutcome<Answer>>

type Loaded = Pick<Thread, 'conversation_id' | 'status' | 'messages'>

interface ConversationsOptions {
  store: ChatStore
  storage: Storage
  inbox: InboxRef
  backoff: Backoff
  call: CallAsVisitor
  /** Synchronizes everything else with the stored data. */
  sync: () => void
}

/** The visitor's conversations, and which of them is on screen. */
export function createConversations({ store, storage, inbox, backoff, call, sync }: ConversationsOptions) {
  /** The events that have arrived during each running request, whose answer may be older than they are. */
  const arriving = new Set<VisitorEvent[]>()
  let listings = 0
  let listed = 0

  /** Runs a request and applies its answer; events that arrive meanwhile are added to `arrived`. */
  function recording<Result>(work: (arrived: VisitorEvent[]) => Promise<Result>): Promise<Result> {
    const arrived: VisitorEvent[] = []
    arriving.add(arrived)
    return work(arrived).finally(() => arriving.delete(arrived))
  }

  const list = () =>
    recording(async (arrived): Promise<RequestOutcome> => {
      const listing = ++listings
      const outcome = await call((token) => listOwn(inbox, token))
      // An answer that comes after that of a later request is outdated.
      if (outcome.kind === 'done' && listing > listed) {
        listed = listing
        store.update({ conversations: arrived.reduce(applyToOwn, outcome.answer.data) })
      }
      return outcome
    })

  /**
   * Loads everything again. The conversation on screen stays, even if closed; otherwise the newest open one is shown.
   */
  const load = () =>
    recording(async (arrived): Promise<RequestOutcome> => {
      const [listed, opened] = await Promise.all([
        list(),
        call((token, customer_id) => listConversations(inbox, token, customer_id)),
      ])
      if (opened.kind !== 'done') return opened
      if (listed.kind !== 'done') return listed
      const { thread, startsNew } = store.get()
      const stored = storage.read()
      if (startsNew && !stored.conversation) return opened
      const shown = thread.messages.length > 0 ? thread.conversation_id : stored.conversation?.id
      const current = opened.answer.data.find(({ id }) => id === shown)
      // A conversation that was closed while on screen stays there, and reopens when the visitor writes.
      if (!current && shown && thread.messages.length > 0) return readThread(shown)
      const opening = current ?? opened.answer.data[0]
      storage.write(adoptConversation(stored, opening?.id ?? null))
      if (opening) showLoaded({ conversation_id: opening.id, ...opening }, arrived)
      return opened
    })

  /** Loads the newest page of a conversation, and applies it if that one is still on screen. */
  const readThread = (conversation_id: string) =>
    recording(async (arrived): Promise<RequestOutcome> => {
      const outcome = await call((token) => listMessages(token, conversation_id))
      const { thread, conversations } = store.get()
      if (thread.conversation_id !== conversation_id) return outcome
      if (outcome.kind === 'done') {
        const status =
          conversations.find((conversation) => conversation.id === conversation_id)?.status ?? thread.status
        showLoaded({ conversation_id, status, messages: outcome.answer.data }, arrived)
      } else if (outcome.kind === 'refused') turn(null)
      return outcome
    })

  function showLoaded({ conversation_id, status, messages }: Loaded, arrived: VisitorEvent[]) {
    const { deletedIds } = store.get().thread
    store.update({ thread: loadThread({ conversation_id, status, messages, deletedIds }, PAGE_SIZE, arrived) })
  }

  function turn(id: string | null): boolean {
    const before = storage.read()
    const stored = switchTo(before, id)
    if (stored === before) return false
    storage.write(stored)
    const { turns } = store.get()
    store.update({
      turns: turns + 1,
      view: 'thread',
      startsNew: !id,
      thread: { ...EMPTY_THREAD, conversation_id: id },
    })
    sync()
    return true
  }

  return {
    list,
    load,

    /** An answer that is on its way may be older than these events. */
    arrive(events: VisitorEvent[]) {
      for (const arrived of arriving) arrived.push(...events)
    },

    /** Shows another conversation. */
    async show(id: string): Promise<void> {
      if (store.get().thread.conversation_id === id) return store.update({ view: 'thread' })
      if (!turn(id)) return
      store.update({ isLoading: true })
      for (let failures = 0; store.get().thread.conversation_id === id; failures++) {
        const { kind } = await readThread(id)
        if (kind !== 'later') break
        await backoff.sleep(waitMs(failures))
      }
      store.update({ isLoading: false })
      sync()
    },

    /** Shows an empty page; the next message starts a conversation. */
    startNew: () => void turn(null),

    /** Loads the page of messages before the oldest one on screen. */
    async loadOlder(): Promise<void> {
      const { conversation_id, messages, hasOlder } = store.get().thread
      const before = messages[0]?.number
      if (!conversation_id || !hasOlder || before === undefined) return
      const outcome = await call((token) => listMessages(token, conversation_id, before))
      const { thread } = store.get()
      if (outcome.kind !== 'done' || thread.conversation_id !== conversation_id) return
      const { data, next } = outcome.answer
      store.update({ thread: withMessages({ ...thread, hasOlder: next !== null }, data) })
    },
  }
}
