import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readConfig } from '#server/config.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { READERS } from '../bin/transfer/moving-in/readers.ts'
import { writeReport } from '../bin/transfer/moving-in/report.ts'
import { runImport } from '../bin/transfer/moving-in/run-import.ts'
import { CHATWOOT_TOKEN, startChatwootApi } from './emulators/chatwoot.ts'
import type { Vendor } from './emulators/vendor.ts'
import { UUIDS } from './support/chatwoot/company.ts'
import { FACE, LAMP } from './support/chatwoot/conversations.ts'
import { createChatwoot, insertInto, withClient } from './support/chatwoot/database.ts'
import { fillCompany, runChatwoot } from './support/chatwoot/run.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { startParley, urlOf } from './support/operator.ts'
import { KEY } from './support/server.ts'

/** Messages of a conversation that one answer of the API does not hold. */
const LONG = 1_234
const OPTIONS = ['--inboxes', 'shared', '--account', '1']
const ENV = { CHATWOOT_API_TOKEN: CHATWOOT_TOKEN, REACHABLE_HOSTS: '127.0.0.1' }

let source: FreshDatabase
let pool: pg.Pool
let api: Vendor
let folder: string
let byApi: FreshDatabase
let byDatabase: FreshDatabase
let output: string
/** Paths that the run after the killed one has asked for. */
let asked: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-chatwoot-api-'))
  source = await createChatwoot()
  await withClient(source, fillCompany)
  await withClient(source, fillLongConversation)
  pool = new pg.Pool(source.connection)
  api = await startChatwootApi(pool, { files: { ab1defghij: LAMP, ab302defghij: FACE, ab303defghij: FACE } })
  ;[byApi, byDatabase] = [await freshDatabase(), await freshDatabase()]
  await killWhileReading()
  const before = api.requests.length
  const first = await runChatwoot(byApi, api.url, join(folder, 'api'), OPTIONS, ENV)
  asked = api.requests.slice(before).map(({ path }) => path)
  output = first.output
  expect(first.code, output).toBe(0)
  const other = await runChatwoot(byDatabase, source, join(folder, 'database'), OPTIONS)
  expect(other.code, other.output).toBe(0)
  // Three imports, each in a process of its own.
}, 180_000)
afterAll(async () => {
  await api.close()
  await pool.end()
  await Promise.all([source, byApi, byDatabase].map((database) => database.drop()))
  await rm(folder, { recursive: true, force: true })
})

interface Call {
  address?: string
  accounts?: string[]
  token?: string
  reachable?: string
}

/** What the command does, without the time that a process needs to start. */
async function importByApi(target: FreshDatabase, name: string, call: Call = {}) {
  const { address = api.url, accounts = ['1'], token = CHATWOOT_TOKEN, reachable = '127.0.0.1' } = call
  const settings = { DATABASE_URL: urlOf(target), DATA_DIR: join(folder, name, 'data'), REACHABLE_HOSTS: reachable }
  const installation = {
    config: readConfig({ ...settings, ...KEY }),
    connection: target.connection,
    log: pino({ level: 'silent' }),
  }
  const reader = READERS.find(({ id }) => id === 'chatwoot')!
  const options = { accounts, token, isDryRun: false, own: { inboxes: 'shared' } }
  try {
    const { report } = await runImport(installation, reader, address, options, () => undefined)
    return { code: 0, output: writeReport(report) }
  } catch (error) {
    if (error instanceof OperatorError) return { code: 1, output: error.message }
    throw error
  }
}

/** Begins the import that the others follow, and kills it while it reads a conversation. */
async function killWhileReading() {
  const path = 'GET /api/v1/accounts/1/conversations/104/messages'
  api.hang(path)
  const env = { DATABASE_URL: urlOf(byApi), DATA_DIR: join(folder, 'api', 'data'), ...KEY, ...ENV }
  const child = startParley('import-chatwoot', api.url, env, 'ignore', OPTIONS)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await vi.waitFor(
    async () => {
      expect(api.requestsTo(path)).toHaveLength(1)
      expect(await readUnits()).toContain('"name":"conversation 101"')
    },
    { timeout: 90_000, interval: 100 },
  )
  child.kill('SIGKILL')
  await ended
}

/** What a killed reading has left. */
async function readUnits() {
  const [subfolder] = await readdir(reading())
  const [file] = await readdir(join(reading(), subfolder!))
  return readFile(join(reading(), subfolder!, file!), 'utf8')
}

const reading = () => join(folder, 'api', 'data', 'imports', 'reading')

/** More messages than one answer holds, with ids against the order of time. */
async function fillLongConversation(database: pg.Client) {
  const insert = insertInto(database)
  await insert('conversations', {
    ...{ id: 8, account_id: 1, inbox_id: 2, display_id: 108, contact_id: 1, status: 1 },
    uuid: '00000000-0000-4000-8000-000000000108',
  })
  await database.query(
    `insert into messages (id, account_id, inbox_id, conversation_id, message_type, sender_type, sender_id, content, created_at, updated_at)
     select 5000 + n, 1, 2, 8, 0, 'Contact', 1, 'Line ' || n, t, t from generate_series(1, ${LONG}) n,
       lateral (select timestamp '2023-04-01' + ((n * 7919) % ${LONG}) * interval '1 minute' as t) x`,
  )
}

const rowsOf = async (database: FreshDatabase, sql: string) =>
  withClient(database, async (client) => (await client.query(sql)).rows)

const queryBoth = async (sql: string) => {
  const [api, database] = await Promise.all([rowsOf(byApi, sql), rowsOf(byDatabase, sql)])
  return { api, database }
}

test('what the API shows is moved as from the database: messages in their order, with authors and notes', async () => {
  // Of a message whose author's row is gone the API does not even tell that there was one.
  const { api, database } = await queryBoth(
    `select v.id, m.number, m.type, m.private, m.body, u.full_name, (m.customer_id is not null) as is_customers
     from conversations v join messages m on m.conversation_id = v.id and m.account_id = v.account_id
     left join users u on u.account_id = m.account_id and u.id = m.user_id
     where v.id not in ('${UUIDS[2]}', '${UUIDS[6]}') and m.body is distinct from 'From somebody gone' order by v.id, m.number`,
  )
  expect(api.length).toBeGreaterThan(LONG)
  expect(api).toEqual(database)
})

test('conversations keep their ids, states, customers, labels and the people responsible', async () => {
  const { api, database } = await queryBoth(
    `select v.id, v.status, v.priority, v.read, v.subject, v.source, v.snoozed_until, c.name, c.email, c.phone, c.external_id,
       u.email as assignee, i.name as inbox, array(select t.name from conversation_tags g join tags t on t.account_id = g.account_id and t.id = g.tag_id
         where g.account_id = v.account_id and g.conversation_id = v.id order by 1) as tags
     from conversations v join customers c on c.account_id = v.account_id and c.id = v.customer_id
     join inboxes i on i.account_id = v.account_id and i.id = v.inbox_id
     left join users u on u.account_id = v.account_id and u.id = v.assignee_id
     where v.id not in ('${UUIDS[2]}', '${UUIDS[6]}') order by v.id`,
  )
  expect(api.length).toBeGreaterThan(4)
  expect(api).toEqual(database)
})

test('what a visitor typed into a chat is a claim, as from the database', async () => {
  const { api, database } = await queryBoth(
    `select name, email, field_sources - 'name' as sources from customers where email in ('claims@mail.test', 'carla@mail.test') order by email`,
  )
  expect(api).toHaveLength(2)
  expect(api.map(({ sources }) => Object.keys(sources).includes('email'))).toEqual(
    database.map(({ sources }) => Object.keys(sources).includes('email')),
  )
})

test('people, inboxes, saved replies, notes and ratings come along, passwords do not', async () => {
  for (const sql of [
    `select email, role, full_name from users where disabled_at is null order by email`,
    `select name from inboxes order by name`,
    `select name, content from saved_replies order by name`,
    `select body from customer_notes order by body`,
    `select t.name, array(select user_id from team_members m where m.account_id = t.account_id and m.team_id = t.id order by 1) as members from teams t order by t.name`,
    `select subject, key, name, kind, choices, description from attribute_definitions order by subject, key`,
    `select name, working_hours from inboxes order by name`,
  ]) {
    const { api, database } = await queryBoth(sql)
    expect(api).toEqual(database)
  }
  expect(await rowsOf(byApi, `select count(*)::int as count from users where password_hash like '$2%'`)).toEqual([
    { count: 0 },
  ])
  expect(output).toContain('Everybody sets a new password')
})

test('files are fetched from the old server, along its redirects', async () => {
  const files = await rowsOf(
    byApi,
    `select filename, size::int, content_type from files where size > 0 order by filename`,
  )
  expect(files).toContainEqual(expect.objectContaining({ size: LAMP.length }))
})

test('a reading that was killed goes on where it was, and leaves nothing behind once everything is moved', async () => {
  expect(asked).not.toContain('/api/v1/accounts/1/contacts/1/notes')
  expect(asked).not.toContain('/api/v1/accounts/1/conversations/101/messages')
  expect(asked).toContain('/api/v1/accounts/1/conversations/104/messages')
  expect(await readdir(reading())).toEqual([])
})

test('pictures of people are fetched from the old server', async () => {
  expect(
    await rowsOf(
      byApi,
      `select full_name as name from users where profile_photo_url is not null
       union all select name from customers where profile_photo_url is not null order by 1`,
    ),
  ).toEqual([{ name: 'Ben' }, { name: 'Carla Curie' }])
})

test('a conversation that the old server fails at is named, and the others of its page are moved', async () => {
  expect(output).toMatch(/could not show the messages of 2 conversations: 102, 106/)
})

test('a second import by the API doubles nothing, and adds what is new', async () => {
  const count = `select (select count(*)::int from messages) as messages, (select count(*)::int from customers) as customers,
    (select count(*)::int from conversation_tags) as tags`
  // The team took everybody out, which stays so.
  await rowsOf(byApi, `delete from team_members; update teams set updated_at = now() + interval '1 second'`)
  const [before] = await rowsOf(byApi, count)
  await withClient(source, async (database) => {
    await insertInto(database)('messages', {
      ...{ id: 9000, account_id: 1, inbox_id: 2, conversation_id: 1, message_type: 0, sender_type: 'Contact' },
      ...{ sender_id: 1, content: 'One more', created_at: '2023-05-01 10:00:00' },
    })
    await database.query(`update conversations set last_activity_at = '2023-05-01 10:00:00' where id = 1`)
  })
  const again = await importByApi(byApi, 'api')
  expect(again.code, again.output).toBe(0)
  expect(await rowsOf(byApi, count)).toEqual([{ ...before, messages: before.messages + 1 }])
  expect(await rowsOf(byApi, 'select user_id from team_members')).toEqual([])
  // Some of the files are empty.
  expect([output, again.output]).toEqual([
    expect.stringMatching(/Copied \d+ attached/),
    expect.not.stringContaining('Copied'),
  ])
})

test('a server that limits, fails for a moment and breaks connections is asked again', async () => {
  const target = await freshDatabase()
  try {
    api.fail('GET /api/v1/accounts/1/inboxes', { status: 429, body: '', headers: { 'retry-after': '1' } })
    api.fail('GET /api/v1/accounts/1/agents', { status: 502, body: '<html>' })
    api.lose('GET /api/v1/accounts/1/conversations/101/messages')
    const { code, output: said } = await importByApi(target, 'faults')
    expect(code, said).toBe(0)
    const count = `select count(*)::int as count from messages`
    expect(await rowsOf(target, count)).toEqual(await rowsOf(byApi, count))
  } finally {
    await target.drop()
  }
})

test('an older server, which answers twenty messages at once, is read to the first one', async () => {
  const old = await startChatwootApi(pool, { isOld: true })
  const target = await freshDatabase()
  try {
    const { code, output: said } = await importByApi(target, 'old', { address: old.url })
    expect(code, said).toBe(0)
    const count = `select count(*)::int as count from messages where conversation_id = '${UUIDS[1]}'`
    expect(await rowsOf(target, count)).toEqual(await rowsOf(byApi, count))
  } finally {
    await target.drop()
    await old.close()
  }
})

test.for([
  ['no token', { token: '' }, 'Set CHATWOOT_API_TOKEN'],
  ['a wrong token', { token: 'wrong' }, 'Chatwoot refuses the token'],
  ['an account of others', { accounts: ['77'] }, 'Name its number (--account)'],
  ['a private server that is not allowed', { reachable: '' }, 'REACHABLE_HOSTS'],
] as const)('%s is refused with a sentence, and nothing is moved', async ([, call, sentence]) => {
  const { code, output: said } = await importByApi(byApi, 'refused', call as Call)
  expect(code).toBe(1)
  expect(said).toContain(sentence)
  expect(said).not.toContain(CHATWOOT_TOKEN)
})
