import { t } from 'i18next'
import {
  type WritingEvents,
  type WritingRequest,
  type WrittenText,
  writingHelp,
} from '#contract/conversations/writing-help.ts'
import { errorText, logError } from '../../../platform/http/errors.ts'
import { streamEvents } from '../../../platform/http/event-stream.ts'
import { createStore, useStore } from '../../../platform/store.ts'

/** One text that a model writes, or has written, for a conversation. */
export interface Run {
  request: WritingRequest
  state: 'writing' | 'done' | 'failed'
  /** What has arrived so far. */
  text: string
  written?: WrittenText
  problem?: string
  /** The text that was in the composer when it was replaced. */
  replaced?: string
  stop: AbortController
}

const runs = createStore<Readonly<Record<string, Run>>>({})

/** The numbers of sources are shown beside the finished text. */
const NUMBERS = /\s*\[[\d, ]*\]?/g

export function useRun(conversation_id: string): Run | undefined {
  return useStore(runs, (all) => all[conversation_id])
}

/** Changes a run that is still on screen; one that was closed meanwhile is left alone. */
export function changeRun(conversation_id: string, stop: AbortController, changes: Partial<Run>) {
  const run = runs.get()[conversation_id]
  if (run?.stop === stop) runs.set({ ...runs.get(), [conversation_id]: { ...run, ...changes } })
}

/** Stops a run if it is still writing, and closes it. */
export function closeRun(conversation_id: string) {
  const { [conversation_id]: run, ...others } = runs.get()
  run?.stop.abort()
  runs.set(others)
}

/** Has the model write. It goes on while another conversation is on screen. */
export async function startRun(conversation_id: string, request: WritingRequest): Promise<void> {
  closeRun(conversation_id)
  const stop = new AbortController()
  runs.set({ ...runs.get(), [conversation_id]: { request, state: 'writing', text: '', stop } })
  let text = ''
  let hasEnded = false
  try {
    const input = { params: { id: conversation_id }, body: request, signal: stop.signal }
    await streamEvents(writingHelp.write, input, (name, data) => {
      if (name === 'text') {
        text += (data as WritingEvents['text']).text
        changeRun(conversation_id, stop, { text: text.replace(NUMBERS, '') })
        return
      }
      hasEnded = true
      if (name === 'done') changeRun(conversation_id, stop, { state: 'done', written: data as WritingEvents['done'] })
      else fail((data as WritingEvents['failed']).message)
    })
    if (!hasEnded) fail(t('writing.broken_off'))
  } catch (error) {
    if (stop.signal.aborted) return
    logError('Not written', error)
    fail(errorText(error))
  }

  function fail(problem: string) {
    changeRun(conversation_id, stop, { state: 'failed', problem })
  }
}
