import dayjs from 'dayjs'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { en } from '../locales/en.ts'
import { labels } from '../locales/labels.ts'
import { storage } from './storage.ts'

export type Language = 'en' | 'vi'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'screens'
    resources: { screens: typeof en; labels: typeof labels.en }
  }
}

const LANGUAGE_KEY = 'parley.language'
const LABELS_KEY = 'parley.message_labels'
const listeners = new Set<() => void>()

/** Loads the chosen language and makes it speak. English comes with the page, Vietnamese when it is wanted. */
export async function startLanguages() {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    ns: ['screens', 'labels'],
    defaultNS: 'screens',
    resources: { en: { screens: en, labels: labels.en }, vi: { labels: labels.vi } },
    partialBundledLanguages: true,
    interpolation: { escapeValue: false },
  })
  await speak(readLanguage())
}

export function readLanguage(): Language {
  return storage.getItem(LANGUAGE_KEY) === 'vi' ? 'vi' : 'en'
}

/** Whether somebody has chosen languages in this browser, so that no other choice may take their place. */
export function hasChosenLanguage(): boolean {
  return storage.getItem(LANGUAGE_KEY) !== null || storage.getItem(LABELS_KEY) !== null
}

export async function chooseLanguage(language: Language) {
  storage.setItem(LANGUAGE_KEY, language)
  await speak(language)
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

async function speak(language: Language) {
  if (language === 'vi' && !i18next.hasResourceBundle('vi', 'screens')) {
    const [{ vi }] = await Promise.all([import('../locales/vi.ts'), import('dayjs/locale/vi')])
    i18next.addResourceBundle('vi', 'screens', vi)
  }
  dayjs.locale(language)
  document.documentElement.lang = language
  await i18next.changeLanguage(language)
}
