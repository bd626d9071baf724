import i18next from 'i18next'
import { REFERENCE_LANGUAGE } from '#contract/languages.ts'
import { readLanguage } from './language.ts'
import type { TextName } from './text-files.ts'

/** Loads one file of texts by its path. */
export type TextLoaders = Record<string, () => Promise<object>>

/** The texts of the frame and all pages are bundled; the others are loaded with their pages. */
const ENGLISH: TextLoaders = import.meta.glob(
  ['../../locales/en/dashboard/*.json', '!../../locales/en/dashboard/common.json'],
  { import: 'default' },
)

/** Listed in a file of their own, so that a further language does not make the first screen larger. */
const loadersOf = async (language: string): Promise<TextLoaders> =>
  language === REFERENCE_LANGUAGE ? ENGLISH : (await import('./other-languages.ts')).OTHER_LANGUAGES

const loading = new Map<string, Promise<void>>()
/** What was loaded so far, to load it again when the language changes. */
const requested = new Set<TextName>(['common'])

/**
 * Loads texts in a language, once, and in English for what the language lacks. After a failure the next call tries
 * again.
 */
export async function loadTexts(name: TextName, language = readLanguage()): Promise<void> {
  requested.add(name)
  await Promise.all([...new Set([language, REFERENCE_LANGUAGE])].map((each) => loadOnce(name, each)))
}

function loadOnce(name: TextName, language: string): Promise<void> {
  const path = `../../locales/${language}/dashboard/${name}.json`
  const cached = loading.get(path)
  if (cached) return cached
  const bundle = loadersOf(language)
    .then((loaders) => loaders[path]?.())
    .then(
      (texts) => void (texts && i18next.addResourceBundle(language, 'texts', texts, true, true)),
      (error: unknown) => {
        loading.delete(path)
        throw error
      },
    )
  loading.set(path, bundle)
  return bundle
}

/** Loads code together with its texts. */
export function withTexts<Code>(names: readonly TextName[], load: () => Promise<Code>): () => Promise<Code> {
  return async () => {
    const [code] = await Promise.all([load(), ...names.map((name) => loadTexts(name))])
    return code
  }
}

/** Loads all texts used so far in another language. */
export async function loadRequestedTexts(language: string): Promise<void> {
  await Promise.all([...requested].map((name) => loadTexts(name, language)))
}
