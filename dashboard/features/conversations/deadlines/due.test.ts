import { expect, test } from 'vitest'
import { roughTime, urgencyOf } from './due.ts'

const MINUTE = 60_000
const NOON = Date.parse('2026-11-27T12:00:00Z')
const due = { due_started_at: '2026-11-27T12:00:00Z', due_at: '2026-11-27T13:00:00Z' }

test('a deadline is urgent in the last quarter of its time, and over from its moment on', () => {
  const at = (minutes: number) => urgencyOf(due, NOON + minutes * MINUTE)
  expect([0, 44, 45, 59, 60, 600].map(at)).toEqual(['calm', 'calm', 'soon', 'soon', 'over', 'over'])
})

test('times are told in the largest unit that fits, and at least as a minute', () => {
  expect([20_000, 25 * MINUTE, -119 * MINUTE, 25 * 60 * MINUTE].map(roughTime)).toEqual([
    { unit: 'minute', count: 1 },
    { unit: 'minute', count: 25 },
    { unit: 'hour', count: 1 },
    { unit: 'day', count: 1 },
  ])
})
