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
  // To an address that others may have had meanwhile, too: nothing but the address says whom it was for.
  await keepMail(`${CANARY}@Customer.test`)
  await keepMail('another@customer.test')
  await startConversation(server, world.carla, 'I stay.')
  await vi.waitFor(async () => expect(await findCanary()).toContain('public.mails'), { timeout: 10_000 })
})
afterAll(() => server.close())

const as = (token: string, method: string, path: string, body?: object) => server.request(method, path, { token, body })
const say = (token: string, message: object) =>
  as(token, 'POST', '/api/messages', { message: { conversation_id, id: randomUUID(), ...message } })

async function upload(token: string, to = conversation_id) {
  const form = new FormData()
  form.append('file', new Blob([`${CANARY} wrote this`], { type: 'text/plain' }), `${CANARY}.txt`)
  form.append('account_id', world.acme.id)
  const answer = await fetch(`${server.url}/api/upload`, {
    method: 'POST',
    headers: { authorization: token },
    body: form,
  })
  const { data } = (await answer.json()) as { data: { id: string } }
  await say(token, { body: 'See the file.', file_ids: [data.id], conversation_id: to })
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

/** A mail that leads to nobody but by its address. */
function keepMail(recipient: string) {
  const row = {
    account_id: world.acme.id,
    id: randomUUID(),
    kind: 'reply',
    recipient,
    subject: 'Re',
    text: 'Hi',
    html: '',
  }
  return server.context.db.insertInto('mails').values(row).execute()
}

/** Every table of the database, ours and the job queue's, and every file on disk in which the canary sings. */
async function findCanary(): Promise<string[]> {
  const { db, config } = server.context
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
  const left = await server.context.db.selectFrom('mails').select('recipient').where('subject', '=', 'Re').execute()
  expect(left).toEqual([{ recipient: 'another@customer.test' }])
  const counts = await as(world.ada.token, 'GET', '/api/conversations/unread')
  expect(counts.body.data.inboxes[world.website.id]).toBe(2)
})

test('a customer without an address or a conversation can be erased, too', async () => {
  const nobody = await startVisitor(server, world.acme.id)
  const { status, body } = await as(world.ada.token, 'POST', `/api/customers/${nobody.customer_id}/erase`)
  expect([status, body.data]).toEqual([200, { conversations: 0, messages: 0, files: 0 }])
})

test('a file that the team sent goes with the only message it was sent with', async () => {
  const { customer_id } = await startVisitor(server, world.acme.id)
  const started = await as(world.ada.token, 'POST', '/api/conversations', { conversation: { customer_id } })
  await upload(world.ada.token, started.body.data.id)
  const { body } = await as(world.ada.token, 'POST', `/api/customers/${customer_id}/erase`)
  expect(body.data).toEqual({ conversations: 1, messages: 1, files: 1 })
})

test('files that were never added go when anything in them is how the erased customer was known, others stay', async () => {
  // Says one address, and an id without a proof; the team knows better since, and that two are one.
  const visitor = await startVisitor(server, world.acme.id, { email: 'said@trace.test', external_id: 'trace-said' })
  await as(world.ada.token, 'PUT', `/api/customers/${visitor.customer_id}`, { customer: { email: 'now@trace.test' } })
  const customer = { email: 'twin@trace.test', external_id: 'trace-twin' }
  const twin = await as(world.ada.token, 'POST', '/api/customers', { customer })
  await as(world.ada.token, 'POST', `/api/customers/${visitor.customer_id}/merge`, { customer_id: twin.body.data.id })
  // A published client has no session: the address is noted with the conversation it starts.
  const old = await startWithoutSession('old@trace.test')
  await as(world.ada.token, 'POST', `/api/customers/${visitor.customer_id}/merge`, { customer_id: old })
  // Somebody else, known in all these ways.
  const other = await startWithoutSession('old@other.test')
  await as(world.ada.token, 'PUT', `/api/customers/${other}`, { customer: { email: 'now@other.test' } })
  const session = await startVisitor(server, world.acme.id, { email: 'said@other.test', external_id: 'other-said' })
  await as(world.ada.token, 'POST', `/api/customers/${other}/merge`, { customer_id: session.customer_id })
  const erased = ['said@trace.test', 'now@trace.test', 'twin@trace.test', 'old@trace.test', 'trace-said', 'trace-twin']
  const stay = ['said@other.test', 'now@other.test', 'old@other.test', 'other-said']
  for (const word of [...erased, ...stay]) {
    const file = { content: `email,id\n${word},${word}\n`, filename: word }
    await as(world.ada.token, 'POST', '/api/customers/import', file)
  }
  expect((await as(world.ada.token, 'POST', `/api/customers/${visitor.customer_id}/erase`)).status).toBe(200)
  const { data } = (await as(world.ada.token, 'GET', '/api/customer_imports')).body
  const names = data.map(({ filename }: { filename: string }) => filename)
  expect(names.filter((name: string) => [...erased, ...stay].includes(name)).sort()).toEqual(stay.sort())
})

/** As published clients do, which know the id alone. */
async function startWithoutSession(email: string): Promise<string> {
  const customer = { account_id: world.acme.id, email }
  const id = (await server.request('POST', '/api/customers', { body: { customer } })).body.data.id
  const conversation = { account_id: world.acme.id, customer_id: id }
  const { status } = await server.request('POST', '/api/conversations', { body: { conversation } })
  expect(status).toBe(201)
  await as(world.ada.token, 'PUT', `/api/customers/${id}`, { customer: { email: null } })
  return id
}

test('what others wrote stays in the log, though a word in it was the name of the erased customer', async () => {
  const named = await startVisitor(server, world.acme.id, { name: 'Brno' })
  const borrower = await startVisitor(server, world.acme.id)
  await as(world.ada.token, 'POST', `/api/customers/${borrower.customer_id}/merge`, { customer_id: named.customer_id })
  await as(world.ada.token, 'POST', `/api/customers/${borrower.customer_id}/unmerge`)
  await startConversation(server, world.carla, 'Do you send to Brno?')
  await as(world.ada.token, 'POST', `/api/customers/${named.customer_id}/erase`)
  const { rows } = await sql<{ body: string }>`
    select event -> 'message' ->> 'body' as body from events where event::text like '%Brno%'`.execute(server.context.db)
  expect(rows).toEqual([{ body: 'Do you send to Brno?' }])
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
  await applyRetention(server.context, inDays(29))
  expect([await status(world.ada.token, closed), await status(world.ada.token, deleted)]).toEqual([200, 200])
  expect(await visits()).toBe(1)
  bystandersMayChange({ account_id: world.acme.id })
  await applyRetention(server.context, inDays(31))
  expect(await visits()).toBe(0)
  expect([await status(world.ada.token, closed), await status(world.ada.token, deleted)]).toEqual([404, 404])
  expect(await status(world.olga.token, foreign)).toBe(200)
  expect((await as(world.ada.token, 'GET', '/api/search?q=stay')).body.data).toHaveLength(1)
})
