import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { userSettings } from '#contract/accounts/user-settings.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { drafts } from '#contract/conversations/drafts.ts'
import { type Message, messages } from '#contract/conversations/messages.ts'
import { search } from '#contract/conversations/search.ts'
import { customerImports } from '#contract/customers/customer-imports.ts'
import { customerNotes } from '#contract/customers/customer-notes.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import { erasure } from '#contract/customers/erasure.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { bystandersMayChange, withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { test as base, type Caller, expect, statusOf } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import { applyRetention } from './retention.ts'

/** Occurs in all data of one customer, and must occur nowhere after erasing. */
const CANARY = 'kumquatvogel'

let customer_id: string
let conversation_id: string
const post = (who: Caller, message: Partial<BodyInput<typeof messages.create>['message']>) =>
  who(messages.create, { body: { message: { conversation_id, id: randomUUID(), ...message } } })

const test = base
  .extend('upload', { scope: 'file' }, ({ as, world, server }) => async (token: string, to = conversation_id) => {
    const form = new FormData()
    form.append('file', new Blob([`${CANARY} wrote this`], { type: 'text/plain' }), `${CANARY}.txt`)
    form.append('account_id', world.acme.id)
    const answer = await fetch(`${server.url}/api/upload`, {
      method: 'POST',
      headers: { authorization: token },
      body: form,
    })
    const { data } = (await answer.json()) as { data: { id: string } }
    await post(as.holder(token), { body: 'See the file.', file_ids: [data.id], conversation_id: to })
  })
  /** Another customer takes address and name while the two are merged for a while. */
  .extend('beOneForAWhile', { scope: 'file' }, ({ as, world, server }) => async () => {
    const { customer_id: other_id, token } = await startVisitor(server, world.acme.id)
    await as.ada(customerProfiles.merge, { params: { id: other_id }, body: { customer_id } })
    await startConversation(server, { token, customer_id: other_id }, 'Who am I?')
    await as.ada(customerProfiles.unmerge, { params: { id: other_id } })
  })
  /** A file of customers that was uploaded but never started. */
  .extend('storeImport', { scope: 'file' }, ({ as }) => (name: string) => {
    const content = `email,name\n${name}@customer.test,Somebody\n`
    return as.ada(customerImports.upload, { body: { content, filename: 'customers.csv' } })
  })
  /** A mail that can only be found by its address. */
  .extend('storeMail', { scope: 'file' }, ({ world, server }) => (recipient: string) => {
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
  })
  /** All tables, including the job queue's, and all files on disk that contain the canary. */
  .extend('findCanary', { scope: 'file' }, ({ server }) => async (): Promise<string[]> => {
    const { db, config } = server.context
    const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname in ('public', 'jobs')`.execute(db)
    const locations: string[] = []
    for (const { name } of tables) {
      const { rows } = await sql`select 1 from ${sql.raw(name)} t where t::text ilike ${`%${CANARY}%`} limit 1`.execute(
        db,
      )
      if (rows.length > 0) locations.push(name)
    }
    const folder = join(config.dataDir, 'files')
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      if ((await readFile(join(entry.parentPath, entry.name), 'utf8')).includes(CANARY)) locations.push('a file')
    }
    return locations
  })
  /** As published clients do, which only know the id. */
  .extend('startWithoutSession', ({ as, world }) => async (email: string): Promise<string> => {
    const customer = { account_id: world.acme.id, email }
    const id = (await as.anybody(customers.create, { body: { customer } })).data.id
    const conversation = { account_id: world.acme.id, customer_id: id }
    await as.anybody(conversations.create, { body: { conversation } })
    await as.ada(customerProfiles.update, { params: { id }, body: { customer: { email: null } } })
    return id
  })

test.beforeAll(async ({ as, world, server, upload, beOneForAWhile, storeImport, storeMail, findCanary }) => {
  const visitor = await startVisitor(server, world.acme.id, {
    name: `Mr ${CANARY}`,
    email: `${CANARY}@customer.test`,
    external_id: CANARY,
    metadata: { plan: CANARY },
    current_url: `https://shop.test/${CANARY}`,
  })
  customer_id = visitor.customer_id
  conversation_id = (await startConversation(server, visitor, `My name is ${CANARY}.`)).conversation_id
  await as.ben(userSettings.update, { body: { user_settings: { email_alert_on_new_message: true } } })
  await upload(visitor.token)
  await upload(world.ada.token)
  await post(as.holder(visitor.token), { body: `Again: ${CANARY}` })
  await post(as.ada, { body: `Hello ${CANARY}` })
  await post(as.ada, { body: `${CANARY} is nice`, private: true, mentioned_user_ids: [world.ben.id] })
  await as.ada(conversations.update, { params: { id: conversation_id }, body: { conversation: { subject: CANARY } } })
  await as.ada(customerNotes.create, { body: { note: { customer_id, body: `Remember ${CANARY}` } } })
  await as.ada(drafts.save, {
    params: { id: conversation_id },
    body: {
      draft: { body: `Dear ${CANARY}`, type: 'reply', revision: Date.now() },
    },
  })
  await as.holder(visitor.token)(customers.updateMetadata, {
    params: { id: customer_id },
    body: {
      metadata: { current_url: `https://shop.test/${CANARY}/sings` },
    },
  })
  await beOneForAWhile()
  await storeImport(CANARY.toUpperCase())
  await storeImport('another')
  // Includes an address that others may have had meanwhile: only the address links the mail to a person.
  await storeMail(`${CANARY}@Customer.test`)
  await storeMail('another@customer.test')
  await startConversation(server, world.carla, 'I stay.')
  await vi.waitFor(async () => expect(await findCanary()).toContain('public.mails'), { timeout: 10_000 })
})

test('a customer’s data are exported as one document, notes included, for admins only', async ({
  as,
  world,
  server,
}) => {
  const { token } = world.ada
  const { status, body, headers } = await server.request('GET', `/api/customers/${customer_id}/export`, { token })
  expect(status).toBe(200)
  expect(headers['content-disposition']).toContain('attachment')
  expect(body.customer).toMatchObject({ name: `Mr ${CANARY}`, notes: [{ body: `Remember ${CANARY}` }] })
  expect(body.conversations[0].messages.map((message: Message) => message.body)).toEqual([
    `My name is ${CANARY}.`,
    'See the file.',
    'See the file.',
    `Again: ${CANARY}`,
    `Hello ${CANARY}`,
    `${CANARY} is nice`,
  ])
  expect(body.page_visits).toMatchObject([{ url: `https://shop.test/${CANARY}/sings` }])
  await expect(as.ben(erasure.export, { params: { id: customer_id } })).rejects.toMatchObject({ status: 401 })
  await expect(as.olga(erasure.export, { params: { id: customer_id } })).rejects.toMatchObject({ status: 404 })
})

test('erasing a customer leaves no trace anywhere, and everybody else alone', async ({
  as,
  world,
  server,
  findCanary,
}) => {
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
  await expect(as.ben(erasure.erase, { params: { id: customer_id } })).rejects.toMatchObject({ status: 401 })
  const { data } = await as.ada(erasure.erase, { params: { id: customer_id } })
  expect(data).toEqual({ conversations: 1, messages: 6, files: 2 })
  await expect.poll(findCanary, { timeout: 10_000 }).toEqual([])
  await expect(as.ada(customerProfiles.get, { params: { id: customer_id } })).rejects.toMatchObject({ status: 404 })
  expect((await as.ada(search.find, { query: { q: 'stay' } })).data).toHaveLength(1)
  const imports = (await as.ada(customerImports.list)).data
  expect(withoutBystanders(imports)).toHaveLength(1)
  const remaining = await server.context.db
    .selectFrom('mails')
    .select('recipient')
    .where('subject', '=', 'Re')
    .execute()
  expect(remaining).toEqual([{ recipient: 'another@customer.test' }])
  const counts = await as.ada(conversations.unread)
  expect(counts.data.inboxes[world.website.id]).toBe(2)
})

test('a customer without an address or a conversation can be erased, too', async ({ as, world, server }) => {
  const nobody = await startVisitor(server, world.acme.id)
  const { data } = await as.ada(erasure.erase, { params: { id: nobody.customer_id } })
  expect(data).toEqual({ conversations: 0, messages: 0, files: 0 })
})

test('a file sent by the team is deleted with its only message', async ({ as, world, server, upload }) => {
  const { customer_id } = await startVisitor(server, world.acme.id)
  const started = await as.ada(conversations.create, { body: { conversation: { customer_id } } })
  await upload(world.ada.token, started.data.id)
  const { data } = await as.ada(erasure.erase, { params: { id: customer_id } })
  expect(data).toEqual({ conversations: 1, messages: 1, files: 1 })
})

test('files of unstarted imports are deleted if they mention the erased customer, others stay', async ({
  as,
  world,
  server,
  startWithoutSession,
}) => {
  // Claims an address, and an external id without proof; later the team corrects it and merges the two.
  const visitor = await startVisitor(server, world.acme.id, { email: 'said@trace.test', external_id: 'trace-said' })
  await as.ada(customerProfiles.update, {
    params: { id: visitor.customer_id },
    body: { customer: { email: 'now@trace.test' } },
  })
  const customer = { email: 'twin@trace.test', external_id: 'trace-twin' }
  const twin = await as.ada(customers.create, { body: { customer } })
  await as.ada(customerProfiles.merge, { params: { id: visitor.customer_id }, body: { customer_id: twin.data.id } })
  // A published client has no session: its address is stored with the conversation it starts.
  const old = await startWithoutSession('old@trace.test')
  await as.ada(customerProfiles.merge, { params: { id: visitor.customer_id }, body: { customer_id: old } })
  // Another customer with the same kinds of data.
  const other = await startWithoutSession('old@other.test')
  await as.ada(customerProfiles.update, { params: { id: other }, body: { customer: { email: 'now@other.test' } } })
  const session = await startVisitor(server, world.acme.id, { email: 'said@other.test', external_id: 'other-said' })
  await as.ada(customerProfiles.merge, { params: { id: other }, body: { customer_id: session.customer_id } })
  const erased = ['said@trace.test', 'now@trace.test', 'twin@trace.test', 'old@trace.test', 'trace-said', 'trace-twin']
  const stay = ['said@other.test', 'now@other.test', 'old@other.test', 'other-said']
  for (const word of [...erased, ...stay]) {
    const file = { content: `email,id\n${word},${word}\n`, filename: word }
    await as.ada(customerImports.upload, { body: file })
  }
  await as.ada(erasure.erase, { params: { id: visitor.customer_id } })
  const { data } = await as.ada(customerImports.list)
  const names = data.map(({ filename }) => filename)
  expect(names.filter((name) => [...erased, ...stay].includes(name)).sort()).toEqual(stay.sort())
})

test('messages of others stay in the log, even if they contain the name of the erased customer', async ({
  as,
  world,
  server,
}) => {
  const named = await startVisitor(server, world.acme.id, { name: 'Brno' })
  const borrower = await startVisitor(server, world.acme.id)
  await as.ada(customerProfiles.merge, {
    params: { id: borrower.customer_id },
    body: { customer_id: named.customer_id },
  })
  await as.ada(customerProfiles.unmerge, { params: { id: borrower.customer_id } })
  await startConversation(server, world.carla, 'Do you send to Brno?')
  await as.ada(erasure.erase, { params: { id: named.customer_id } })
  const { rows } = await sql<{ body: string }>`
    select event -> 'message' ->> 'body' as body from events where event::text like '%Brno%'`.execute(server.context.db)
  expect(rows).toEqual([{ body: 'Do you send to Brno?' }])
})

test('closed and archived conversations are deleted after the retention of their account; open ones and those of other accounts stay', async ({
  as,
  world,
  server,
}) => {
  const account = { settings: { retention_days: 30 } }
  await as.ada(accounts.update, { body: { account } })
  const closed = (await startConversation(server, world.carla, 'Over.')).conversation_id
  await as.ada(conversations.update, { params: { id: closed }, body: { conversation: { status: 'closed' } } })
  const deleted = (await startConversation(server, world.carla, 'Wrong number.')).conversation_id
  await as.ada(conversations.archive, { params: { id: deleted } })
  const olgas = await startVisitor(server, world.other.id)
  const foreign = (await startConversation(server, olgas, 'Elsewhere.')).conversation_id
  await as.olga(conversations.update, { params: { id: foreign }, body: { conversation: { status: 'closed' } } })
  await as.carla(customers.updateMetadata, {
    params: { id: world.carla.customer_id },
    body: {
      metadata: { current_url: 'https://shop.test/sale' },
    },
  })
  const visits = async () =>
    (await as.ada(customers.pageVisits, { params: { id: world.carla.customer_id } })).data.length
  const status = (who: Caller, id: string) => statusOf(who(conversations.get, { params: { id } }))
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
  await applyRetention(server.context, inDays(29))
  expect([await status(as.ada, closed), await status(as.ada, deleted)]).toEqual([200, 200])
  expect(await visits()).toBe(1)
  bystandersMayChange({ account_id: world.acme.id })
  await applyRetention(server.context, inDays(31))
  expect(await visits()).toBe(0)
  expect([await status(as.ada, closed), await status(as.ada, deleted)]).toEqual([404, 404])
  expect(await status(as.olga, foreign)).toBe(200)
  expect((await as.ada(search.find, { query: { q: 'stay' } })).data).toHaveLength(1)
})
