import i18next from 'i18next'
import { type Language, readLanguage } from './language.ts'

/** The same texts in Vietnamese, which has one form for every number. */
export type Translated<English> = {
  [Key in keyof English as IsSingular<Key, keyof English> extends true ? never : Key]: English[Key] extends object
    ? Translated<English[Key]>
    : string
}

/** Whether a text is said of one thing and stands beside another one for all other numbers. */
type IsSingular<Key, Keys> = Key extends `${infer Stem}_one` ? (`${Stem}_other` extends Keys ? true : false) : false

/** Where the texts of a feature lie in each language. */
export type Texts = Readonly<Record<Language, () => Promise<object>>>

/** Declares the texts of a feature. Pages name what they say, and it is loaded with them. */
export function defineTexts<English extends object>(texts: {
  en: () => Promise<English>
  vi: () => Promise<Translated<English>>
}): Texts {
  return texts
}

/** What pages have asked for so far. Whoever chooses another language gets it in that one. */
const wanted = new Map<Texts, Map<Language, Promise<void>>>()

/** Loads texts in the language of the screens, once. What fails is tried again when it is next asked for. */
export function loadTexts(texts: Texts, language = readLanguage()): Promise<void> {
  const loading = wanted.get(texts) ?? new Map<Language, Promise<void>>()
  wanted.set(texts, loading)
  const known = loading.get(language)
  if (known) return known
  const asked = texts[language]().then(
    (bundle) => void i18next.addResourceBundle(language, 'screens', bundle, true, true),
    (error: unknown) => {
      loading.delete(language)
      throw error
    },
  )
  loading.set(language, asked)
  return asked
}

/** Loads code together with what it says. */
export function withTexts<Code>(texts: readonly Texts[], load: () => Promise<Code>): () => Promise<Code> {
  return async () => {
    const [code] = await Promise.all([load(), ...texts.map((each) => loadTexts(each))])
    return code
  }
}

/** Loads in a language whatever was asked for in another one. */
export async function loadWantedTexts(language: Language): Promise<void> {
  await Promise.all([...wanted.keys()].map((texts) => loadTexts(texts, language)))
}
