import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { type Connection, connect } from '../db/connection.ts'
import { defineJob, defineSchedule, type Job, type Schedule } from './job.ts'
import { createJobs, type Jobs } from './jobs.ts'
import { listWaiting } from './waiting-jobs.ts'

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

async function start(definitions: Job[], schedules: Schedule[] = []): Promise<Jobs> {
  const jobs = createJobs({ pool: db.pool, log })
  await jobs.start({ jobs: definitions, schedules, context: undefined })
  running.push(jobs)
  return jobs
}

const schema = z.object({ account_id: z.string(), bird: z.union([z.string(), z.number()]) })
type Bird = z.output<typeof schema>

/** A job about one bird. */
const birdJob = (name: string, run: (bird: Bird['bird']) => Promise<void>, settings: Partial<Job<Bird>> = {}) =>
  defineJob(name, { schema, ...settings, run: (_context: unknown, { bird }) => run(bird) })

const enqueue = (jobs: Jobs, job: Job<Bird>, bird: Bird['bird'] = 'wren', options: { not_before?: Date } = {}) =>
  db.kysely.transaction().execute((trx) => jobs.enqueue(trx, job, { account_id, bird }, options))

const waiting = async (name: string) =>
  (await db.pool.query('SELECT count(*)::int AS count FROM jobs.job WHERE name = $1', [name])).rows[0].count

test('a job is enqueued once if its transaction commits, and not at all if it is rolled back', async () => {
  const done: unknown[] = []
  const feed = birdJob('birds.feed', async (bird) => void done.push(bird))
  const jobs = await start([feed])
  const rolledBack = db.kysely.transaction().execute(async (trx) => {
    await jobs.enqueue(trx, feed, { account_id, bird: 'rolled back' })
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  expect(await waiting('birds.feed')).toBe(0)
  await enqueue(jobs, feed, 'committed')
  await expect.poll(() => done).toEqual(['committed'])
  expect(await waiting('birds.feed')).toBe(1)
})

test('a payload that does not fit the job does not compile', async () => {
  const count = birdJob('birds.tally', async () => undefined)
  const wrong = (jobs: Jobs) =>
    // @ts-expect-error A job about birds has no field `fish`.
    db.kysely.transaction().execute((trx) => jobs.enqueue(trx, count, { account_id, fish: 'carp' }))
  expect(wrong).toBeTypeOf('function')
})

test('a job starts at once, not at the next poll', async () => {
  let started = 0
  const count = birdJob('birds.count', async () => {
    started = performance.now()
  })
  const jobs = await start([count])
  await new Promise((wait) => setTimeout(wait, 300))
  const enqueued = performance.now()
  await enqueue(jobs, count)
  await expect.poll(() => started, { interval: 5 }).toBeGreaterThan(0)
  expect(started - enqueued).toBeLessThan(1500)
})

test('a job that failed is tried again', async () => {
  let tries = 0
  const ring = birdJob('birds.ring', async () => {
    tries += 1
    if (tries < 2) throw new Error('flew away')
  })
  const jobs = await start([ring])
  await enqueue(jobs, ring)
  await expect.poll(() => tries, { timeout: 18_000 }).toBe(2)
  expect(await jobs.listDeadJobs(account_id)).toEqual([])
})

test('a job that failed at every try is listed for its account alone, and can be tried again', async () => {
  let healthy = false
  const done: unknown[] = []
  const heal = birdJob(
    'birds.heal',
    async (bird) => {
      if (!healthy) throw new Error('no doctor')
      done.push(bird)
    },
    { tries: 1 },
  )
  const jobs = await start([heal])
  await enqueue(jobs, heal, 'robin')
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

test('a failing job does not affect the others of its batch', async () => {
  const done = new Set<unknown>()
  const sing = birdJob(
    'birds.sing',
    async (bird) => {
      if (bird === 7) throw new Error('hoarse')
      done.add(bird)
    },
    { tries: 1 },
  )
  const jobs = await start([sing])
  await db.kysely.transaction().execute(async (trx) => {
    for (let bird = 0; bird < 25; bird++) await jobs.enqueue(trx, sing, { account_id, bird })
  })
  await expect.poll(() => done.size).toBe(24)
  await expect.poll(async () => (await jobs.listDeadJobs(account_id)).map(({ payload }) => payload.bird)).toEqual([7])
  await forgetDead()
})

/** Cleans up for the following tests. */
const forgetDead = () => db.pool.query("DELETE FROM jobs.job WHERE name = 'dead'")

test('a job that exceeds its time limit fails, and no other does', async () => {
  const soar = birdJob(
    'birds.soar',
    (bird) => (bird === 'albatross' ? new Promise(() => undefined) : Promise.resolve()),
    {
      tries: 1,
      timeout: 1,
    },
  )
  const jobs = await start([soar])
  for (const bird of ['albatross', 'wren']) await enqueue(jobs, soar, bird)
  await expect
    .poll(async () => (await jobs.listDeadJobs(account_id)).map(({ payload, error }) => [payload.bird, error]), {
      timeout: 10_000,
    })
    .toEqual([['albatross', 'Not done within 1 seconds.']])
  await forgetDead()
})

test('jobs with the same key run in order, though one fails at first; those with another key do not wait', async () => {
  const done: string[] = []
  let failures = 1
  const nest = defineJob('birds.nest', {
    schema: z.object({ account_id: z.string(), tree: z.string(), twig: z.int() }),
    backoff: { first: 1, longest: 1 },
    key: ({ tree }) => tree,
    run: async (_context: unknown, { tree, twig }) => {
      if (tree === 'oak' && failures-- > 0) throw new Error('windy')
      done.push(`${tree} ${twig}`)
    },
  })
  const jobs = await start([nest])
  await db.kysely.transaction().execute(async (trx) => {
    for (let twig = 0; twig < 3; twig++) await jobs.enqueue(trx, nest, { account_id, tree: 'oak', twig })
    await jobs.enqueueAll(trx, nest, [{ payload: { account_id, tree: 'elm', twig: 0 } }])
  })
  await expect.poll(() => done.length, { timeout: 20_000 }).toBe(4)
  expect(done).toEqual(['elm 0', 'oak 0', 'oak 1', 'oak 2'])
})

test('a job starts as soon as the one before with the same key has ended, and can list those waiting behind it', async () => {
  const waiting: number[][] = []
  const lay = defineJob('birds.lay', {
    schema: z.object({ account_id: z.string(), egg: z.int() }),
    key: ({ account_id }) => account_id,
    run: async (_context: unknown, own): Promise<void> => {
      waiting.push((await listWaiting(db.kysely, lay, own, 4)).map(({ egg }) => egg))
    },
  })
  const jobs = await start([lay])
  const another = { account_id: randomUUID(), egg: 9 }
  await db.kysely.transaction().execute(async (trx) => {
    for (let egg = 0; egg < 6; egg++) await jobs.enqueue(trx, lay, { account_id, egg })
    await jobs.enqueue(trx, lay, another, { not_before: new Date(Date.now() + 3_600_000) })
  })
  // Polled every two seconds, they would take ten.
  await expect.poll(() => waiting.length, { timeout: 8_000 }).toBe(6)
  expect(waiting).toEqual([[1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5], [4, 5], [5], []])
})

test('a payload that this version cannot read becomes a dead job at once, and nothing runs', async () => {
  const done: unknown[] = []
  const older = defineJob('birds.mend', {
    schema: z.object({ account_id: z.string(), wing: z.string() }),
    run: async () => undefined,
  })
  const mend = birdJob('birds.mend', async (bird) => void done.push(bird))
  const jobs = await start([mend])
  await db.kysely.transaction().execute((trx) => jobs.enqueue(trx, older, { account_id, wing: 'left' }))
  await expect
    .poll(async () => (await jobs.listDeadJobs(account_id)).map(({ name, error }) => [name, error]))
    .toEqual([['birds.mend', expect.stringMatching(/^The payload cannot be read: .*bird/s)]])
  expect(done).toEqual([])
  await forgetDead()
})

test('a job whose name this version does not know becomes a dead job, and is logged', async () => {
  const removed = birdJob('birds.gone', async () => undefined, { tries: 1 })
  const before = await start([removed])
  await before.stop()
  await enqueue(before, removed, 'dodo')
  const jobs = await start([])
  await expect
    .poll(async () => (await jobs.listDeadJobs(account_id)).map(({ name, error }) => [name, error]), {
      timeout: 10_000,
    })
    .toEqual([['birds.gone', 'This version of Parley has no job named birds.gone.']])
  await forgetDead()
})

test('a job can be scheduled for later', async () => {
  let started = 0
  const rise = birdJob('birds.wake', async () => {
    started = Date.now()
  })
  const jobs = await start([rise])
  const not_before = new Date(Date.now() + 1500)
  await enqueue(jobs, rise, 'wren', { not_before })
  await expect.poll(() => started, { timeout: 8000 }).toBeGreaterThanOrEqual(not_before.getTime() - 50)
})

test('two nodes share the jobs, and each job runs once', async () => {
  const done: unknown[] = []
  const share = birdJob('birds.share', async (bird) => void done.push(bird))
  const nodes = [await start([share]), await start([share])]
  for (let bird = 0; bird < 20; bird++) await enqueue(nodes[bird % 2]!, share, bird)
  await expect.poll(() => done.length).toBe(20)
  await new Promise((wait) => setTimeout(wait, 300))
  expect(new Set(done).size).toBe(done.length)
})

test('stopping waits for the job that is running', async () => {
  let finished = false
  let started = false
  const hatch = birdJob('birds.hatch', async () => {
    started = true
    await new Promise((wait) => setTimeout(wait, 700))
    finished = true
  })
  const jobs = await start([hatch])
  await enqueue(jobs, hatch)
  await expect.poll(() => started).toBe(true)
  await jobs.stop()
  expect(finished).toBe(true)
})

test('the database holds exactly the declared schedules, once for all nodes', async () => {
  const cron = (name: string) => defineSchedule(name, '*/5 * * * *', async () => undefined)
  await start([], [cron('birds.old')])
  await Promise.all([start([], [cron('birds.dawn')]), start([], [cron('birds.dawn')])])
  const { rows } = await db.pool.query('SELECT name, cron FROM jobs.schedule')
  expect(rows).toEqual([{ name: 'birds.dawn', cron: '*/5 * * * *' }])
})
