import { addDays } from '../days.ts'
import { type ClosedDay, MAX_CLOSED_DAYS } from './working-hours.ts'

/** Calendars of holidays are a few kilobytes. */
export const MAX_CALENDAR_BYTES = 500_000
/** Longer events are taken for their first days only. */
const MAX_DAYS_OF_EVENT = 31
const MAX_NAME = 100

/**
 * The all-day events of an iCalendar file (.ics) as closed days, earliest first. Events with a time of day, and those
 * that are over, are left out. A simple yearly rule makes a yearly day; any other repetition counts once.
 * @param today `YYYY-MM-DD`
 */
export function readCalendar(text: string, today: string): ClosedDay[] {
  const days = new Map<string, ClosedDay>()
  for (const event of listEvents(text)) {
    for (const day of daysOf(event)) {
      if (day.yearly || day.date >= today) days.set(day.date, day)
    }
    if (days.size >= MAX_CLOSED_DAYS) break
  }
  return [...days.values()].sort((a, b) => (a.date < b.date ? -1 : 1)).slice(0, MAX_CLOSED_DAYS)
}

type Properties = Map<string, string>

/** The properties of each event by name, without parameters. */
function listEvents(text: string): Properties[] {
  const events: Properties[] = []
  let event: Properties | undefined
  // A long line continues on the next one, after a blank.
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    if (line === 'BEGIN:VEVENT') event = new Map()
    else if (line === 'END:VEVENT' && event) {
      events.push(event)
      event = undefined
    } else {
      const colon = line.indexOf(':')
      const name = line.slice(0, colon).split(';', 1)[0]!.toUpperCase()
      if (colon > 0 && event && !event.has(name)) event.set(name, line.slice(colon + 1))
    }
  }
  return events
}

function daysOf(event: Properties): ClosedDay[] {
  const first = readDay(event.get('DTSTART'))
  if (!first) return []
  const end = readDay(event.get('DTEND')) ?? addDays(first, 1)
  const yearly = /^FREQ=YEARLY(;INTERVAL=1)?$/i.test(event.get('RRULE') ?? '')
  const name = readText(event.get('SUMMARY')) || first
  const days: ClosedDay[] = []
  for (let date = first; date === first || (date < end && days.length < MAX_DAYS_OF_EVENT); date = addDays(date, 1)) {
    days.push({ date, yearly, name, periods: [] })
  }
  return days
}

/** `20261224` as `2026-12-24`; undefined for times and for what is no day. */
function readDay(value: string | undefined): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(value?.trim() ?? '') ?? []
  if (!year || year < '1900' || year >= '2200') return undefined
  const date = `${year}-${month}-${day}`
  const time = Date.parse(date)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : undefined
}

function readText(value = ''): string {
  const text = value.replace(/\\n/gi, ' ').replace(/\\([,;\\])/g, '$1')
  return text.replaceAll('\u0000', '').trim().slice(0, MAX_NAME)
}
