import { storage } from './storage.ts'

export type Language = 'en' | 'vi'

const LANGUAGE_KEY = 'parley.language'
const LABELS_KEY = 'parley.message_labels'
const listeners = new Set<() => void>()

export function readLanguage(): Language {
  return storage.getItem(LANGUAGE_KEY) === 'vi' ? 'vi' : 'en'
}

export function keepLanguage(language: Language) {
  storage.setItem(LANGUAGE_KEY, language)
}

/** Whether somebody has chosen languages in this browser, so that no other choice may take their place. */
export function hasChosenLanguage(): boolean {
  return storage.getItem(LANGUAGE_KEY) !== null || storage.getItem(LABELS_KEY) !== null
}

/** Vietnamese unless chosen otherwise, as the specification has it. */
export function readLabelLanguage(): Language {
  return storage.getItem(LABELS_KEY) === 'en' ? 'en' : 'vi'
}

export function chooseLabelLanguage(language: Language) {
  storage.setItem(LABELS_KEY, language)
  for (const listener of listeners) listener()
}

export function onLabelLanguage(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
