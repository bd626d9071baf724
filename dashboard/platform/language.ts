import { messageLabels } from './environment.ts'
import { storage } from './storage.ts'

export type Language = 'en' | 'vi'

const LANGUAGE_KEY = 'parley.language'
const LABELS_KEY = 'parley.message_labels'
const listeners = new Set<() => void>()

/** The chosen language, otherwise the browser's. */
export function readLanguage(): Language {
  return asLanguage(storage.getItem(LANGUAGE_KEY)) ?? asLanguage(globalThis.navigator?.language) ?? 'en'
}

function asLanguage(tag: string | null | undefined): Language | undefined {
  const [language] = tag?.toLowerCase().split('-') ?? []
  return language === 'vi' || language === 'en' ? language : undefined
}

export function storeLanguage(language: Language) {
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
export function readLabelLanguage(): Language {
  return asLanguage(storage.getItem(LABELS_KEY)) ?? asLanguage(messageLabels()) ?? readLanguage()
}

export function chooseLabelLanguage(language: Language) {
  storage.setItem(LABELS_KEY, language)
  for (const listener of listeners) listener()
}

export function onLabelLanguage(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
