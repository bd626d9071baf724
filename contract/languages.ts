/** The language that all texts are written in first. What another one lacks is shown in it. */
export const REFERENCE_LANGUAGE = 'en'

/**
 * The first preferred language that is available; undefined if there is none. `pt-PT` prefers itself, then `pt`, then
 * any other Portuguese.
 */
export function findLanguage(
  available: readonly string[],
  preferred: readonly (string | null | undefined)[],
): string | undefined {
  const nearest = (tag: string) =>
    available.find((code) => code.toLowerCase() === tag) ?? available.find((code) => primaryOf(code) === primaryOf(tag))
  return preferred.map((tag) => tag && nearest(tag.toLowerCase())).find(Boolean) || undefined
}

const primaryOf = (tag: string) => tag.split('-')[0]

/**
 * The locale of dates and numbers on screens in a language: the variant of it that the browser prefers, such as `en-GB`.
 * English in Britain has 27 November and 14:05, in America November 27 and 2:05 PM.
 */
export function regionalLocale(language: string, preferred: readonly string[] = []): string {
  return preferred.find((tag) => tag.startsWith(`${language}-`)) ?? language
}
