import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { Dispatcher } from './dispatcher.ts'

const log = pino({ level: 'silent' })

test('groups take turns: however many rows some groups have, each other group waits for one of theirs at most', async () => {
  const rowsOf = (group: string, count: number) => Array.from({ length: count }, () => ({ group, request_id: null }))
  const due = ['a', 'b', 'c', 'd', 'e'].flatMap((group) => rowsOf(group, 10))
  const ended: string[] = []
  const dispatcher = new Dispatcher<(typeof due)[number]>(log, {
    name: 'work',
    atOnce: 1,
    batch: 1,
    claim: async (limit, leftOut) => {
      const chosen = due.filter(({ group }) => !leftOut.includes(group)).slice(0, limit)
      for (const row of chosen) due.splice(due.indexOf(row), 1)
      return chosen
    },
    groups: { of: ({ group }) => ({ group, atOnce: 1 }), inTurns: true, release: async () => undefined },
    run: async ({ group }) => {
      ended.push(group)
      if (ended.length === 3) due.push(...rowsOf('late', 1))
    },
  })
  dispatcher.wake()
  await expect.poll(() => ended).toHaveLength(51)
  dispatcher.stop()
  expect(ended.indexOf('late')).toBeLessThanOrEqual(5)
  expect(ended.slice(0, 5).sort()).toEqual(['a', 'b', 'c', 'd', 'e'].map((group) => group).sort())
})

test('claims on running work are renewed until it ends, and no longer', async () => {
  const due = ['a', 'b'].map((id) => ({ id, request_id: null, ended: Promise.withResolvers<void>() }))
  const [a, b] = due.map(({ ended }) => ended)
  const renewed: string[] = []
  const dispatcher = new Dispatcher<(typeof due)[number]>(log, {
    name: 'work',
    atOnce: 2,
    batch: 2,
    claim: async (limit) => due.splice(0, limit),
    claims: {
      everyMs: 5,
      renew: async (running) => {
        renewed.push(running.map(({ id }) => id).join())
      },
    },
    run: ({ ended }) => ended.promise,
  })
  dispatcher.wake()
  await expect.poll(() => renewed).toContain('a,b')
  a!.resolve()
  await expect.poll(() => renewed.at(-1)).toBe('b')
  // Stopping does not wait: work in progress continues and stays claimed by this server.
  dispatcher.stop()
  const before = renewed.length
  await expect.poll(() => renewed.length).toBeGreaterThan(before)
  b!.resolve()
  await b!.promise
  const after = renewed.length
  await new Promise((passed) => setTimeout(passed, 50))
  expect(renewed.length - after).toBeLessThanOrEqual(1)
})

test('rows that a dead server left behind are found although nothing announces them', async ({ onTestFinished }) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const due: { id: string; request_id: null }[] = []
  const ran: string[] = []
  const dispatcher = new Dispatcher<(typeof due)[number]>(log, {
    name: 'work',
    atOnce: 2,
    batch: 2,
    claim: async (limit) => due.splice(0, limit),
    run: async ({ id }) => void ran.push(id),
  })
  dispatcher.wake()
  await vi.advanceTimersByTimeAsync(1_000)
  due.push({ id: 'left behind', request_id: null })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(ran).toEqual(['left behind'])
  due.push({ id: 'another', request_id: null })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(ran).toEqual(['left behind', 'another'])
  dispatcher.stop()
})
