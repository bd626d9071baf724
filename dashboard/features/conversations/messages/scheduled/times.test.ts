import { describe, expect, it } from 'vitest'
import { knownTimeZone, sendTimes } from './times.ts'

const timesAt = (now: string, zone: string) =>
  Object.fromEntries(sendTimes(new Date(now), zone).map(({ name, at }) => [name, at]))

describe('the suggested times for sending', () => {
  it('are nine in the morning where the customer is', () => {
    expect(timesAt('2026-11-27T20:30:00Z', 'Asia/Ho_Chi_Minh')).toEqual({
      hour: '2026-11-27T21:30:00.000Z',
      // It is Saturday there already.
      tomorrow: '2026-11-29T02:00:00.000Z',
      monday: '2026-11-30T02:00:00.000Z',
    })
  })

  it('are nine on the clock also where summer time begins or ends until then', () => {
    expect(timesAt('2026-03-28T12:00:00Z', 'Europe/Berlin')).toMatchObject({ tomorrow: '2026-03-29T07:00:00.000Z' })
    expect(timesAt('2026-10-24T12:00:00Z', 'Europe/Berlin')).toMatchObject({ tomorrow: '2026-10-25T08:00:00.000Z' })
    expect(timesAt('2026-10-31T12:00:00Z', 'America/New_York')).toMatchObject({ tomorrow: '2026-11-01T14:00:00.000Z' })
  })

  it('name Monday once on Sundays, and the next one on Mondays', () => {
    expect(timesAt('2026-11-29T12:00:00Z', 'UTC')).toMatchObject({ tomorrow: '2026-11-30T09:00:00.000Z' })
    expect(timesAt('2026-11-29T12:00:00Z', 'UTC')).not.toHaveProperty('monday')
    expect(timesAt('2026-11-30T12:00:00Z', 'UTC')).toMatchObject({ monday: '2026-12-07T09:00:00.000Z' })
  })

  it('are in the own time zone where the customer’s is unknown or no zone', () => {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone
    expect(knownTimeZone(null)).toBe(own)
    expect(knownTimeZone('Middle/Earth')).toBe(own)
    expect(knownTimeZone('Europe/Berlin')).toBe('Europe/Berlin')
  })
})
