import dayjs, { type Dayjs } from 'dayjs'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { onLabelLanguage, readLabelLanguage } from './language.ts'

const TICK_MS = 10_000
const JUST_NOW_SECONDS = 10

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
  const { t } = useTranslation()
  const { t: label } = useLabels()
  const now = useNow()
  return (iso, style) => {
    const age = ageOf(iso, now)
    return age.unit === 'just_now' ? label('just_now') : t(`ages.${style}.${age.unit}`, { count: age.count })
  }
}

/** The labels on messages, in their own language. */
export function useLabels() {
  const language = useSyncExternalStore(onLabelLanguage, readLabelLanguage)
  return useTranslation('labels', { lng: language })
}

/** The time of day. */
export function clockTime(iso: string): string {
  return inWords(dayjs(iso), 'h:mm A', 'HH:mm')
}

/** Date and time of a message. */
export function messageTime(iso: string): string {
  return inWords(dayjs(iso), 'ddd, MMM D h:mm A', 'ddd, D MMM HH:mm')
}

/** `November 22, 3:05 pm`: day and time within this year. */
export function dayAndTime(iso: string): string {
  return inWords(dayjs(iso), 'MMMM D, h:mm a', 'D MMMM, HH:mm')
}

/** A time within the next days, as short as possible. */
export function shortTime(iso: string): string {
  const time = dayjs(iso)
  if (time.isSame(dayjs(), 'day')) return clockTime(iso)
  return time.diff(dayjs(), 'day') < 6 ? inWords(time, 'ddd h:mm A', 'ddd HH:mm') : inWords(time, 'MMM D', 'D MMM')
}

export function dayTitle(iso: string): string {
  return inWords(dayjs(iso), 'MMMM DD, YYYY', 'D MMMM, YYYY')
}

/** `Nov 22, 2026`: a day in a table. */
export function shortDate(iso: string): string {
  return inWords(dayjs(iso), 'MMM DD, YYYY', 'D MMM, YYYY')
}

/** Vietnamese dates have the day first and a 24-hour clock. */
export function inWords(time: Dayjs, english: string, vietnamese: string): string {
  return time.format(dayjs.locale() === 'vi' ? vietnamese : english)
}

/** The current time in epoch milliseconds, updated every ten seconds for all components at once. */
function useNow(): number {
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
