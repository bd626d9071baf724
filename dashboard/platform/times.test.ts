import dayjs from 'dayjs'
import 'dayjs/locale/vi'
import { afterEach, describe, expect, it } from 'vitest'
import { ageOf, dayTitle, messageTime } from './times.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const ago = (seconds: number) => ageOf(new Date(now - seconds * 1000).toISOString(), now)

describe('relative time', () => {
  it('is just now under ten seconds, and for clocks that run ahead', () => {
    expect(ago(9)).toEqual({ unit: 'just_now' })
    expect(ago(-30)).toEqual({ unit: 'just_now' })
  })

  it.each([
    [10, 'seconds', 10],
    [59, 'seconds', 59],
    [60, 'minutes', 1],
    [3_599, 'minutes', 59],
    [3_600, 'hours', 1],
    [86_399, 'hours', 23],
    [86_400, 'days', 1],
    [864_000, 'days', 10],
  ])('%i seconds ago is shown in %s', (seconds, unit, count) => {
    expect(ago(seconds)).toEqual({ unit, count })
  })
})

describe('dates', () => {
  afterEach(() => void dayjs.locale('en'))

  it('are formatted in the current language', () => {
    const evening = '2026-11-21T18:05:00'
    expect([dayTitle(evening), messageTime(evening)]).toEqual(['November 21, 2026', 'Sat, Nov 21 6:05 PM'])
    dayjs.locale('vi')
    expect([dayTitle(evening), messageTime(evening)]).toEqual(['21 tháng 11, 2026', 'T7, 21 Th11 18:05'])
  })
})
