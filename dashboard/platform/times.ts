import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { formatLocale } from './formats.ts'
import { onLabelLanguage, readLabelLanguage } from './language.ts'

const TICK_MS = 10_000
const JUST_NOW_SECONDS = 10
const DAY_MS = 86_400_000

export type Age = { unit: 'just_now' } | { unit: 'seconds' | 'minutes' | 'hours' | 'days'; count: number }

/** How long ago a time was, in the largest fitting unit. Future times count as now, because clocks differ. */
export function ageOf(iso: string, now: number): Age {
  const seconds = Math.floor((now - Date.parse(iso)) / 1000)
  if (!(seconds >= JUST_NOW_SECONDS)) return { unit: 'just_now' }
  if (seconds < 60) return { unit: 'seconds', count: seconds }
  if (seconds < 3_600) return { unit: 'minutes', count: Math.floor(seconds / 60) }
  if (seconds < 86_400) return { unit: 'hours', count: Math.floor(seconds / 3_600) }
  return { unit: 'days', count: Math.floor(seconds / 86_400) }
}

/** Formats how long ago a time was; `short` fits into lists. */
export function useAges(): (iso: string, style: 'short' | 'long') => string {
  const { i18n } = useTranslation()
  const { t: label } = useLabels()
  const now = useNow()
  return (iso, style) => {
    const age = ageOf(iso, now)
    if (age.unit === 'just_now') return label('just_now')
    // Not of the region: British `14 min ago` instead of `14m ago` would take the room of names and tags.
    const format = new Intl.RelativeTimeFormat(i18n.language, { style: style === 'short' ? 'narrow' : 'long' })
    return format.format(-age.count, age.unit)
  }
}

/** The labels on messages, in their own language. */
export function useLabels() {
  const language = useSyncExternalStore(onLabelLanguage, readLabelLanguage)
  return useTranslation('texts', { lng: language, keyPrefix: 'labels' })
}

/** The time of day. */
export function clockTime(iso: string | Date): string {
  return write(iso, { timeStyle: 'short' })
}

/** Date and time of a message. */
export function messageTime(iso: string, timeZone?: string): string {
  const day = write(iso, { weekday: 'short', month: 'short', day: 'numeric', timeZone })
  return `${day} ${write(iso, { timeStyle: 'short', timeZone })}`
}

/** `November 22, 3:05 PM`: day and time within this year. */
export function dayAndTime(iso: string): string {
  return `${write(iso, { month: 'long', day: 'numeric' })}, ${clockTime(iso)}`
}

/** A time within the next days, as short as possible. */
export function shortTime(iso: string): string {
  const startOfDay = (time: Date) => time.setHours(0, 0, 0, 0)
  if (startOfDay(new Date(iso)) === startOfDay(new Date())) return clockTime(iso)
  const isSoon = Date.parse(iso) - Date.now() < 6 * DAY_MS
  return isSoon ? `${write(iso, { weekday: 'short' })} ${clockTime(iso)}` : shortDay(iso)
}

export function dayTitle(iso: string, timeZone?: string): string {
  return write(iso, { year: 'numeric', month: 'long', day: '2-digit', timeZone })
}

/** `Nov 22, 2026`: a day in a table. */
export function shortDate(iso: string): string {
  return write(iso, { year: 'numeric', month: 'short', day: '2-digit' })
}

/** `Nov 3`, for a day in the account's time zone or a time in the reader's. */
export function shortDay(day: string): string {
  return write(day.includes('T') ? day : `${day}T00:00`, { month: 'short', day: 'numeric' })
}

/** The name of a day of the week, counted from Monday. */
export function weekdayName(day: number, weekday: 'long' | 'short'): string {
  return write(new Date(Date.UTC(2024, 0, 1 + day)), { weekday, timeZone: 'UTC' })
}

/** Making a format takes longer than using it, and lists use the same one for each row. */
const formats = new Map<string, Intl.DateTimeFormat>()

function write(time: string | Date, options: Intl.DateTimeFormatOptions): string {
  const locale = formatLocale()
  const key = locale + JSON.stringify(options)
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, format)
  return format.format(new Date(time))
}

/** The current time in epoch milliseconds, updated every ten seconds for all components at once. */
export function useNow(): number {
  return useSyncExternalStore(onTick, () => tick)
}

let tick = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function onTick(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    tick = Date.now()
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
