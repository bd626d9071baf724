import { useSyncExternalStore } from 'react'
import { hasContent, onDraftsAnywhere, readDraft } from './drafts.ts'

/** Whether something unsent is written in a conversation, on this device. */
export function useHasDraft(conversation_id: string): boolean {
  return useSyncExternalStore(onDraftsAnywhere, () => hasContent(readDraft(conversation_id)))
}
