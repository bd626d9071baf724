import { pino } from 'pino'
import { expect, test } from 'vitest'
import { Dispatcher } from './dispatcher.ts'

const log = pino({ level: 'silent' })

test('what is under way is kept for this server until it ends, and no longer', async () => {
  const due = ['a', 'b'].map((id) => ({ id, request_id: null, ended: Promise.withResolvers<void>() }))
  const [a, b] = due.map(({ ended }) => ended)
  const kept: string[] = []
  const dispatcher = new Dispatcher<(typeof due)[number]>(log, {
    name: 'work',
    atOnce: 2,
    batch: 2,
    claim: async (limit) => due.splice(0, limit),
    taken: {
      everyMs: 5,
      renew: async (underWay) => {
        kept.push(underWay.map(({ id }) => id).join())
      },
    },
    run: ({ ended }) => ended.promise,
  })
  dispatcher.wake()
  await expect.poll(() => kept).toContain('a,b')
  a!.resolve()
  await expect.poll(() => kept.at(-1)).toBe('b')
  // Stopping does not wait: work in progress continues and stays claimed by this server.
  dispatcher.stop()
  const before = kept.length
  await expect.poll(() => kept.length).toBeGreaterThan(before)
  b!.resolve()
  await b!.promise
  const after = kept.length
  await new Promise((passed) => setTimeout(passed, 50))
  expect(kept.length - after).toBeLessThanOrEqual(1)
})
