import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ARRIVALS_MS, applyPresence } from './arrivals.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const comes = (key: string) => ({ joins: { [key]: { metas: [] } }, leaves: {} })

it('refetches only first pages, and only once in a while, however many visitors arrive', () => {
  const client = new QueryClient()
  const [first, second] = [
    ['customers', 'list', { q: 'oak' }],
    ['customers', 'list', { q: 'oak', page: '2' }],
  ]
  for (const key of [first!, second!]) client.setQueryData(key, {})
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  applyPresence(client, comes('user:7'))
  vi.advanceTimersByTime(ARRIVALS_MS)
  expect(invalidate).not.toHaveBeenCalled()
  for (let at = 0; at < 50; at++) applyPresence(client, comes(`customer:${at}`))
  vi.advanceTimersByTime(ARRIVALS_MS)
  expect(invalidate).toHaveBeenCalledTimes(1)
  expect(client.getQueryState(first!)?.isInvalidated).toBe(true)
  expect(client.getQueryState(second!)?.isInvalidated).toBe(false)
})
