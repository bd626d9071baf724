import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { refreshAfter } from './refresh-after.ts'

test('affected queries are fetched again after a write, also if it failed, and the error is reported', async () => {
  const client = new QueryClient()
  const isOld = () => client.getQueryState(['mails'])?.isInvalidated
  client.setQueryData(['mails'], [])
  await refreshAfter(Promise.resolve(), client, ['mails'])
  expect(isOld()).toBe(true)
  client.setQueryData(['mails'], [])
  expect(isOld()).toBe(false)
  await expect(refreshAfter(Promise.reject(new Error('Gone')), client, ['mails'])).rejects.toThrow('Gone')
  expect(isOld()).toBe(true)
})
