import dayjs from 'dayjs'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { en } from '../locales/en.ts'
import { labels } from '../locales/labels.ts'
import { type Language, readLanguage, storeLanguage } from './language.ts'
import { defineTexts, loadTexts, loadWantedTexts } from './texts.ts'

/** Texts of the frame and of all pages. English is bundled, Vietnamese is loaded on demand. */
const commonTexts = defineTexts({ en: async () => en, vi: async () => (await import('../locales/vi.ts')).vi })

/** Sets up the chosen language. Other texts can be loaded after it; those of a page load with the page. */
export async function startLanguages() {
  const starting = i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    ns: ['screens', 'labels'],
    defaultNS: 'screens',
    resources: { en: { screens: en, labels: labels.en }, vi: { labels: labels.vi } },
    partialBundledLanguages: true,
    interpolation: { escapeValue: false },
  })
  await starting
  await applyLanguage(readLanguage())
}

export async function chooseLanguage(language: Language) {
  storeLanguage(language)
  await applyLanguage(language)
}

async function applyLanguage(language: Language) {
  await Promise.all([
    loadTexts(commonTexts, language),
    loadWantedTexts(language),
    language === 'vi' && import('dayjs/locale/vi'),
  ])
  dayjs.locale(language)
  document.documentElement.lang = language
  await i18next.changeLanguage(language)
}
