import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findLanguage, REFERENCE_LANGUAGE } from '#contract/languages.ts'

/** A folder for each language, named by its code. */
export const localesFolder = resolve(import.meta.dirname, '../locales')

const languagesWith = (texts: string) =>
  readdirSync(localesFolder)
    .filter((language) => existsSync(join(localesFolder, language, texts)))
    .sort()

export const DASHBOARD_LANGUAGES = languagesWith('dashboard')
export const WIDGET_LANGUAGES = languagesWith('widget.json')
/** Those of mails and of pages that the server renders. */
export const SERVER_LANGUAGES = languagesWith('server.json')

/** The language to write to somebody in: the first preferred one that there are texts in. */
export function chooseServerLanguage(preferred: readonly (string | null | undefined)[]): string {
  return findLanguage(SERVER_LANGUAGES, preferred) ?? REFERENCE_LANGUAGE
}

/** Whether a language is read from left or from right. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return new Intl.Locale(language).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr'
}
