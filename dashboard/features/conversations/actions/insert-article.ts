import { createStore, useStore } from '../../../platform/store.ts'

/** The conversation into whose reply an article is inserted. */
const opened = createStore<string | undefined>(undefined)

/** Searches for an article to insert into the reply of this conversation. */
export function openInsertArticle(conversation_id: string) {
  opened.set(conversation_id)
}

export function closeInsertArticle() {
  opened.set(undefined)
}

export function useIsInsertingArticle(conversation_id: string): boolean {
  return useStore(opened, (id) => id === conversation_id)
}
