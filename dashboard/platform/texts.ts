import i18next from 'i18next'
import { type Language, readLanguage } from './language.ts'

/** The type of the Vietnamese texts, which have one plural form. */
export type Translated<English> = {
  [Key in keyof English as IsSingular<Key, keyof English> extends true ? never : Key]: English[Key] extends object
    ? Translated<English[Key]>
    : string
}

/** Whether a key is the singular of a text with plural forms. */
type IsSingular<Key, Keys> = Key extends `${infer Stem}_one` ? (`${Stem}_other` extends Keys ? true : false) : false

/** How to load the texts of a feature in each language. */
export type Texts = Readonly<Record<Language, () => Promise<object>>>

/** Declares the texts of a feature. Pages list those that they use, and load with them. */
export function defineTexts<English extends object>(texts: {
  en: () => Promise<English>
  vi: () => Promise<Translated<English>>
}): Texts {
  return texts
}

/** Texts loaded so far, to load them again when the language changes. */
const requested = new Map<Texts, Map<Language, Promise<void>>>()

/** Loads texts in the current language, once. After a failure the next call tries again. */
export function loadTexts(texts: Texts, language = readLanguage()): Promise<void> {
  const loading = requested.get(texts) ?? new Map<Language, Promise<void>>()
  requested.set(texts, loading)
  const known = loading.get(language)
  if (known) return known
  const bundle = texts[language]().then(
    (bundle) => void i18next.addResourceBundle(language, 'screens', bundle, true, true),
    (error: unknown) => {
      loading.delete(language)
      throw error
    },
  )
  loading.set(language, bundle)
  return bundle
}

/** Loads code together with its texts. */
export function withTexts<Code>(texts: readonly Texts[], load: () => Promise<Code>): () => Promise<Code> {
  return async () => {
    const [code] = await Promise.all([load(), ...texts.map((each) => loadTexts(each))])
    return code
  }
}

/** Loads all texts used so far in another language. */
export async function loadWantedTexts(language: Language): Promise<void> {
  await Promise.all([...requested.keys()].map((texts) => loadTexts(texts, language)))
}
