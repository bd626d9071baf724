/** Name and description of a collection by language, as they are stored. */
export type CollectionTexts = Record<string, { name: string; description: string }>

/** A collection's texts in a language, else in the default language, else in any. */
export function textsOfCollection(texts: CollectionTexts, language: string, default_language: string) {
  return texts[language] ?? texts[default_language] ?? Object.values(texts)[0] ?? { name: '', description: '' }
}

/** The name of an article's collection; null if it has none. */
export function nameOfCollection(texts: unknown, language: string, default_language: string): string | null {
  return texts ? textsOfCollection(texts as CollectionTexts, language, default_language).name : null
}
