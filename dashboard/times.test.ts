import { describe, expect, it } from 'vitest'
import { ageOf } from './times.ts'

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
  ])('%i seconds ago is told in %s', (seconds, unit, count) => {
    expect(ago(seconds)).toEqual({ unit, count })
  })
})
