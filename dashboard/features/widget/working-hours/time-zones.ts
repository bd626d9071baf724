import { modernTimeZone } from '#contract/time-zones.ts'

export interface TimeZone {
  name: string
  /** With its current UTC offset: `(UTC+07:00) Asia/Ho Chi Minh`. */
  label: string
  minutes: number
}

/** All time zones that the browser knows, from west to east. */
export function listTimeZones(now: Date, names = Intl.supportedValuesOf('timeZone')): TimeZone[] {
  return [...new Set(['UTC', ...names.map(modernTimeZone)])]
    .map((name) => describe(name, now))
    .sort((a, b) => a.minutes - b.minutes || a.name.localeCompare(b.name))
}

/** The browser's time zone, as the default. */
export function ownTimeZone(): string {
  return modernTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone)
}

export function describe(name: string, now: Date): TimeZone {
  const minutes = minutesFromUtc(name, now)
  const sign = minutes < 0 ? '-' : '+'
  const [hours, remainder] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const offset = `${sign}${String(hours).padStart(2, '0')}:${String(remainder).padStart(2, '0')}`
  return { name, minutes, label: `(UTC${offset}) ${name.replaceAll('_', ' ')}` }
}

/** A time zone that the browser does not know counts as UTC. */
function minutesFromUtc(timeZone: string, now: Date): number {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(now)
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = '0', minutes = '0'] = /([+-])(\d+):(\d+)/.exec(name) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  } catch {
    return 0
  }
}
