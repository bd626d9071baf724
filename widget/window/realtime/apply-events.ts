import type { VisitorMessage } from '#contract/conversations/messages.ts'
import type { VisitorEvent } from '#contract/visitor-events.ts'
import { isLookedAt } from '../parent/attention.ts'
import type { Parent } from '../parent/parent.ts'
import type { ChatStore } from '../state.ts'
import { applyToOwn } from '../thread/own-conversations.ts'
import { applyEvent } from '../thread/thread.ts'

interface EventHandlerOptions {
  store: ChatStore
  parent: Parent
  /** Called with the time of the newest message, and whether the visitor sees it. */
  ring: (at: string, isSeen: boolean) => void
  showTyping: (isTyping: boolean) => void
  /** Called when the team starts a conversation and none is on screen. */
  load: () => void
  /** Called when the list of conversations must be refetched. */
  list: () => void
  hasConversation: () => boolean
  /** Called when messages were moved between conversations; with the one that has those of the other since. */
  moved: (id: string, merged_into: string | null) => void
}

/** Applies live and missed events, and reports new messages to the page and the visitor. */
export function createEventHandler({
  store,
  parent,
  ring,
  showTyping,
  load,
  list,
  hasConversation,
  moved,
}: EventHandlerOptions) {
  /** New messages by agents, in any of the visitor's conversations. */
  function listNews(events: VisitorEvent[]): VisitorMessage[] {
    const { thread, conversations } = store.get()
    const knownIds = new Set(thread.messages.map(({ id }) => id))
    const isKnown = ({ id, conversation_id, number }: VisitorMessage) =>
      knownIds.has(id) ||
      (conversation_id !== thread.conversation_id &&
        conversations.some(
          (conversation) => conversation.id === conversation_id && (conversation.last_message?.number ?? 0) >= number,
        ))
    return events.flatMap(({ event, payload }) =>
      event === 'shout' && payload.user_id !== null && !payload.private && !isKnown(payload) ? [payload] : [],
    )
  }

  return (events: VisitorEvent[]) => {
    const news = listNews(events)
    const before = store.get()
    const thread = events.reduce(applyEvent, before.thread)
    const conversations = events.reduce(applyToOwn, before.conversations)
    if (thread !== before.thread || conversations !== before.conversations) store.update({ thread, conversations })
    for (const message of news) parent.send('message:received', message)
    if (news.some(({ conversation_id }) => conversation_id === thread.conversation_id)) showTyping(false)
    const newest = news.findLast(({ seen_at }) => !seen_at)
    if (newest) ring(newest.created_at, isLookedAt(store.get()))
    // The event only names the conversation. Loading returns its messages, and only if it belongs to this inbox.
    const isCreated = events.some(({ event }) => event === 'conversation:created')
    const isUnknown = events.some(
      ({ event, payload }) => event === 'shout' && !conversations.some(({ id }) => id === payload.conversation_id),
    )
    // After a deletion only the server knows the last message of the conversation and the number of unseen ones.
    const isDeleted = events.some(({ event }) => event === 'message:deleted')
    for (const { event, payload } of events)
      if (event === 'conversation:changed') moved(payload.id, payload.merged_into)
    if (isCreated && !hasConversation()) load()
    else if (isCreated || isUnknown || isDeleted) list()
  }
}
