import { useSyncExternalStore } from 'react'
import { hasContent, onDraftsInAnyTab, readDraft } from './drafts.ts'

/** Whether a conversation has a draft on this device. */
export function useHasDraft(conversation_id: string): boolean {
  return useSyncExternalStore(onDraftsInAnyTab, () => hasContent(readDraft(conversation_id)))
}
