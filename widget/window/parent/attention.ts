import type { ChatState, ChatStore } from '../state.ts'
import { countElsewhere } from '../thread/own-conversations.ts'
import { listUnseen, markSeen } from '../thread/thread.ts'
import type { Parent } from './parent.ts'

/** Whether somebody is looking at the conversation. */
export function isLookedAt({ isOpen, place }: ChatState): boolean {
  return isOpen && place === 'thread' && !document.hidden
}

/** Messages of the team that the visitor has not seen, in this conversation and in their other ones. */
export function countUnseen({ thread, conversations }: Pick<ChatState, 'thread' | 'conversations'>): number {
  return listUnseen(thread).length + countElsewhere(conversations, thread.conversation_id)
}

/**
 * Messages count as seen while the conversation is on a visible page; otherwise the page around is told how many wait,
 * here and in the visitor's other conversations. Call the answer whenever any of it may have changed.
 */
export function createAttention(store: ChatStore, parent: Parent, tellServer: () => void) {
  // A page begins with nothing to be seen. To say so again would take away the card that it may just have asked for.
  let told = 0
  return () => {
    if (isLookedAt(store.get()) && listUnseen(store.get().thread).length > 0) {
      tellServer()
      store.update({ thread: markSeen(store.get().thread, new Date().toISOString()) })
    }
    const { thread, conversations } = store.get()
    const count = countUnseen({ thread, conversations })
    if (count === told) return
    told = count
    const elsewhere = conversations.find(({ id, unseen }) => unseen > 0 && id !== thread.conversation_id)
    const message = listUnseen(thread).at(-1) ?? elsewhere?.last_message
    if (count === 0) parent.send('messages:seen', {})
    else parent.send('messages:unseen', { message, count })
  }
}
