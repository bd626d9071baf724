import { messageLabels } from './environment.ts'
import { storage } from './storage.ts'

export type Language = 'en' | 'vi'

const LANGUAGE_KEY = 'parley.language'
const LABELS_KEY = 'parley.message_labels'
const listeners = new Set<() => void>()

/** The chosen language, else that of the browser. */
export function readLanguage(): Language {
  return asLanguage(storage.getItem(LANGUAGE_KEY)) ?? asLanguage(globalThis.navigator?.language) ?? 'en'
}

function asLanguage(tag: string | null | undefined): Language | undefined {
  const [language] = tag?.toLowerCase().split('-') ?? []
  return language === 'vi' || language === 'en' ? language : undefined
}

export function keepLanguage(language: Language) {
  storage.setItem(LANGUAGE_KEY, language)
  for (const listener of listeners) listener()
}

/** Whether somebody has chosen languages in this browser, so that no other choice may take their place. */
export function hasChosenLanguage(): boolean {
  return storage.getItem(LANGUAGE_KEY) !== null || storage.getItem(LABELS_KEY) !== null
}

/** The language chosen for labels, else the one that the operator set for them, else that of the reader. */
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
