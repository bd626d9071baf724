import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { type Connection, connect } from '../db/connection.ts'
import { type Crons, createJobs, type JobHandlers, type Jobs } from './jobs.ts'

const log = pino({ level: 'silent' })
const account_id = randomUUID()
let database: FreshDatabase
let db: Connection
let running: Jobs[] = []

beforeAll(async () => {
  database = await freshDatabase()
  db = connect(database.connection, log)
})

afterEach(async () => {
  await Promise.all(running.map((jobs) => jobs.stop()))
  running = []
})

afterAll(async () => {
  await db.end()
  await database.drop()
})

async function start(handlers: JobHandlers, crons: Crons = {}): Promise<Jobs> {
  const jobs = createJobs({ pool: db.pool, log })
  await jobs.start(handlers, crons)
  running.push(jobs)
  return jobs
}

const enqueue = (jobs: Jobs, name: string, payload: object, options = {}) =>
  db.kysely.transaction().execute((trx) => jobs.enqueue(trx, name, { account_id, ...payload }, options))

const waiting = async (name: string) =>
  (await db.pool.query('SELECT count(*)::int AS count FROM jobs.job WHERE name = $1', [name])).rows[0].count

test('a job of a transaction that is rolled back never was, one of a committed transaction is there once', async () => {
  const done: unknown[] = []
  const jobs = await start({ 'birds.feed': async ({ bird }) => void done.push(bird) })
  const rolledBack = db.kysely.transaction().execute(async (trx) => {
    await jobs.enqueue(trx, 'birds.feed', { account_id, bird: 'rolled back' })
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  expect(await waiting('birds.feed')).toBe(0)
  await enqueue(jobs, 'birds.feed', { bird: 'committed' })
  await expect.poll(() => done).toEqual(['committed'])
  expect(await waiting('birds.feed')).toBe(1)
})

test('a job starts at once, not at the next look', async () => {
  let started = 0
  const jobs = await start({
    'birds.count': async () => {
      started = performance.now()
    },
  })
  await new Promise((wait) => setTimeout(wait, 300))
  const enqueued = performance.now()
  await enqueue(jobs, 'birds.count', {})
  await expect.poll(() => started, { interval: 5 }).toBeGreaterThan(0)
  expect(started - enqueued).toBeLessThan(1500)
})

test('a job that failed is tried again', async () => {
  let tries = 0
  const jobs = await start({
    'birds.ring': async () => {
      tries += 1
      if (tries < 2) throw new Error('flew away')
    },
  })
  await enqueue(jobs, 'birds.ring', {})
  await expect.poll(() => tries, { timeout: 18_000 }).toBe(2)
  expect(await jobs.listDeadJobs(account_id)).toEqual([])
})

test('a job that failed at every try is listed for its account alone, and can be tried again', async () => {
  let healthy = false
  const done: unknown[] = []
  const jobs = await start({
    'birds.heal': async ({ bird }) => {
      if (!healthy) throw new Error('no doctor')
      done.push(bird)
    },
  })
  await enqueue(jobs, 'birds.heal', { bird: 'robin' }, { tries: 1 })
  await expect.poll(() => jobs.listDeadJobs(account_id)).toHaveLength(1)
  const [dead] = await jobs.listDeadJobs(account_id)
  expect(dead).toMatchObject({ name: 'birds.heal', error: 'no doctor', payload: { account_id, bird: 'robin' } })
  expect(dead!.failed_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
  const other = randomUUID()
  expect(await jobs.listDeadJobs(other)).toEqual([])
  expect(await jobs.retryDeadJob(other, dead!.id)).toBe(false)
  healthy = true
  expect(await jobs.retryDeadJob(account_id, dead!.id)).toBe(true)
  await expect.poll(() => done, { timeout: 5000 }).toEqual(['robin'])
  expect(await jobs.listDeadJobs(account_id)).toEqual([])
  expect(await jobs.retryDeadJob(account_id, dead!.id)).toBe(false)
})

test('one failing job of a batch does not take the others with it', async () => {
  const done = new Set<unknown>()
  const jobs = await start({
    'birds.sing': async ({ bird }) => {
      if (bird === 7) throw new Error('hoarse')
      done.add(bird)
    },
  })
  await db.kysely.transaction().execute(async (trx) => {
    for (let bird = 0; bird < 25; bird++) await jobs.enqueue(trx, 'birds.sing', { account_id, bird }, { tries: 1 })
  })
  await expect.poll(() => done.size).toBe(24)
  await expect.poll(async () => (await jobs.listDeadJobs(account_id)).map(({ payload }) => payload.bird)).toEqual([7])
})

test('a job may wait for its time', async () => {
  let started = 0
  const jobs = await start({
    'birds.wake': async () => {
      started = Date.now()
    },
  })
  const not_before = new Date(Date.now() + 1500)
  await enqueue(jobs, 'birds.wake', {}, { not_before })
  await expect.poll(() => started, { timeout: 8000 }).toBeGreaterThanOrEqual(not_before.getTime() - 50)
})

test('two nodes share the work: every job is done once', async () => {
  const done: unknown[] = []
  const handlers = { 'birds.share': async ({ bird }: { account_id: string; bird: number }) => void done.push(bird) }
  const nodes = [await start(handlers), await start(handlers)]
  for (let bird = 0; bird < 20; bird++) await enqueue(nodes[bird % 2]!, 'birds.share', { bird })
  await expect.poll(() => done.length).toBe(20)
  await new Promise((wait) => setTimeout(wait, 300))
  expect(new Set(done).size).toBe(done.length)
})

test('stopping waits for the job that is running', async () => {
  let finished = false
  let started = false
  const jobs = await start({
    'birds.hatch': async () => {
      started = true
      await new Promise((wait) => setTimeout(wait, 700))
      finished = true
    },
  })
  await enqueue(jobs, 'birds.hatch', {})
  await expect.poll(() => started).toBe(true)
  await jobs.stop()
  expect(finished).toBe(true)
})

test('the schedule holds what the table of crons says, once for all nodes, and nothing older', async () => {
  const cron = { schedule: '*/5 * * * *', run: async () => undefined }
  await start({}, { 'birds.old': cron })
  await Promise.all([start({}, { 'birds.dawn': cron }), start({}, { 'birds.dawn': cron })])
  const { rows } = await db.pool.query('SELECT name, cron FROM jobs.schedule')
  expect(rows).toEqual([{ name: 'birds.dawn', cron: '*/5 * * * *' }])
})
