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

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** A size in bytes for display, such as `1.2 GB`, in decimal units. */
export function formatSize(bytes: number): string {
  const step = bytes > 0 ? Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3)) : 0
  const maximumFractionDigits = step > 2 ? 1 : 0
  return formatNumber(bytes / 1000 ** step, { style: 'unit', unit: UNITS[step]!, maximumFractionDigits })
}
