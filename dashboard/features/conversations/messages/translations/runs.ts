import type { QueryClient } from '@tanstack/react-query'
import { t } from 'i18next'
import { TRANSLATIONS_AT_ONCE, type TranslationEvents, translations } from '#contract/conversations/translations.ts'
import { errorText, logError } from '../../../../platform/http/errors.ts'
import { streamEvents } from '../../../../platform/http/event-stream.ts'
import { createStore, useStore } from '../../../../platform/store.ts'
import { addTranslation } from './queries.ts'
import { ownLanguage, showOriginals } from './reading.ts'

/** Messages of a conversation that are being translated, or could not be. */
export interface TranslationRun {
  isRunning: boolean
  total: number
  /** Messages that are still to be translated. */
  waiting: ReadonlySet<string>
  /** Why messages could not be translated, as sentences. */
  problems: Readonly<Record<string, string>>
  /** Why it ended before all were seen to. */
  problem?: string | undefined
  stop: AbortController
}

const runs = createStore<Readonly<Record<string, TranslationRun>>>({})

export function useTranslationRun(conversation_id: string): TranslationRun | undefined {
  return useStore(runs, (all) => all[conversation_id])
}

/** Stops translating. What has arrived stays. */
export function stopTranslating(conversation_id: string) {
  const { [conversation_id]: run, ...others } = runs.get()
  run?.stop.abort()
  runs.set(others)
}

/** Has messages translated for the user. It goes on while another conversation is on screen. */
export async function translate(
  client: QueryClient,
  conversation_id: string,
  message_ids: readonly string[],
): Promise<void> {
  stopTranslating(conversation_id)
  showOriginals(message_ids, false)
  const stop = new AbortController()
  const waiting = new Set(message_ids)
  const run: TranslationRun = { isRunning: true, total: message_ids.length, waiting, problems: {}, stop }
  runs.set({ ...runs.get(), [conversation_id]: run })
  try {
    for (let at = 0; at < message_ids.length; at += TRANSLATIONS_AT_ONCE) {
      await translateSome(message_ids.slice(at, at + TRANSLATIONS_AT_ONCE))
      if (current()?.problem !== undefined) return
    }
    change({ isRunning: false })
  } catch (error) {
    if (stop.signal.aborted) return
    logError('Not translated', error)
    change({ isRunning: false, problem: errorText(error) })
  }

  async function translateSome(ids: string[]) {
    const body = { message_ids: ids, language: ownLanguage() }
    let isDone = false
    const input = { params: { id: conversation_id }, body, signal: stop.signal }
    await streamEvents(translations.create, input, (name, data) => {
      if (name === 'translation') {
        const translation = data as TranslationEvents['translation']
        addTranslation(client, conversation_id, translation)
        markFinished(translation.message_id)
      }
      if (name === 'skipped') {
        const { message_id, message } = data as TranslationEvents['skipped']
        markFinished(message_id, message)
      }
      if (name === 'done') isDone = true
      if (name === 'failed') fail((data as TranslationEvents['failed']).message)
    })
    if (!isDone && current()?.problem === undefined) fail(t('translations.broken_off'))
  }

  function current(): TranslationRun | undefined {
    const shown = runs.get()[conversation_id]
    return shown?.stop === stop ? shown : undefined
  }

  function change(changes: Partial<TranslationRun>) {
    const shown = current()
    if (shown) runs.set({ ...runs.get(), [conversation_id]: { ...shown, ...changes } })
  }

  function markFinished(message_id: string, problem?: string) {
    const shown = current()
    if (!shown) return
    const remaining = new Set(shown.waiting)
    remaining.delete(message_id)
    change({ waiting: remaining, ...(problem && { problems: { ...shown.problems, [message_id]: problem } }) })
  }

  function fail(problem: string) {
    change({ isRunning: false, waiting: new Set(), problem })
  }
}
