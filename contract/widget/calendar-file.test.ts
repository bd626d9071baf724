import { expect, test } from 'vitest'
import { readCalendar } from './calendar-file.ts'
import { ClosedDay } from './working-hours.ts'

function calendar(...events: string[][]): string {
  const lines = events.flatMap((event) => ['BEGIN:VEVENT', ...event, 'END:VEVENT'])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
}

const read = (...events: string[][]) => readCalendar(calendar(...events), '2026-11-27')

test('all-day events become closed days, a yearly rule a yearly one, and several days each', () => {
  expect(
    read(
      ['DTSTART;VALUE=DATE:20261225', 'DTEND;VALUE=DATE:20261227', 'SUMMARY;LANGUAGE=en:Christmas\\, both', ' days'],
      ['DTSTART;VALUE=DATE:20200501', 'RRULE:FREQ=YEARLY', 'SUMMARY:Labour Day'],
    ),
  ).toEqual([
    { date: '2020-05-01', yearly: true, name: 'Labour Day', periods: [] },
    { date: '2026-12-25', yearly: false, name: 'Christmas, bothdays', periods: [] },
    { date: '2026-12-26', yearly: false, name: 'Christmas, bothdays', periods: [] },
  ])
})

test('events with a time, of the past, without a day or on a day that does not exist are left out', () => {
  expect(
    read(
      ['DTSTART:20261225T090000Z', 'SUMMARY:Meeting'],
      ['DTSTART;VALUE=DATE:20251225', 'SUMMARY:Last year'],
      ['SUMMARY:Some day'],
      ['DTSTART;VALUE=DATE:20260230', 'SUMMARY:Never'],
    ),
  ).toEqual([])
  expect(readCalendar('no calendar at all', '2026-11-27')).toEqual([])
})

test('what is read can be saved: endless events, long names and large files have limits', () => {
  const long = read(['DTSTART;VALUE=DATE:20261201', 'DTEND;VALUE=DATE:21991231', `SUMMARY:${'a'.repeat(500)}`])
  expect(long).toHaveLength(31)
  const many = Array.from({ length: 300 }, (_, at) => [
    `DTSTART;VALUE=DATE:${2027 + Math.floor(at / 12)}${String((at % 12) + 1).padStart(2, '0')}01`,
  ])
  expect(read(...many)).toHaveLength(200)
  for (const day of [...long, ...read(...many)]) expect(ClosedDay.safeParse(day).success).toBe(true)
})
