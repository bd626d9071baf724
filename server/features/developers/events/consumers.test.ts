import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineConsumer } from '#server/feature.ts'
import type { ConsumerFailure } from '#server/features/developers/events/consumer-loop.ts'
import { type RunningConsumers, startConsumers } from '#server/features/developers/events/consumers.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startConversation, type World } from '#tests/support/world.ts'

/** Two servers on one database, whose consumers record the events they get, in order. */
let database: FreshDatabase
let first: TestServer
let second: TestServer
let world: World
let conversation_id: string
const consumed: string[] = []
let failures = 0
let endWorkElsewhere: () => Promise<void>

const writer = defineConsumer('tests.write', {
  of: ['message:created'],
  jobs: [],
  async consume(_context, _change, events) {
    if (failures > 0) {
      failures--
      throw new Error('The pen is dry.')
    }
    for (const { event } of events) consumed.push(event.message.body ?? '')
  },
})
const tests = { name: 'tests', consumers: [writer] }

beforeAll(async () => {
  database = await freshDatabase()
  endWorkElsewhere = await workElsewhere()
  const quiet = await startTestServer({}, undefined, database)
  world = await createWorld(quiet)
  ;({ conversation_id } = await startConversation(quiet, world.carla, 'before anybody read'))
  await quiet.close()
  first = await startTestServer({}, tests, database)
  second = await startTestServer({}, tests, database)
})
afterAll(async () => {
  await first.close()
  await second.close()
  await database.drop()
})

/** Opens an older transaction in another database of the same PostgreSQL. */
async function workElsewhere(): Promise<() => Promise<void>> {
  const elsewhere = await freshDatabase()
  const client = new pg.Client(elsewhere.connection)
  await client.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  return async () => {
    await client.query('commit')
    await client.end()
    await elsewhere.drop()
  }
}

const post = (server: TestServer, body: string) =>
  server.request('POST', '/api/messages', { token: world.carla.token, body: { message: { conversation_id, body } } })

test('events of two servers are consumed once, in order, from the registration of the consumer on', async () => {
  const bodies = Array.from({ length: 30 }, (_, i) => `${i}`)
  for (const [i, body] of bodies.entries()) await post(i % 2 ? first : second, body)
  await endWorkElsewhere()
  await expect.poll(() => consumed.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(bodies.length)
  expect(consumed).toEqual(bodies)
})

test('a consumer that fails receives the same events again', async () => {
  failures = 2
  await post(first, 'consumed at last')
  await expect.poll(() => consumed.at(-1), { timeout: 15_000 }).toBe('consumed at last')
  expect(consumed.filter((body) => body === 'consumed at last')).toHaveLength(1)
})

test('an event of a slow transaction is consumed once it has committed, and not skipped', async () => {
  const { postMessage } = await import('#server/features/conversations/conversations/posting.ts')
  const author = { kind: 'customer' as const, customer_id: world.carla.customer_id }
  const other = await startConversation(first, world.carla, 'elsewhere')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let hasWritten = () => {}
  const written = new Promise<void>((resolve) => (hasWritten = resolve))
  const slowly = first.context.change(async (tx) => {
    const draft = { conversation_id: other.conversation_id, body: 'slow' }
    await postMessage(first.context, tx, world.acme.id, author, draft)
    hasWritten()
    await held
  })
  await written
  await post(second, 'fast')
  release()
  await slowly
  // In two batches, if yet another transaction is open in between.
  await expect.poll(() => consumed.slice(-2).sort(), { timeout: 10_000 }).toEqual(['fast', 'slow'])
})

/** A consumer that never finishes a batch. */
function hanging(whenBegun: () => void) {
  return defineConsumer('tests.hang', {
    of: ['message:created'],
    jobs: [],
    consume: () => {
      whenBegun()
      return new Promise(() => undefined)
    },
  })
}

test('events that do not concern a consumer are not read, and it moves past them', async () => {
  const read: string[] = []
  const consumer = defineConsumer('tests.concerned', {
    of: ['message:created'],
    concerns: sql`event -> 'message' ->> 'body' like 'for all%'`,
    jobs: [],
    async consume(_context, _change, events) {
      for (const { event } of events) read.push(event.message.body ?? '')
    },
  })
  const consumers = await startConsumers(first.context, [consumer])
  for (const body of ['for all, 1', 'for others', 'for all, 2', 'for others again']) await post(first, body)
  consumers.wake(new Set(['message:created']))
  await expect.poll(() => read).toEqual(['for all, 1', 'for all, 2'])
  const isBehind = async () => {
    const { rows } = await sql`
      select from events e, event_followers f where f.name = ${consumer.name} and (e.xid, e.id) > (f.xid, f.id)`.execute(
      first.context.db,
    )
    return rows.length > 0
  }
  await expect.poll(isBehind).toBe(false)
  await post(first, 'for others once more')
  await expect.poll(isBehind, { timeout: 30_000 }).toBe(false)
  await consumers.stop()
  expect(read).toHaveLength(2)
})

test('a consumer that hangs delays no other', async () => {
  let begun = 0
  const read: string[] = []
  const reader = defineConsumer('tests.read', {
    of: ['message:created'],
    jobs: [],
    async consume(_context, _change, events) {
      for (const { event } of events) read.push(event.message.body ?? '')
    },
  })
  const consumers = await startConsumers(first.context, [hanging(() => begun++), reader], { batchMs: 300_000 })
  await post(first, 'one hangs')
  await expect.poll(() => begun).toBe(1)
  await post(first, 'and the other reads on')
  consumers.wake(new Set(['message:created']))
  await expect.poll(() => read).toEqual(['one hangs', 'and the other reads on'])
  await consumers.stop()
})

test('a consumer that hangs is aborted after its time limit, and is reported while it fails', async () => {
  let consumers: RunningConsumers | undefined
  /** What fails whenever it begins a batch. */
  const failing: (ConsumerFailure[] | undefined)[] = []
  const consumer = hanging(() => failing.push(consumers?.failing()))
  consumers = await startConsumers(first.context, [consumer], { batchMs: 500 })
  await post(first, 'it hangs')
  await expect.poll(() => failing.length, { timeout: 30_000 }).toBeGreaterThan(1)
  expect(failing[0]).toEqual([])
  expect(failing[1]).toMatchObject([{ name: 'tests.hang', failures: 1 }])
  await consumers.stop()
})

test('readiness reports a failing consumer but stays ready, because the consumer would fail on any server', async () => {
  failures = 10
  await post(first, 'the pen is dry')
  const ready = async () => (await first.request('GET', '/ready')).body
  const elsewhere = async () => (await second.request('GET', '/ready')).body
  await expect
    .poll(async () => [await ready(), await elsewhere()].some(({ consumers }) => !consumers.ok), { timeout: 10_000 })
    .toBe(true)
  expect([(await ready()).ok, (await elsewhere()).ok]).toEqual([true, true])
  failures = 0
  await expect.poll(() => consumed.at(-1), { timeout: 20_000 }).toBe('the pen is dry')
})

test('events that a consumer has not read are not pruned, however old; a removed consumer does not count', async () => {
  const { pruneEvents } = await import('#server/features/developers/events/event-log.ts')
  const { db } = first.context
  await db.updateTable('events').set({ created_at: '2026-01-01T00:00:00Z' }).execute()
  const count = async () => (await db.selectFrom('events').select('id').execute()).length
  await db.insertInto('event_followers').values({ name: 'tests.sleeper', xid: '1' }).execute()
  const before = await count()
  await pruneEvents(db, ['tests.sleeper'])
  expect(await count()).toBe(before)
  await pruneEvents(db, [])
  expect(await count()).toBeLessThan(before)
})

test('in a copy of the database, whose transaction ids start anew, consumers continue from their positions', async () => {
  const copy = await freshDatabase()
  const copied = await startTestServer({}, tests, copy)
  const { carla } = await createWorld(copied)
  const { conversation_id } = await startConversation(copied, carla, 'before the copy')
  const write = (server: TestServer, body: string) =>
    server.request('POST', '/api/messages', { token: carla.token, body: { message: { conversation_id, body } } })
  await expect.poll(() => consumed).toContain('before the copy')
  // What at least one consumer has not read is given to each of them again.
  await expect.poll(() => behind(copied)).toEqual([])
  await copied.close()
  const quiet = await startTestServer({}, undefined, copy)
  await write(quiet, 'left behind in the copy')
  await quiet.close()
  await moveLogAhead(copy)

  const server = await startTestServer({}, tests, copy)
  await write(server, 'said in the copy')
  await expect.poll(() => consumed, { timeout: 10_000 }).toContain('said in the copy')
  const inCopy = ['before the copy', 'left behind in the copy', 'said in the copy']
  expect(consumed.filter((body) => body.endsWith('the copy'))).toEqual(inCopy)
  await server.close()
  await copy.drop()
})

/** The consumers that have not read the whole log. */
async function behind({ context }: TestServer) {
  const { rows } = await sql`
    select name from event_followers f
    where exists (select 1 from events e where (e.xid, e.id) > (f.xid, f.id))`.execute(context.db)
  return rows
}

/** As if a dump had been restored into a PostgreSQL with smaller transaction ids. */
async function moveLogAhead({ connection }: FreshDatabase) {
  const client = new pg.Client(connection)
  await client.connect()
  for (const table of ['events', 'event_followers']) {
    await client.query(`update ${table} set xid = (xid::text::numeric + 1000000)::text::xid8`)
  }
  await client.end()
}
