import { countElsewhere } from './own.ts'
import type { Parent } from './parent.ts'
import type { ChatState, ChatStore } from './state.ts'
import { listUnseen, markSeen } from './thread.ts'

/** Whether somebody is looking at the conversation. */
export function isLookedAt({ isOpen, place }: ChatState): boolean {
  return isOpen && place === 'thread' && !document.hidden
}

/**
 * Messages count as seen while the conversation is on a visible page; otherwise the page around is told how many wait,
 * here and in the visitor's other conversations. Call the answer whenever any of it may have changed.
 */
export function createAttention(store: ChatStore, parent: Parent, tellServer: () => void) {
  // A page begins with nothing to be seen. To say so again would take away the card that it may just have asked for.
  let told = 0
  return () => {
    const state = store.get()
    let unseen = listUnseen(state.thread)
    if (unseen.length > 0 && isLookedAt(state)) {
      tellServer()
      store.update({ thread: markSeen(state.thread, new Date().toISOString()) })
      unseen = []
    }
    const count = unseen.length + countElsewhere(state.conversations, state.thread.conversation_id)
    if (count === told) return
    told = count
    const others = state.conversations.find(({ id, unseen }) => unseen > 0 && id !== state.thread.conversation_id)
    const message = unseen.at(-1) ?? others?.last_message
    if (count === 0) parent.tell('messages:seen', {})
    else parent.tell('messages:unseen', { message, count })
  }
}
