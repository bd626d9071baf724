import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bystandersMayChange, withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { applyRetention } from './retention.ts'

/** Stands in everything of one customer, and must stand nowhere once they are erased. */
const CANARY = 'kumquatvogel'

let server: TestServer
let world: World
let customer_id: string
let conversation_id: string
beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
  const visitor = await startVisitor(server, world.acme.id, {
    name: `Mr ${CANARY}`,
    email: `${CANARY}@customer.test`,
    external_id: CANARY,
    metadata: { plan: CANARY },
    current_url: `https://shop.test/${CANARY}`,
  })
  customer_id = visitor.customer_id
  conversation_id = (await startConversation(server, visitor, `My name is ${CANARY}.`)).conversation_id
  await as(world.ben.token, 'PUT', '/api/user_settings', { user_settings: { email_alert_on_new_message: true } })
  await upload(visitor.token)
  await upload(world.ada.token)
  await say(visitor.token, { body: `Again: ${CANARY}` })
  await say(world.ada.token, { body: `Hello ${CANARY}` })
  await say(world.ada.token, { body: `${CANARY} is nice`, private: true, mentioned_user_ids: [world.ben.id] })
  await as(world.ada.token, 'PUT', `/api/conversations/${conversation_id}`, { conversation: { subject: CANARY } })
  await as(world.ada.token, 'POST', '/api/notes', { note: { customer_id, body: `Remember ${CANARY}` } })
  await as(world.ada.token, 'PUT', `/api/conversations/${conversation_id}/draft`, {
    draft: { body: `Dear ${CANARY}`, type: 'reply', revision: Date.now() },
  })
  await as(visitor.token, 'PUT', `/api/customers/${customer_id}/metadata`, {
    metadata: { current_url: `https://shop.test/${CANARY}/sings` },
  })
  await beOneForAWhile()
  await keepImport(CANARY.toUpperCase())
  await keepImport('another')
  await startConversation(server, world.carla, 'I stay.')
  await vi.waitFor(async () => expect(await findCanary()).toContain('public.mails'), { timeout: 10_000 })
})
afterAll(() => server.close())

const as = (token: string, method: string, path: string, body?: object) => server.request(method, path, { token, body })
const say = (token: string, message: object) =>
  as(token, 'POST', '/api/messages', { message: { conversation_id, id: randomUUID(), ...message } })

async function upload(token: string) {
  const form = new FormData()
  form.append('file', new Blob([`${CANARY} wrote this`], { type: 'text/plain' }), `${CANARY}.txt`)
  form.append('account_id', world.acme.id)
  const answer = await fetch(`${server.url}/api/upload`, {
    method: 'POST',
    headers: { authorization: token },
    body: form,
  })
  const { data } = (await answer.json()) as { data: { id: string } }
  await say(token, { body: 'See the file.', file_ids: [data.id] })
}

/** Somebody else has the canary's address and name while the two are held for one. */
async function beOneForAWhile() {
  const { customer_id: other_id, token } = await startVisitor(server, world.acme.id)
  await as(world.ada.token, 'POST', `/api/customers/${other_id}/merge`, { customer_id })
  await startConversation(server, { token, customer_id: other_id }, 'Who am I?')
  await as(world.ada.token, 'POST', `/api/customers/${other_id}/unmerge`)
}

/** A file of customers that was chosen and then forgotten. */
function keepImport(name: string) {
  const content = `email,name\n${name}@customer.test,Somebody\n`
  return as(world.ada.token, 'POST', '/api/customers/import', { content, filename: 'customers.csv' })
}

/** Every table of the database, ours and the job queue's, and every file on disk in which the canary sings. */
async function findCanary(): Promise<string[]> {
  const { db, config } = server.parley
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname in ('public', 'jobs')`.execute(db)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql`select 1 from ${sql.raw(name)} t where t::text ilike ${`%${CANARY}%`} limit 1`.execute(
      db,
    )
    if (rows.length > 0) found.push(name)
  }
  const folder = join(config.dataDir, 'files')
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    if ((await readFile(join(entry.parentPath, entry.name), 'utf8')).includes(CANARY)) found.push('a file')
  }
  return found
}

test('a customer’s data are exported as one document, notes included, for admins only', async () => {
  const { status, body, headers } = await as(world.ada.token, 'GET', `/api/customers/${customer_id}/export`)
  expect(status).toBe(200)
  expect(headers['content-disposition']).toContain('attachment')
  expect(body.customer).toMatchObject({ name: `Mr ${CANARY}`, notes: [{ body: `Remember ${CANARY}` }] })
  expect(body.conversations[0].messages.map((message: { body: string }) => message.body)).toEqual([
    `My name is ${CANARY}.`,
    'See the file.',
    'See the file.',
    `Again: ${CANARY}`,
    `Hello ${CANARY}`,
    `${CANARY} is nice`,
  ])
  expect(body.page_visits).toMatchObject([{ url: `https://shop.test/${CANARY}/sings` }])
  expect((await as(world.ben.token, 'GET', `/api/customers/${customer_id}/export`)).status).toBe(401)
  expect((await as(world.olga.token, 'GET', `/api/customers/${customer_id}/export`)).status).toBe(404)
})

test('erasing a customer leaves no trace anywhere, and everybody else alone', async () => {
  const before = await findCanary()
  expect(before).toEqual(
    expect.arrayContaining([
      'public.messages',
      'public.events',
      'public.mails',
      'public.page_visits',
      'public.customer_merges',
      'public.customer_imports',
      'a file',
    ]),
  )
  expect((await as(world.ben.token, 'POST', `/api/customers/${customer_id}/erase`)).status).toBe(401)
  const { body } = await as(world.ada.token, 'POST', `/api/customers/${customer_id}/erase`)
  expect(body.data).toEqual({ conversations: 1, messages: 6, files: 2 })
  await expect.poll(findCanary, { timeout: 10_000 }).toEqual([])
  expect((await as(world.ada.token, 'GET', `/api/customers/${customer_id}`)).status).toBe(404)
  expect((await as(world.ada.token, 'GET', '/api/search?q=stay')).body.data).toHaveLength(1)
  const imports = (await as(world.ada.token, 'GET', '/api/customer_imports')).body.data
  expect(withoutBystanders(imports)).toHaveLength(1)
  const counts = await as(world.ada.token, 'GET', '/api/conversations/unread')
  expect(counts.body.data.inboxes[world.website.id]).toBe(2)
})

test('closed and deleted conversations go when an account keeps them no longer; open ones and other accounts’ stay', async () => {
  const account = { settings: { retention_days: 30 } }
  await as(world.ada.token, 'PUT', '/api/accounts/me', { account })
  const closed = (await startConversation(server, world.carla, 'Over.')).conversation_id
  await as(world.ada.token, 'PUT', `/api/conversations/${closed}`, { conversation: { status: 'closed' } })
  const deleted = (await startConversation(server, world.carla, 'Wrong number.')).conversation_id
  await as(world.ada.token, 'POST', `/api/conversations/${deleted}/archive`)
  const olgas = await startVisitor(server, world.other.id)
  const foreign = (await startConversation(server, olgas, 'Elsewhere.')).conversation_id
  await as(world.olga.token, 'PUT', `/api/conversations/${foreign}`, { conversation: { status: 'closed' } })
  await as(world.carla.token, 'PUT', `/api/customers/${world.carla.customer_id}/metadata`, {
    metadata: { current_url: 'https://shop.test/sale' },
  })
  const visits = async () =>
    (await as(world.ada.token, 'GET', `/api/customers/${world.carla.customer_id}/page_visits`)).body.data.length
  const status = async (token: string, id: string) => (await as(token, 'GET', `/api/conversations/${id}`)).status
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
  await applyRetention(server.parley, inDays(29))
  expect([await status(world.ada.token, closed), await status(world.ada.token, deleted)]).toEqual([200, 200])
  expect(await visits()).toBe(1)
  bystandersMayChange({ account_id: world.acme.id })
  await applyRetention(server.parley, inDays(31))
  expect(await visits()).toBe(0)
  expect([await status(world.ada.token, closed), await status(world.ada.token, deleted)]).toEqual([404, 404])
  expect(await status(world.olga.token, foreign)).toBe(200)
  expect((await as(world.ada.token, 'GET', '/api/search?q=stay')).body.data).toHaveLength(1)
})
