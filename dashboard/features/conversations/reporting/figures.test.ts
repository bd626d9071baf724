import { expect, test } from 'vitest'
import { changeInPercent, countsOn, inHours, topOf, writePercent } from './figures.ts'
import { daysOf, rangeBefore, rangeOf, todayIn } from './range.ts'

test('durations are shown as h m s', () => {
  expect([0, 59.6, 61, 3600, 90_061].map(inHours)).toEqual(['0s', '1m 0s', '1m 1s', '1h 0m 0s', '25h 1m 1s'])
})

test('a change is a percentage with two decimals, and there is none from zero', () => {
  expect(writePercent(changeInPercent(200, 150)!)).toBe('-25.00%')
  expect(writePercent(changeInPercent(3, 4)!)).toBe('+33.33%')
  expect(changeInPercent(0, 5)).toBeUndefined()
})

test('of more than five groups the largest four are shown, and the rest as one', () => {
  const groups = [9, 5, 4, 3, 2, 1].map((count) => ({ browser: `b${count}`, count }))
  const name = ({ browser }: { browser: string }) => browser
  expect(topOf(groups, name, 'Other').map(({ name, count }) => `${name} ${count}`)).toEqual([
    'b9 9',
    'b5 5',
    'b4 4',
    'b3 3',
    'Other 3',
  ])
  expect(topOf(groups.slice(1), name, 'Other')).toHaveLength(5)
})

test('the account’s day does not depend on how the browser writes dates', ({ onTestFinished }) => {
  const own = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format')!
  onTestFinished(() => void Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', own))
  Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', { ...own, get: () => () => '04/01/2026' })
  expect(todayIn('Asia/Tokyo', new Date('2026-03-31T20:00:00Z'))).toBe('2026-04-01')
  expect(todayIn('Mars/Olympus', new Date('2026-03-31T20:00:00Z'))).toBe('2026-03-31')
})

test('periods are days of the account, and the one before is as long', () => {
  expect(rangeOf('last_30', '2026-03-30')).toEqual({ from: '2026-03-01', to: '2026-03-30' })
  expect(rangeOf('this_month', '2026-03-30')).toEqual({ from: '2026-03-01', to: '2026-03-30' })
  expect(rangeOf('last_month', '2026-03-30')).toEqual({ from: '2026-02-01', to: '2026-02-28' })
  expect(rangeBefore({ from: '2026-03-08', to: '2026-03-14' })).toEqual({ from: '2026-03-01', to: '2026-03-07' })
  expect(daysOf({ from: '2026-02-27', to: '2026-03-01' })).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
})

test('days without events count as zero', () => {
  expect(countsOn(['2026-03-01', '2026-03-02'], [{ date: '2026-03-02', count: 4 }])).toEqual([0, 4])
})
