import { createStore, useStore } from '../../../platform/store.ts'

/** The conversation for whose reply a time is chosen. */
const opened = createStore<string | undefined>(undefined)

/** Asks when the reply in this conversation is to be sent. */
export function openSendLater(conversation_id: string) {
  opened.set(conversation_id)
}

export function closeSendLater() {
  opened.set(undefined)
}

export function useIsSendingLater(conversation_id: string): boolean {
  return useStore(opened, (id) => id === conversation_id)
}
