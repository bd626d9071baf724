import type { Parent } from './parent.ts'
import type { ChatStore } from './state.ts'
import { listUnseen, markSeen } from './thread.ts'

/**
 * Messages count as seen while the window is open on a visible page; otherwise the page around is told how many wait.
 * Call the answer whenever either may have changed.
 */
export function createAttention(store: ChatStore, parent: Parent, tellServer: () => void) {
  let told = -1
  return () => {
    const { thread, isOpen } = store.get()
    let unseen = listUnseen(thread)
    if (unseen.length > 0 && isOpen && !document.hidden) {
      tellServer()
      store.update({ thread: markSeen(thread, new Date().toISOString()) })
      unseen = []
    }
    if (unseen.length === told) return
    told = unseen.length
    if (told === 0) parent.tell('messages:seen', {})
    else parent.tell('messages:unseen', { message: unseen.at(-1), count: told })
  }
}
