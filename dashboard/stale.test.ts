import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { conversation } from './samples.ts'
import { hearStale } from './stale.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('asks once for the lists that several events may have changed, and for no other', () => {
  const client = new QueryClient()
  const people = ['customers', 'list', {}]
  for (const key of [people, ['notes'], ['companies']]) client.setQueryData(key, [])
  const asked = vi.spyOn(client, 'invalidateQueries')
  const { customer } = conversation()
  hearStale(client, { event: 'customer:updated', payload: customer })
  hearStale(client, { event: 'customer:updated', payload: { ...customer, name: 'Carlotta' } })
  hearStale(client, { event: 'note:deleted', payload: { id: 'n', customer_id: customer.id } })
  expect(asked).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(asked).toHaveBeenCalledTimes(3)
  expect(client.getQueryState(people)?.isInvalidated).toBe(true)
  expect(client.getQueryState(['notes'])?.isInvalidated).toBe(true)
  expect(client.getQueryState(['companies'])?.isInvalidated).toBe(false)
})
