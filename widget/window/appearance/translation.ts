import { useEffect, useState } from 'react'
import { en, type Words } from './words.ts'

export interface Translation {
  language: string
  direction: 'ltr' | 'rtl'
  words: Words
}

const ENGLISH: Translation = { language: 'en', direction: 'ltr', words: en }

/** Each language is loaded only when needed. */
const CATALOGUES: Record<string, () => Promise<Words>> = {
  en: async () => en,
  vi: async () => (await import('../lazy/words-vi.ts')).vi,
  ar: async () => (await import('../lazy/words-ar.ts')).ar,
}

/** The first supported one of the preferred languages; English if there is none. */
export function chooseLanguage(preferred: readonly (string | null | undefined)[]): string {
  return preferred.map((language) => language?.slice(0, 2).toLowerCase() ?? '').find((code) => CATALOGUES[code]) ?? 'en'
}

/** Loads the texts of a language; English if that fails. */
export async function loadTranslation(language: string): Promise<Translation> {
  try {
    return { language, direction: language === 'ar' ? 'rtl' : 'ltr', words: await CATALOGUES[language]!() }
  } catch {
    return ENGLISH
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
    let isOver = false
    if (language !== translation.language)
      void loadTranslation(language).then((loaded) => !isOver && setTranslation(loaded))
    return () => {
      isOver = true
    }
  }, [language, translation.language])
  return translation
}
