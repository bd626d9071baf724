import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { REFERENCE_LANGUAGE } from '#contract/languages.ts'
import { isolate } from '#contract/text/isolate.ts'
import common from '../../locales/en/dashboard/common.json'
import { logError } from './http/errors.ts'
import { readLabelLanguage, readLanguage, storeLabelLanguage, storeLanguage } from './language.ts'
import { loadRequestedTexts, loadTexts } from './texts.ts'

/** Sets up the chosen language with the texts of the frame. Those of a page are loaded with its code. Never fails. */
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
  const language = readLanguage()
  // English rather than an empty page: a file that did not arrive must not keep everything else from being shown.
  await Promise.all(
    [language, readLabelLanguage()].map((each) =>
      loadTexts('common', each).catch((error: unknown) => logError('Texts not loaded', error)),
    ),
  )
  await show(language)
}

/** Stores the language of the screens and changes to it. @throws if its texts cannot be loaded */
export async function chooseLanguage(language: string) {
  await loadRequestedTexts(language)
  storeLanguage(language)
  await show(readLanguage())
}

/** Stores the language of the labels on messages and changes to it. @throws if its texts cannot be loaded */
export async function chooseLabelLanguage(language: string) {
  await loadTexts('common', language)
  storeLabelLanguage(language)
}

async function show(language: string) {
  document.documentElement.lang = language
  document.documentElement.dir = i18next.dir(language)
  await i18next.changeLanguage(language)
}
