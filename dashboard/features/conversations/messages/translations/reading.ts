import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Message } from '#contract/conversations/messages.ts'
import type { MessageTranslation } from '#contract/conversations/translations.ts'
import { readLanguage } from '../../../../platform/language.ts'
import { createStore, useStore } from '../../../../platform/store.ts'
import { userSettingsQuery } from '../../../accounts/accounts/user-settings.ts'

/** Messages that are shown as they were written, although there is a translation. */
const originals = createStore<ReadonlySet<string>>(new Set())

/** Into which language messages are translated for this user: that of the screens. */
export function ownLanguage(): string {
  return readLanguage()
}

/** Tells whether a text is in a language that the user does not read, as far as is known. */
export function useIsForeign(): (language: string | null | undefined) => boolean {
  const { data: settings } = useQuery(userSettingsQuery)
  const read = settings?.read_languages
  return useCallback(
    (language) => !!language && ![ownLanguage(), ...(read ?? [])].map(primaryOf).includes(primaryOf(language)),
    [read],
  )
}

/** What a line of the thread shows of a message. */
export interface Shown {
  /** With the text of the translation, if that is shown. */
  message: Message
  /** In the user's language. */
  translation: MessageTranslation | undefined
  isTranslated: boolean
  /** What its author wrote before it was translated and sent. */
  original: MessageTranslation | undefined
}

/** A message in the user's language where there is such a translation, unless they want to see the original. */
export function useShown(message: Message, translations: readonly MessageTranslation[] | undefined): Shown {
  const isOriginal = useStore(originals, (all) => all.has(message.id))
  const original = translations?.find(({ is_original }) => is_original)
  const translation = translations?.find(
    ({ is_original, language }) => !is_original && primaryOf(language) === primaryOf(ownLanguage()),
  )
  if (!translation || isOriginal) return { message, translation, isTranslated: false, original }
  const translated = { ...message, body: translation.body, email_html: null }
  return { message: translated, translation, isTranslated: true, original }
}

/** Shows messages as they were written, or translated. */
export function showOriginals(message_ids: readonly string[], isWanted: boolean) {
  const next = new Set(originals.get())
  for (const id of message_ids) {
    if (isWanted) next.add(id)
    else next.delete(id)
  }
  originals.set(next)
}

/** Whether any of these messages is shown as it was written. */
export function useIsAnyOriginal(message_ids: readonly string[]): boolean {
  return useStore(originals, (all) => message_ids.some((id) => all.has(id)))
}

/** The name of a language in that of the screens. */
export function languageName(language: string): string {
  return new Intl.DisplayNames([ownLanguage(), 'en'], { type: 'language' }).of(language) ?? language
}

function primaryOf(language: string): string {
  return language.split('-', 1)[0]!.toLowerCase()
}
