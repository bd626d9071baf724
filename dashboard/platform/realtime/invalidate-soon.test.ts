import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { invalidateSoon } from './invalidate-soon.ts'

const KEY = ['tags']
let client: QueryClient
let stop: () => void
/** Each resolves one pending request, the oldest first. */
let answers: ((names: string[]) => void)[]

beforeEach(() => {
  vi.useFakeTimers()
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  answers = []
  const queryFn = () => new Promise<string[]>((answer) => answers.push(answer))
  stop = new QueryObserver(client, { queryKey: KEY, queryFn }).subscribe(() => undefined)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

test('several events in a row cause one request', async () => {
  answers[0]!(['late'])
  for (let event = 0; event < 3; event++) invalidateSoon(client, [KEY])
  await vi.advanceTimersByTimeAsync(500)
  answers[1]!(['late', 'broken'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(client.getQueryData(KEY)).toEqual(['late', 'broken'])
  expect(answers).toHaveLength(2)
})

test('a list that changes while it loads for the first time is fetched again', async () => {
  invalidateSoon(client, [KEY])
  await vi.advanceTimersByTimeAsync(500)
  expect(answers).toHaveLength(1)
  answers[0]!(['late'])
  await vi.advanceTimersByTimeAsync(0)
  expect(client.getQueryData(KEY)).toEqual(['late'])
  answers[1]!(['late', 'broken'])
  await vi.advanceTimersByTimeAsync(0)
  expect(client.getQueryData(KEY)).toEqual(['late', 'broken'])
})
