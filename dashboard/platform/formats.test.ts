import i18next from 'i18next'
import { afterEach, expect, test, vi } from 'vitest'
import { formatLocale, formatNumber } from './formats.ts'
import { clockTime } from './times.ts'

const NOON = new Date(2026, 10, 27, 14, 5)

afterEach(async () => {
  vi.unstubAllGlobals()
  await i18next.init({ lng: 'en' })
})

test.each([
  ['en', ['en-GB', 'en'], 'en-GB', '14:05', '1,204.5'],
  ['en', ['en-US'], 'en-US', '2:05 PM', '1,204.5'],
  ['en', ['de-AT', 'de'], 'en', '2:05 PM', '1,204.5'],
  ['de', ['en-GB', 'de-AT'], 'de-AT', '14:05', '1\u00a0204,5'],
  ['vi', [], 'vi', '14:05', '1.204,5'],
])(
  'screens in %s on a browser that prefers %j write dates and numbers as in %s',
  async (lng, languages, locale, time, number) => {
    vi.stubGlobal('navigator', { languages })
    await i18next.init({ lng })
    expect(formatLocale()).toBe(locale)
    expect(clockTime(NOON).replace(/\s/g, ' ')).toBe(time)
    expect(formatNumber(1204.5)).toBe(number)
  },
)
