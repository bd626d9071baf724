import type { WritingTask } from '#contract/conversations/writing-help.ts'
import { createStore, useStore } from '../../../platform/store.ts'

/** Whether there is a model, known once a composer was on screen. */
const available = createStore(false)
/** What an action has asked for; the composer of that conversation does it. */
const asked = createStore<{ conversation_id: string; task: WritingTask } | undefined>(undefined)

export const canWriteWithModel = available.get
export const setCanWriteWithModel = available.set

/** Has the model write for this conversation. */
export function askForWriting(conversation_id: string, task: WritingTask) {
  asked.set({ conversation_id, task })
}

/** The task that an action has asked for in a conversation. */
export function useAskedWriting(conversation_id: string): WritingTask | undefined {
  return useStore(asked, (request) => (request?.conversation_id === conversation_id ? request.task : undefined))
}

export function clearAskedWriting() {
  asked.set(undefined)
}
