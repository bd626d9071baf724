import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Followers } from '#server/features/events/following.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startConversation, type World } from '#tests/support/world.ts'

/** Two servers on one database, whose followers write down what they are told, in the order in which they are. */
let database: FreshDatabase
let first: TestServer
let second: TestServer
let world: World
let conversation_id: string
const told: string[] = []
let failures = 0
let endWorkElsewhere: () => Promise<void>

function writer(): Followers {
  return {
    'tests.write': {
      of: ['message:created'],
      async follow(_open, happened) {
        if (failures > 0) {
          failures--
          throw new Error('The pen is dry.')
        }
        for (const { event } of happened) if (event.type === 'message:created') told.push(event.message.body ?? '')
      },
    },
  }
}

beforeAll(async () => {
  database = await freshDatabase()
  endWorkElsewhere = await workElsewhere()
  const quiet = await startTestServer({}, undefined, database)
  world = await createWorld(quiet)
  ;({ conversation_id } = await startConversation(quiet, world.carla, 'before anybody followed'))
  await quiet.close()
  first = await startTestServer({}, { followers: writer, handlers: {} }, database)
  second = await startTestServer({}, { followers: writer, handlers: {} }, database)
})
afterAll(async () => {
  await first.close()
  await second.close()
  await database.drop()
})

/** In another database of the same PostgreSQL work began before all of ours, and is not done yet. */
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

const say = (server: TestServer, body: string) =>
  server.request('POST', '/api/messages', { token: world.carla.token, body: { message: { conversation_id, body } } })

test('whatever two servers were told is followed once, in order, from when the follower is first known', async () => {
  const bodies = Array.from({ length: 30 }, (_, i) => `${i}`)
  for (const [i, body] of bodies.entries()) await say(i % 2 ? first : second, body)
  await endWorkElsewhere()
  await expect.poll(() => told.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(bodies.length)
  expect(told).toEqual(bodies)
})

test('a follower that fails is told the same again', async () => {
  failures = 2
  await say(first, 'told at last')
  await expect.poll(() => told.at(-1), { timeout: 15_000 }).toBe('told at last')
  expect(told.filter((body) => body === 'told at last')).toHaveLength(1)
})

test('what a slow transaction says is followed when it has come, and not passed by', async () => {
  const { postMessage } = await import('#server/features/conversations/posting.ts')
  const author = { kind: 'customer' as const, customer_id: world.carla.customer_id }
  const other = await startConversation(first, world.carla, 'elsewhere')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let hasWritten = () => {}
  const written = new Promise<void>((resolve) => (hasWritten = resolve))
  const slowly = first.parley.change(async (open) => {
    const draft = { conversation_id: other.conversation_id, body: 'slow' }
    await postMessage(open, world.acme.id, author, draft)
    hasWritten()
    await held
  })
  await written
  await say(second, 'fast')
  release()
  await slowly
  await expect.poll(() => told, { timeout: 10_000 }).toContain('slow')
  expect(told.slice(-2).sort()).toEqual(['fast', 'slow'])
})

test('what nobody has followed yet is not pruned, however old it is; a follower that is no more holds nothing back', async () => {
  const { pruneEvents } = await import('#server/features/events/event-log.ts')
  const { db } = first.parley
  await db.updateTable('events').set({ created_at: '2026-01-01T00:00:00Z' }).execute()
  const count = async () => (await db.selectFrom('events').select('id').execute()).length
  await db.insertInto('event_followers').values({ name: 'tests.sleeper', xid: '1' }).execute()
  const before = await count()
  await pruneEvents(db, ['tests.sleeper'])
  expect(await count()).toBe(before)
  await pruneEvents(db, [])
  expect(await count()).toBeLessThan(before)
})

test('a copy of the database, which counts its transactions anew, goes on where the followers stood', async () => {
  const copy = await freshDatabase()
  const followed = await startTestServer({}, { followers: writer, handlers: {} }, copy)
  const { carla } = await createWorld(followed)
  const { conversation_id } = await startConversation(followed, carla, 'before the copy')
  const write = (server: TestServer, body: string) =>
    server.request('POST', '/api/messages', { token: carla.token, body: { message: { conversation_id, body } } })
  await expect.poll(() => told).toContain('before the copy')
  // What one of all followers has not seen is told again to each of them.
  await expect.poll(() => behind(followed)).toEqual([])
  await followed.close()
  const quiet = await startTestServer({}, undefined, copy)
  await write(quiet, 'left behind in the copy')
  await quiet.close()
  await moveLogAhead(copy)

  const server = await startTestServer({}, { followers: writer, handlers: {} }, copy)
  await write(server, 'said in the copy')
  await expect.poll(() => told, { timeout: 10_000 }).toContain('said in the copy')
  const inCopy = ['before the copy', 'left behind in the copy', 'said in the copy']
  expect(told.filter((body) => body.endsWith('the copy'))).toEqual(inCopy)
  await server.close()
  await copy.drop()
})

/** The followers that have not read the whole log. */
async function behind({ parley }: TestServer) {
  const { rows } = await sql`
    select name from event_followers f
    where exists (select 1 from events e where (e.xid, e.id) > (f.xid, f.id))`.execute(parley.db)
  return rows
}

/** As a dump finds it when it is read into a PostgreSQL that has seen less. */
async function moveLogAhead({ connection }: FreshDatabase) {
  const client = new pg.Client(connection)
  await client.connect()
  for (const table of ['events', 'event_followers']) {
    await client.query(`update ${table} set xid = (xid::text::numeric + 1000000)::text::xid8`)
  }
  await client.end()
}
