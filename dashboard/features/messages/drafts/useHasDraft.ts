import { useSyncExternalStore } from 'react'
import { onDraftsAnywhere, readDraft, saysSomething } from './drafts.ts'

/** Whether something unsent is written in a conversation, on this device. */
export function useHasDraft(conversation_id: string): boolean {
  return useSyncExternalStore(onDraftsAnywhere, () => saysSomething(readDraft(conversation_id)))
}
