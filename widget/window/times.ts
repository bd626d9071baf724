import { regionalLocale } from '#contract/languages.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago something was: `just now`, `5 minutes ago`. Times are epoch milliseconds. */
export function formatAgo(then: number, now: number, language: string, justNow: string): string {
  const passed = now - then
  if (passed < 10_000) return justNow
  const formatter = new Intl.RelativeTimeFormat(language, { numeric: 'always' })
  if (passed < MINUTE) return formatter.format(-Math.floor(passed / 1000), 'second')
  if (passed < HOUR) return formatter.format(-Math.floor(passed / MINUTE), 'minute')
  if (passed < DAY) return formatter.format(-Math.floor(passed / HOUR), 'hour')
  return formatter.format(-Math.floor(passed / DAY), 'day')
}

/** `Today`, `Yesterday`, or the date, with the year if it is another one. */
export function formatDay(then: number, now: number, language: string): string {
  const days = Math.round((startOfDay(now) - startOfDay(then)) / DAY)
  if (days < 2) {
    const word = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-days, 'day')
    return word.charAt(0).toLocaleUpperCase(language) + word.slice(1)
  }
  const sameYear = new Date(then).getFullYear() === new Date(now).getFullYear()
  const year = sameYear ? undefined : 'numeric'
  return formatDate(then, language, { weekday: 'long', day: 'numeric', month: 'long', year })
}

export function isSameDay(first: number, second: number): boolean {
  return startOfDay(first) === startOfDay(second)
}

export function formatTime(then: number, language: string): string {
  return formatDate(then, language, { hour: 'numeric', minute: '2-digit' })
}

function formatDate(then: number, language: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(regionalLocale(language, navigator.languages), options).format(then)
}

/** `0:07`: minutes and seconds. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0)
}
