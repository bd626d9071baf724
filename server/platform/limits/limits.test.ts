import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type RedisServer, startRedis } from '#tests/support/redis-server.ts'
import { openRedis, type Redis } from '../realtime/redis.ts'
import type { Limits } from './limits.ts'
import { MemoryLimits } from './memory-limits.ts'
import { RedisLimits } from './redis-limits.ts'

const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
const yes = { allowed: true }
const no = (retryAfterSeconds: number) => ({ allowed: false, retryAfterSeconds })

let redis: RedisServer
const clients: Redis[] = []

beforeAll(async () => {
  redis = await startRedis()
})
afterAll(async () => {
  for (const client of clients) client.destroy()
  await redis.stop()
})

async function sharedLimits(): Promise<RedisLimits> {
  const client = openRedis(redis.url, log)
  clients.push(client)
  while (!client.isReady) await sleep(5)
  return new RedisLimits(client, log)
}

const kinds: [string, () => Promise<Limits>][] = [
  ['in memory', async () => new MemoryLimits()],
  ['in Redis', sharedLimits],
]

describe.each(kinds)('a token bucket %s', (kind, create) => {
  it('allows as many as its capacity, then returns the seconds to wait', async () => {
    const limits = await create()
    const limit = { capacity: 3, perSecond: 0.4 }
    const answers = []
    for (let count = 0; count < 5; count++) answers.push(await limits.take(`${kind} a`, limit))
    expect(answers).toEqual([yes, yes, yes, no(3), no(3)])
    expect(await limits.take(`${kind} b`, limit)).toEqual(yes)
  })

  it('refills with time', async () => {
    const limits = await create()
    const limit = { capacity: 2, perSecond: 1 }
    for (let count = 0; count < 2; count++) await limits.take(`${kind} c`, limit)
    expect(await limits.take(`${kind} c`, limit)).toEqual(no(1))
    await sleep(1_050)
    expect(await limits.take(`${kind} c`, limit)).toEqual(yes)
    expect(await limits.take(`${kind} c`, limit)).toEqual(no(1))
  })

  it('takes no tokens when it refuses, and requires a full bucket if the cost exceeds the capacity', async () => {
    const limits = await create()
    const limit = { capacity: 10, perSecond: 0.1 }
    expect(await limits.take(`${kind} d`, limit, 7)).toEqual(yes)
    expect(await limits.take(`${kind} d`, limit, 7)).toEqual(no(40))
    expect(await limits.take(`${kind} d`, limit, 3)).toEqual(yes)
    expect(await limits.take(`${kind} e`, limit, 1_000)).toEqual(yes)
    expect(await limits.take(`${kind} e`, limit, 1_000)).toEqual(no(100))
  })

  it('accepts unused tokens back, and never exceeds its capacity', async () => {
    const limits = await create()
    const limit = { capacity: 2, perSecond: 0.001 }
    for (const cost of [1, 1, -1, 1]) expect(await limits.take(`${kind} back`, limit, cost)).toEqual(yes)
    expect((await limits.take(`${kind} back`, limit)).allowed).toBe(false)
    for (const cost of [-1, -1, -1, 1, 1]) await limits.take(`${kind} back`, limit, cost)
    expect((await limits.take(`${kind} back`, limit)).allowed).toBe(false)
  })

  it('never allows more than its initial tokens and refills', async () => {
    const limits = await create()
    const limit = { capacity: 20, perSecond: 0.001 }
    let round = 0
    const costs = fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(costs, async (requested) => {
        const key = `${kind} property ${round++}`
        const answers = await Promise.all(requested.map((cost) => limits.take(key, limit, cost)))
        const consumed = requested.reduce((sum, cost, index) => sum + (answers[index]?.allowed ? cost : 0), 0)
        expect(consumed).toBeLessThanOrEqual(20)
        if (consumed <= 10) expect(answers.every(({ allowed }) => allowed)).toBe(true)
      }),
      { numRuns: 50, seed: 20_261_121 },
    )
  })
})

describe('limits in memory', () => {
  it('drop full buckets, and the least recently used ones beyond the maximum', async () => {
    let now = 0
    const limits = new MemoryLimits({ maxKeys: 100, now: () => now })
    for (let key = 0; key < 1_000; key++) await limits.take(`${key}`, { capacity: 1, perSecond: 1 })
    expect(limits.size).toBe(100)
    now += 5_000
    for (let key = 0; key < 60; key++) await limits.take('busy', { capacity: 1_000, perSecond: 1 })
    expect(limits.size).toBe(1)
  })

  it('keep buckets that were just exhausted', async () => {
    const limits = new MemoryLimits({ maxKeys: 10, now: () => 0 })
    const limit = { capacity: 1, perSecond: 1 }
    await limits.take('flood', limit)
    for (let key = 0; key < 50; key++) {
      await limits.take(`${key}`, limit)
      expect(await limits.take('flood', limit)).toEqual(no(1))
    }
  })
})

describe('limits in Redis', () => {
  it('are shared by all nodes', async () => {
    const [first, second] = [await sharedLimits(), await sharedLimits()]
    const limit = { capacity: 2, perSecond: 0.1 }
    expect(await first.take('shared', limit)).toEqual(yes)
    expect(await second.take('shared', limit)).toEqual(yes)
    expect(await first.take('shared', limit)).toEqual(no(10))
  })

  it('delete a bucket that is full again', async () => {
    const limits = await sharedLimits()
    await limits.take('short', { capacity: 1, perSecond: 10 })
    await limits.take('long', { capacity: 1, perSecond: 0.01 })
    // A Redis that was too slow to answer in time still takes the tokens, a moment later.
    await vi.waitFor(async () => {
      expect(await redis.command('EXISTS', 'parley:limit:long')).toBe(1)
      expect(await redis.command('EXISTS', 'parley:limit:short')).toBe(0)
    }, 5_000)
  })

  it('are counted by each node while Redis hangs or is unreachable, without delaying callers', async () => {
    const limits = await sharedLimits()
    const limit = { capacity: 1, perSecond: 0.1 }
    redis.freeze()
    const before = performance.now()
    expect(await limits.take('frozen', limit)).toEqual(yes)
    for (let count = 0; count < 10; count++) expect(await limits.take('frozen', limit)).toEqual(no(10))
    // If each call had waited for its timeout, this would take eleven times as long.
    expect(performance.now() - before).toBeLessThan(11 * 300)
    redis.thaw()
    await redis.kill()
    expect(await limits.take('away', limit)).toEqual(yes)
    expect(await limits.take('away', limit)).toEqual(no(10))
  })
})
