import type { ChatState, ChatStore } from '../state.ts'
import { countElsewhere } from '../thread/own-conversations.ts'
import { listUnseen, markSeen } from '../thread/thread.ts'
import type { Parent } from './parent.ts'

/** Whether the visitor sees the conversation. */
export function isLookedAt({ isOpen, view }: ChatState): boolean {
  return isOpen && view === 'thread' && !document.hidden
}

/** The number of the team's messages that the visitor has not seen, in all conversations. */
export function countUnseen({ thread, conversations }: Pick<ChatState, 'thread' | 'conversations'>): number {
  return listUnseen(thread).length + countElsewhere(conversations, thread.conversation_id)
}

/**
 * Marks messages as seen while the conversation is visible; otherwise reports the number of unseen ones to the page.
 * Call the returned function whenever either may have changed.
 */
export function createAttention(store: ChatStore, parent: Parent, sendSeen: () => void) {
  // Zero is not reported at first: `messages:seen` would remove a card that the page may just have requested.
  let reported = 0
  return () => {
    if (isLookedAt(store.get()) && listUnseen(store.get().thread).length > 0) {
      sendSeen()
      store.update({ thread: markSeen(store.get().thread, new Date().toISOString()) })
    }
    const { thread, conversations } = store.get()
    const count = countUnseen({ thread, conversations })
    if (count === reported) return
    reported = count
    const elsewhere = conversations.find(({ id, unseen }) => unseen > 0 && id !== thread.conversation_id)
    const message = listUnseen(thread).at(-1) ?? elsewhere?.last_message
    if (count === 0) parent.send('messages:seen', {})
    else parent.send('messages:unseen', { message, count })
  }
}
