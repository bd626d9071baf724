import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { applyEvents } from './apply-events.ts'
import { conversation, ME } from './testing/samples.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('fetches lists once after several events, and only those that may have changed', () => {
  const client = new QueryClient()
  const people = ['customers', 'list', {}]
  for (const key of [people, ['notes'], ['companies']]) client.setQueryData(key, [])
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  const { customer } = conversation()
  applyEvents(client, [{ event: 'customer:updated', payload: customer }], ME)
  applyEvents(client, [{ event: 'customer:updated', payload: { ...customer, name: 'Carlotta' } }], ME)
  applyEvents(client, [{ event: 'note:deleted', payload: { id: 'n', customer_id: customer.id } }], ME)
  expect(invalidate).not.toHaveBeenCalled()
  vi.runAllTimers()
  // Customers, their conversations, saved views and their numbers, where answers by mail go, and notes.
  expect(invalidate).toHaveBeenCalledTimes(6)
  expect(client.getQueryState(people)?.isInvalidated).toBe(true)
  expect(client.getQueryState(['notes'])?.isInvalidated).toBe(true)
  expect(client.getQueryState(['companies'])?.isInvalidated).toBe(false)
})

it('waits for a slow response before it fetches again, however many events arrive', async () => {
  const client = new QueryClient()
  const waiting: (() => void)[] = []
  const fetchList = vi.fn(() => new Promise<string[]>((answer) => waiting.push(() => answer([]))))
  client.setQueryData(['notes'], [])
  const leave = new QueryObserver(client, { queryKey: ['notes'], queryFn: fetchList, staleTime: 1e6 }).subscribe(
    () => {},
  )
  const happen = async () => {
    applyEvents(client, [{ event: 'note:deleted', payload: { id: 'n', customer_id: 'c' } }], ME)
    await vi.advanceTimersByTimeAsync(500)
  }
  for (let i = 0; i < 4; i++) await happen()
  expect(fetchList).toHaveBeenCalledTimes(1)
  waiting.shift()?.()
  await vi.advanceTimersByTimeAsync(500)
  expect(fetchList).toHaveBeenCalledTimes(2)
  waiting.shift()?.()
  await vi.runAllTimersAsync()
  expect(fetchList).toHaveBeenCalledTimes(2)
  leave()
})
