import dayjs from 'dayjs'
import { expect, it } from 'vitest'
import { snoozeTimes } from './snooze-times.ts'

const offeredAt = (now: string) =>
  snoozeTimes(dayjs(now).toDate()).map(({ name, until }) => [name, until && dayjs(until).format('ddd D HH:mm')])

it('offers three hours, the next morning, the next Monday and the customer’s answer', () => {
  expect(offeredAt('2026-11-18T14:20:00')).toEqual([
    ['later', 'Wed 18 17:20'],
    ['tomorrow', 'Thu 19 09:00'],
    ['monday', 'Mon 23 09:00'],
    ['answer', null],
  ])
})

it('offers the following Monday, on a Monday', () => {
  expect(offeredAt('2026-11-23T08:00:00')[2]).toEqual(['monday', 'Mon 30 09:00'])
})

it('does not offer one morning twice, on a Sunday', () => {
  expect(offeredAt('2026-11-22T08:00:00').map(([name]) => name)).toEqual(['later', 'tomorrow', 'answer'])
})
