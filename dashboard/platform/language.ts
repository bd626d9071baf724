import { findLanguage, REFERENCE_LANGUAGE } from '#contract/languages.ts'
import { messageLabels } from './environment.ts'
import { storage } from './storage.ts'

/** The languages of the dashboard: a folder of `locales` with such texts each. */
export const LANGUAGES = Object.keys(import.meta.glob('../../locales/*/dashboard/common.json')).map(
  (path) => path.split('/').at(-3)!,
)

const LANGUAGE_KEY = 'parley.language'
const LABELS_KEY = 'parley.message_labels'
const listeners = new Set<() => void>()

/** The chosen language, otherwise the first of the browser's that is available. */
export function readLanguage(): string {
  const preferred = [storage.getItem(LANGUAGE_KEY), ...(globalThis.navigator?.languages ?? [])]
  return findLanguage(LANGUAGES, preferred) ?? REFERENCE_LANGUAGE
}

/** The name of a language in itself, such as `Tiếng Việt`. */
export function nameOfLanguage(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

export function storeLanguage(language: string) {
  storage.setItem(LANGUAGE_KEY, language)
  for (const listener of listeners) listener()
}

/** Whether a language was chosen in this browser, which then takes precedence over the profile. */
export function hasChosenLanguage(): boolean {
  return storage.getItem(LANGUAGE_KEY) !== null || storage.getItem(LABELS_KEY) !== null
}

/**
 * The language for labels on messages: chosen by the user, otherwise by the operator, otherwise that of the screens.
 */
export function readLabelLanguage(): string {
  return findLanguage(LANGUAGES, [storage.getItem(LABELS_KEY), messageLabels()]) ?? readLanguage()
}

export function storeLabelLanguage(language: string) {
  storage.setItem(LABELS_KEY, language)
  for (const listener of listeners) listener()
}

export function onLabelLanguage(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
