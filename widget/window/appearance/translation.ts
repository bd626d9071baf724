import { useEffect, useState } from 'react'
import { findLanguage, REFERENCE_LANGUAGE } from '#contract/languages.ts'
import { en, type Labels } from './labels.ts'

export interface Translation {
  language: string
  labels: Labels
}

const FOLDER = '../../../locales/'
const FILE = '/widget.json'
/** Each language but English is loaded only when needed: a list of its texts in the order of English. */
const LOADERS = import.meta.glob<string[]>(['../../../locales/*/widget.json', '!../../../locales/en/*'], {
  import: 'default',
})
const LANGUAGES = [REFERENCE_LANGUAGE, ...Object.keys(LOADERS).map((path) => path.slice(FOLDER.length, -FILE.length))]

/** The first supported one of the preferred languages; English if there is none. */
export function chooseLanguage(preferred: readonly (string | null | undefined)[]): string {
  return findLanguage(LANGUAGES, preferred) ?? REFERENCE_LANGUAGE
}

/** Loads the texts of a language; English if that fails. */
export async function loadTranslation(language: string): Promise<Translation> {
  try {
    const texts = await LOADERS[FOLDER + language + FILE]!()
    return { language, labels: Object.fromEntries(Object.keys(en).map((key, at) => [key, texts[at]])) as Labels }
  } catch {
    return { language: REFERENCE_LANGUAGE, labels: en }
  }
}

/**
 * The current translation, which may change while the window is open. The previous one stays until the new one is
 * loaded.
 */
export function useTranslation(first: Translation, preferred: string | undefined): Translation {
  const [translation, setTranslation] = useState(first)
  const language = chooseLanguage([preferred, ...navigator.languages])
  useEffect(() => {
    let isStale = false
    if (language !== translation.language)
      void loadTranslation(language).then((loaded) => !isStale && setTranslation(loaded))
    return () => {
      isStale = true
    }
  }, [language, translation.language])
  return translation
}
