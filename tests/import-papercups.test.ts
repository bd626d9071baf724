import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { ACME, fill, id, KEY_OF_ADA, OTHER } from './support/papercups/company.ts'
import { createPapercups, insertInto, withClient } from './support/papercups/database.ts'
import { runImport } from './support/papercups/run.ts'
import { type Json, startTestServer, type TestServer } from './support/server.ts'

let source: FreshDatabase
let target: FreshDatabase
let folder: string
let output: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-papercups-'))
  source = await createPapercups()
  target = await freshDatabase()
  await withClient(source, fill)
  await writeFile(join(folder, '0123456789abcdef0123456789abcdef-old-lamp.txt'), 'a text file')
  output = (await runImport(target, source, folder, ['--files', folder])).output
})
afterAll(async () => {
  await source.drop()
  await target.drop()
  await rm(folder, { recursive: true, force: true })
})

async function onServer<Result>(work: (server: TestServer) => Promise<Result>): Promise<Result> {
  const server = await startTestServer({ DATA_DIR: join(folder, 'data') }, undefined, target)
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

async function signIn(server: TestServer, email: string, password: string): Promise<Json> {
  return server.request('POST', '/api/session', { body: { user: { email, password } } })
}

test('people sign in with their old password, which is stored anew by the first sign-in', async () => {
  await onServer(async (server) => {
    expect((await signIn(server, 'ada@acme.test', 'wrong horse')).status).toBe(401)
    const { status, body } = await signIn(server, 'Ada@acme.test', 'correct horse')
    expect(status).toBe(200)
    const me = await server.request('GET', '/api/me', { token: body.data.token })
    expect(me.body.data).toMatchObject({ id: 7, account_id: ACME, role: 'admin', email: 'ada@acme.test' })
    const stored = await server.context.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', 7)
      .executeTakeFirstOrThrow()
    expect(stored.password_hash).toMatch(/^\$argon2id\$/)
    expect((await signIn(server, 'ada@acme.test', 'correct horse')).status).toBe(200)
    expect((await signIn(server, 'ada@acme.test', 'other')).status).toBe(401)
  })
})

test('old API keys are valid, and the conversation reads as it was written', async () => {
  await onServer(async (server) => {
    const bearer = { authorization: `Bearer ${KEY_OF_ADA}` }
    const { status, body } = await server.request('GET', `/api/v1/conversations/${id('chat')}`, { headers: bearer })
    expect(status).toBe(200)
    const { messages, ...conversation } = body.data
    expect(conversation).toMatchObject({
      status: 'open',
      priority: 'not_priority',
      source: 'chat',
      assignee_id: 7,
      inbox_id: id('first'),
    })
    expect(messages.map(({ body: text }: Json) => text?.slice(0, 12) ?? null)).toEqual([
      'Is the lamp ',
      'A private th',
      'It is.',
      'Great',
      'Spoofed',
      null,
      'word0 word1 ',
    ])
    expect(messages.map(({ customer_id, user_id }: Json) => (customer_id ? 'customer' : user_id))).toEqual([
      'customer',
      7,
      7,
      'customer',
      'customer',
      'customer',
      'customer',
    ])
    expect(messages.map(({ private: isPrivate }: Json) => isPrivate)).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
      false,
    ])
    expect(messages[0].created_at).toBe('2022-03-01T10:00:00.000Z')
    expect(messages[0].attachments.map(({ filename }: Json) => filename)).toEqual(['old-lamp.txt', 'lost.png'])
    expect(messages[6].attachments).toMatchObject([
      { filename: 'lost.png' },
      { filename: 'message.txt', content_type: 'text/plain' },
    ])
    const closed = await server.request('GET', `/api/v1/conversations/${id('closed')}`, { headers: bearer })
    expect(closed.body.data).toMatchObject({
      status: 'closed',
      source: 'api',
      assignee_id: null,
      inbox_id: id('second'),
    })
    expect(closed.body.data.messages.map(({ body: text }: Json) => text)).toEqual(['Wrong account'])
  })
})

test('search, reports, tags, notes, issues and saved replies are complete', async () => {
  await onServer(async (server) => {
    const { body } = await signIn(server, 'ada@acme.test', 'correct horse')
    const get = async (path: string) => (await server.request('GET', path, { token: body.data.token })).body.data
    expect((await get('/api/search?q=stock')).map(({ conversation }: Json) => conversation.id)).toEqual([id('chat')])
    expect(await get('/api/reporting?from_date=2022-02-01&to_date=2022-04-01')).toMatchObject({
      messages_by_date: [{ date: '2022-03-01', count: 8 }],
    })
    expect((await get('/api/canned_responses')).map(({ name }: Json) => name).sort()).toEqual(['hello', 'hello (2)'])
    expect((await get('/api/tags')).map(({ name }: Json) => name)).toEqual(['vip'])
    const customer = await get(`/api/customers/${id('carla')}?expand[]=tags`)
    expect(customer).toMatchObject({ name: 'Carla', external_id: 'user 1', metadata: { plan: 'gold' } })
    expect(await get(`/api/customers/${id('twin')}`)).toMatchObject({
      name: null,
      external_id: null,
      metadata: { papercups: { external_id: 'user 1' } },
    })
    expect(await get(`/api/notes?customer_id=${id('carla')}`)).toMatchObject([{ body: 'Likes lamps' }])
    expect(await get(`/api/issues/${id('issue')}`)).toMatchObject({
      title: 'Flicker',
      state: 'unstarted',
      assignee_id: null,
    })
    expect(await get('/api/accounts/me')).toMatchObject({
      company_name: 'Acme',
      subscription_plan: 'team',
      time_zone: 'Europe/Paris',
      working_hours: [{ day: 'weekdays', start_minute: 540, end_minute: 1439 }],
    })
    const hooks = await get('/api/event_subscriptions')
    expect(hooks).toMatchObject([
      { events: ['conversation:created', 'customer:updated', 'message:created'], state: 'off' },
    ])
  })
})

test('what could not be moved is in the report with its reason, and secrets are in no file', async () => {
  expect(output).toContain('messages')
  expect(output).toMatch(/1 × its conversation does not exist/)
  expect(output).toMatch(/1 × has no conversation/)
  expect(output).toMatch(/slack_authorizations \(1\)\. Connect Slack again/)
  expect(output).toMatch(/The bytes of 1 attached file are not to be had/)
  const names = await readdir(join(folder, 'data', 'imports'))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, 'data', 'imports', name), 'utf8')))
  expect(texts.join('')).toContain('Nobody will miss me')
  expect(texts.join('')).not.toMatch(/xoxb-secret|SFMyNTY|pbkdf2/)
})

test('a second import adds what is new, follows what changed, and doubles nothing', async () => {
  const count = () =>
    withClient(target, async (client) => {
      const { rows } = await client.query(
        `select (select count(*) from messages)::int as messages, (select count(*) from customers)::int as customers,
           (select count(*) from conversations)::int as conversations, (select count(*) from users)::int as users,
           (select count(*) from files)::int as files, (select count(*) from conversation_tags)::int as tags`,
      )
      return rows[0]
    })
  const before = await count()
  await onServer(async (server) => {
    const { body } = await signIn(server, 'ada@acme.test', 'correct horse')
    const message = { conversation_id: id('chat'), body: 'Written in Parley' }
    expect((await server.request('POST', '/api/messages', { token: body.data.token, body: { message } })).status).toBe(
      201,
    )
  })
  await withClient(source, async (client) => {
    const insert = insertInto(client)
    await insert('messages', {
      id: id('later'),
      account_id: ACME,
      conversation_id: id('closed'),
      body: 'A later word',
      customer_id: id('twin'),
      type: 'reply',
      private: false,
      inserted_at: '2022-05-01 00:00:00',
    })
    await client.query(
      `update conversations set status = 'open', closed_at = null, archived_at = null, updated_at = '2022-05-01' where id = '${id('closed')}'`,
    )
  })
  const second = await runImport(target, source, folder, [])
  expect(second.code, second.output).toBe(0)
  expect(await count()).toEqual({ ...before, messages: before.messages + 2 })
  await onServer(async (server) => {
    const { body } = await signIn(server, 'ada@acme.test', 'correct horse')
    const { body: read } = await server.request('GET', `/api/conversations/${id('closed')}`, { token: body.data.token })
    expect(read.data).toMatchObject({ status: 'open', closed_at: null })
    expect(read.data.messages.map(({ body: text }: Json) => text)).toEqual(['Wrong account', 'A later word'])
  })
})

test('a dry run changes nothing, an older database is read, and one account can be moved alone', {
  timeout: 180_000,
}, async () => {
  const older = await createPapercups([
    'inboxes',
    'conversations.inbox_id',
    'messages.type',
    'messages.private',
    'lambdas',
    'user_profiles',
  ])
  const empty = await freshDatabase()
  try {
    await withClient(older, async (client) => {
      const insert = insertInto(client)
      await insert('accounts', { id: ACME, company_name: 'Acme' }, { id: OTHER, company_name: 'Other' })
      await insert(
        'users',
        { id: 1, account_id: ACME, email: 'ada@acme.test', role: 'admin' },
        { id: 2, account_id: OTHER, email: 'olga@other.test', role: 'admin' },
      )
      await insert('customers', { id: id('carla'), account_id: ACME, first_seen: '2020-01-01' })
      await insert('conversations', { id: id('chat'), account_id: ACME, customer_id: id('carla'), status: 'open' })
      await insert('messages', {
        id: id('m1'),
        account_id: ACME,
        conversation_id: id('chat'),
        customer_id: id('carla'),
        body: 'Hello',
      })
    })
    const dry = await runImport(empty, older, folder, ['--dry-run'])
    expect([dry.code, dry.output]).toEqual([0, expect.stringContaining('This was a dry run')])
    const accounts = () => withClient(empty, async (client) => (await client.query('select id from accounts')).rows)
    expect(await accounts()).toEqual([])
    const moved = await runImport(empty, older, folder, ['--account', ACME])
    expect(moved.code, moved.output).toBe(0)
    expect(await accounts()).toEqual([{ id: ACME }])
    const inboxes = await withClient(
      empty,
      async (client) => (await client.query('select name, is_primary from inboxes')).rows,
    )
    expect(inboxes).toEqual([{ name: 'Primary Inbox', is_primary: true }])
  } finally {
    await older.drop()
    await empty.drop()
  }
})

test('an installation with another company, and a database that is none of Papercups, are refused in words', async () => {
  const strange = await freshDatabase('template0')
  const taken = await freshDatabase()
  try {
    await withClient(taken, (client) =>
      client.query(`insert into accounts (id, company_name) values ('${id('taken')}', 'Taken Ltd');
        insert into customers (account_id, id, first_seen, last_seen_at) values ('${id('taken')}', '${id('tom')}', now(), now())`),
    )
    const refused = await runImport(taken, source, folder, [])
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('has the company "Taken Ltd"')])
    const none = await runImport(target, strange, folder, [])
    expect([none.code, none.output]).toEqual([1, expect.stringContaining('This is no database of Papercups')])
    const wrong = await runImport(target, { url: 'postgres://nobody@127.0.0.1:9/x' }, folder, [])
    expect([wrong.code, wrong.output]).toEqual([
      1,
      expect.stringContaining('The database of Papercups cannot be reached'),
    ])
  } finally {
    await strange.drop()
    await taken.drop()
  }
})
