import english from '../locales/en/widget.json' with { type: 'json' }

/** The file of a language that is loaded when needed: every one but English. */
export const TEXTS = /[\\/]locales[\\/](?!en[\\/])([^\\/]+)[\\/]widget\.json$/

/**
 * A plugin that turns the texts of a language into a list in the order of English, because their keys are a third of
 * what a visitor would load. What a language lacks is in English.
 */
export const textLists = {
  name: 'text-lists',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    if (!TEXTS.test(id)) return null
    return JSON.stringify(Object.values({ ...english, ...pickKeys(JSON.parse(code)) }))
  },
}

/** Without keys that English does not have, which would move the others. */
function pickKeys(texts: Record<string, string>) {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => key in english))
}
