import i18next from 'i18next'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ageOf, dayTitle, messageTime, weekdayName } from './times.ts'

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
  beforeAll(async () => void (await i18next.init({ lng: 'en' })))
  afterEach(async () => void (await i18next.changeLanguage('en')))

  it('are formatted in the current language', async () => {
    const evening = '2026-11-21T18:05:00'
    expect([dayTitle(evening), messageTime(evening)]).toEqual(['November 21, 2026', 'Sat, Nov 21 6:05 PM'])
    await i18next.changeLanguage('vi')
    expect([dayTitle(evening), messageTime(evening)]).toEqual(['21 tháng 11, 2026', 'Thứ 7, 21 thg 11 18:05'])
  })
  it('name the days of the week, counted from Monday', async () => {
    expect([0, 6].map((day) => weekdayName(day, 'long'))).toEqual(['Monday', 'Sunday'])
    await i18next.changeLanguage('de')
    expect([0, 6].map((day) => weekdayName(day, 'short'))).toEqual(['Mo', 'So'])
  })
})
