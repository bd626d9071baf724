import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { REFERENCE_LANGUAGE } from '#contract/languages.ts'
import { isolate } from '#contract/text/isolate.ts'
import common from '../../locales/en/dashboard/common.json'
import { readLabelLanguage, readLanguage, storeLabelLanguage, storeLanguage } from './language.ts'
import { loadRequestedTexts, loadTexts } from './texts.ts'

/** Sets up the chosen language. The texts of the frame and of all pages are loaded after it, those of a page with it. */
export async function startLanguages() {
  await i18next.use(initReactI18next).init({
    lng: REFERENCE_LANGUAGE,
    fallbackLng: REFERENCE_LANGUAGE,
    ns: ['texts'],
    defaultNS: 'texts',
    resources: { [REFERENCE_LANGUAGE]: { texts: common } },
    partialBundledLanguages: true,
    // React escapes texts by itself.
    interpolation: { escapeValue: true, escape: (value) => isolate(value) },
  })
  await Promise.all([applyLanguage(readLanguage()), loadTexts('common', readLabelLanguage())])
}

/** Stores the language of the screens and changes to it. */
export async function chooseLanguage(language: string) {
  storeLanguage(language)
  await applyLanguage(readLanguage())
}

/** Stores the language of the labels on messages and changes to it. */
export async function chooseLabelLanguage(language: string) {
  await loadTexts('common', language)
  storeLabelLanguage(language)
}

async function applyLanguage(language: string) {
  await loadRequestedTexts(language)
  document.documentElement.lang = language
  document.documentElement.dir = i18next.dir(language)
  await i18next.changeLanguage(language)
}
