import i18next from 'i18next'
import { REFERENCE_LANGUAGE, regionalLocale } from '#contract/languages.ts'

/** The locale of dates and numbers, from the language of the screens and the browser's region. */
export function formatLocale(): string {
  return regionalLocale(i18next.language ?? REFERENCE_LANGUAGE, globalThis.navigator?.languages)
}

/** A number for display, such as `1,204`. */
export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(formatLocale(), options).format(value)
}
