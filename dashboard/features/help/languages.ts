import i18next from 'i18next'

/** The name of a language in the language of the screen, such as "German"; the tag itself where the browser has none. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames([i18next.language], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur', 'ps', 'sd', 'ug', 'yi', 'dv', 'ckb'])

/** The direction in which a language is written. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(tag.split('-')[0]!) ? 'rtl' : 'ltr'
}
