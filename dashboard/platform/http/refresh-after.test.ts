import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { refreshAfter } from './refresh-after.ts'

test('what a write touches is asked for again, also when it failed, and the failure is told', async () => {
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
