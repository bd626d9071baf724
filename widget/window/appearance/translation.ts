import { useEffect, useState } from 'react'
import { en, type Words } from './words.ts'

export interface Translation {
  language: string
  direction: 'ltr' | 'rtl'
  words: Words
}

const ENGLISH: Translation = { language: 'en', direction: 'ltr', words: en }

/** Nobody needs more than one, so the others stay where they are. */
const CATALOGUES: Record<string, () => Promise<Words>> = {
  en: async () => en,
  vi: async () => (await import('../lazy/words-vi.ts')).vi,
  ar: async () => (await import('../lazy/words-ar.ts')).ar,
}

/** The first of the wished languages that we speak; English when none is. */
export function chooseLanguage(wishes: readonly (string | null | undefined)[]): string {
  return wishes.map((wish) => wish?.slice(0, 2).toLowerCase() ?? '').find((wish) => CATALOGUES[wish]) ?? 'en'
}

/** Brings the words of a language; English when they cannot be had. */
export async function loadTranslation(language: string): Promise<Translation> {
  try {
    return { language, direction: language === 'ar' ? 'rtl' : 'ltr', words: await CATALOGUES[language]!() }
  } catch {
    return ENGLISH
  }
}

/** How the window speaks, which may change while it is open. What was spoken before stays until the new words are here. */
export function useTranslation(first: Translation, wish: string | undefined): Translation {
  const [translation, setSpeech] = useState(first)
  const language = chooseLanguage([wish, ...navigator.languages])
  useEffect(() => {
    let isOver = false
    if (language !== translation.language)
      void loadTranslation(language).then((brought) => !isOver && setSpeech(brought))
    return () => {
      isOver = true
    }
  }, [language, translation.language])
  return translation
}
