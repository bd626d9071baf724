import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deriveId } from '#server/platform/secrets.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { createPapercups, insertInto, papercupsHash, withClient } from './support/papercups/database.ts'
import { runImport } from './support/papercups/run.ts'
import { type Json, startTestServer, type TestServer } from './support/server.ts'

const id = (name: string) => deriveId(`papercups ${name}`)
const ACME = id('acme')
const OTHER = id('other')
const KEY_OF_ADA = 'SFMyNTY.g2gDYQJuBgD5ZXAfeAFiAAFRgA.uVY0W7i9S3bQ1cK2x8yqv0m5n4b6c7d8e9f0a1b2c3d4'

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

/** A company with a day of use, and what Papercups' databases hold beside it. */
async function fill(client: Parameters<typeof insertInto>[0]) {
  const insert = insertInto(client)
  await insert(
    'accounts',
    {
      id: ACME,
      company_name: 'Acme',
      time_zone: 'Europe/Paris',
      subscription_plan: 'enterprise',
      settings: { id: id('settings'), conversation_reminders_enabled: true, max_num_conversation_reminders: null },
      working_hours: [
        '{"id":"x","day":"weekdays","start_minute":540,"end_minute":1440}',
        '{"id":"y","day":"sometimes","start_minute":1,"end_minute":2}',
        '{"id":"z","day":"sunday","start_minute":null,"end_minute":2}',
      ],
    },
    { id: OTHER, company_name: '  ' },
  )
  await insert(
    'users',
    { id: 7, account_id: ACME, email: 'ada@acme.test', role: 'admin', password_hash: papercupsHash('correct horse') },
    { id: 9, account_id: ACME, email: 'Ada@Acme.test', role: 'admin', password_hash: papercupsHash('other') },
    { id: 12, account_id: ACME, email: ' Ben@acme.test ', role: 'user', password_hash: null },
    { id: 13, account_id: id('nowhere'), email: 'lost@nowhere.test', role: 'user' },
    { id: 20, account_id: OTHER, email: 'olga@other.test', role: 'admin', password_hash: papercupsHash('olgas word') },
  )
  await insert('user_profiles', {
    id: id('profile'),
    user_id: 7,
    full_name: 'Ada Lovelace',
    display_name: ' ',
    profile_photo_url: 'javascript:x',
  })
  await insert('user_settings', {
    id: id('setting'),
    user_id: 12,
    email_alert_on_new_message: true,
    email_alert_on_new_conversation: null,
  })
  await insert(
    'inboxes',
    { id: id('second'), account_id: ACME, name: 'Second', is_primary: true, inserted_at: '2022-02-02 00:00:00' },
    { id: id('first'), account_id: ACME, name: 'First', is_primary: true, inserted_at: '2022-01-01 00:00:00' },
  )
  await insert(
    'widget_settings',
    { id: id('old widget'), account_id: ACME, inbox_id: null, color: '#111111', updated_at: '2022-01-01 00:00:00' },
    {
      id: id('widget'),
      account_id: ACME,
      inbox_id: null,
      color: '#123456',
      is_open_by_default: null,
      icon_variant: 'odd',
      updated_at: '2022-02-01 00:00:00',
    },
  )
  await insert('companies', { id: id('company'), account_id: ACME, name: null, metadata: 'a text' })
  await insert(
    'customers',
    {
      id: id('carla'),
      account_id: ACME,
      name: 'Carla',
      email: 'carla@mail.test',
      external_id: 'user 1',
      company_id: id('company'),
      last_seen_at: '2022-03-02 08:00:00',
      metadata: { plan: 'gold' },
      first_seen: '2022-03-01',
      updated_at: '2022-03-05 00:00:00',
    },
    {
      id: id('twin'),
      account_id: ACME,
      name: 'null',
      email: 'twin@mail.test',
      external_id: ' user 1',
      last_seen: '2021-03-02',
      first_seen: '2021-03-01',
      updated_at: '2022-03-04 00:00:00',
    },
    { id: id('olgas'), account_id: OTHER, name: 'Foreign', first_seen: '2022-01-01' },
  )
  await insert(
    'conversations',
    {
      id: id('chat'),
      account_id: ACME,
      customer_id: id('carla'),
      inbox_id: null,
      assignee_id: 7,
      status: 'open',
      priority: 'urgent',
      source: null,
      read: true,
      subject: 'Lamp',
      first_replied_at: '2022-03-01 10:00:01',
      metadata: null,
      updated_at: '2022-03-01 12:00:00',
    },
    {
      id: id('closed'),
      account_id: ACME,
      customer_id: id('olgas'),
      inbox_id: id('second'),
      assignee_id: 20,
      status: null,
      closed_at: '2022-03-02 00:00:00',
      source: 'telex',
      read: false,
      archived_at: '2022-03-20 00:00:00',
    },
    { id: id('empty'), account_id: ACME, customer_id: null, status: 'open', source: 'chat', read: false },
  )
  const m = (name: string, row: Record<string, string | number | boolean | null | object>) => ({
    id: id(name),
    account_id: ACME,
    conversation_id: id('chat'),
    source: 'chat',
    type: 'reply',
    ...row,
  })
  await insert(
    'messages',
    m('m1', {
      body: 'Is the lamp in stock?',
      customer_id: id('carla'),
      private: null,
      inserted_at: '2022-03-01 10:00:00',
    }),
    m('m2', {
      body: 'A private thought',
      user_id: 7,
      type: 'note',
      private: false,
      inserted_at: '2022-03-01 10:00:01',
    }),
    m('m3', {
      body: 'It is.',
      user_id: 7,
      private: false,
      seen_at: '2022-03-01 10:05:00',
      inserted_at: '2022-03-01 10:00:02',
    }),
    m('m4', {
      body: 'Great',
      customer_id: id('carla'),
      user_id: 7,
      private: false,
      inserted_at: '2022-03-01 10:00:02',
    }),
    m('m5', {
      body: 'Spoofed',
      customer_id: id('olgas'),
      private: false,
      metadata: [1],
      inserted_at: '2022-03-01 10:00:03',
    }),
    m('m6', {
      body: null,
      customer_id: id('carla'),
      private: false,
      type: 'odd',
      content_type: null,
      metadata: { ses_html: '<p>Hi</p>' },
      inserted_at: '2022-03-01 10:00:04',
    }),
    m('m7', {
      body: Array.from({ length: 90_000 }, (_, n) => `word${n}`).join(' '),
      customer_id: id('carla'),
      private: false,
      inserted_at: '2022-03-01 10:00:05',
    }),
    m('elsewhere', {
      conversation_id: id('closed'),
      account_id: OTHER,
      body: 'Wrong account',
      customer_id: id('twin'),
      private: false,
    }),
    m('orphan', { conversation_id: id('gone'), body: 'Nobody will miss me', customer_id: id('carla') }),
    m('loose', { conversation_id: null, body: 'Nor me' }),
  )
  await insert(
    'mentions',
    { id: id('mention'), message_id: id('m2'), user_id: 12, account_id: null },
    { id: id('mention 2'), message_id: id('m2'), user_id: 12, seen_at: null },
    { id: id('mention 3'), message_id: id('m2'), user_id: 20 },
  )
  await insert(
    'files',
    {
      id: id('file'),
      account_id: ACME,
      filename: 'old/lamp.txt',
      unique_filename: '0123456789abcdef0123456789abcdef-old-lamp.txt',
      file_url: 'https://bucket.s3.amazonaws.com/0123456789abcdef0123456789abcdef-old-lamp.txt',
      content_type: 'text/html',
      customer_id: id('carla'),
    },
    {
      id: id('lost file'),
      account_id: ACME,
      filename: 'lost.png',
      unique_filename: 'ffff-lost.png',
      file_url: 'https://bucket.s3.amazonaws.com/ffff-lost.png',
      content_type: 'image/png',
    },
  )
  await insert(
    'message_files',
    { id: id('link'), message_id: id('m1'), file_id: id('file') },
    { id: id('link 2'), message_id: id('m1'), file_id: id('lost file') },
  )
  await insert(
    'tags',
    { id: id('tag'), account_id: ACME, name: 'vip' },
    { id: id('tag twin'), account_id: null, creator_id: 7, name: 'vip' },
  )
  await insert(
    'conversation_tags',
    { id: id('ct'), conversation_id: id('chat'), tag_id: id('tag twin') },
    { id: id('ct 2'), conversation_id: id('chat'), tag_id: id('tag') },
  )
  await insert('customer_tags', { id: id('cut'), customer_id: id('carla'), tag_id: id('tag') })
  await insert(
    'notes',
    { id: id('note'), account_id: ACME, customer_id: id('carla'), author_id: 7, body: 'Likes lamps' },
    { id: id('note 2'), account_id: ACME, customer_id: id('olgas'), author_id: 7, body: 'Foreign' },
  )
  await insert('issues', {
    id: id('issue'),
    account_id: null,
    creator_id: 7,
    assignee_id: 20,
    title: 'Flicker',
    state: 'odd',
  })
  await insert('customer_issues', { id: id('ci'), customer_id: id('carla'), issue_id: id('issue') })
  await insert(
    'canned_responses',
    { id: id('reply'), account_id: ACME, name: 'hello', content: 'Hello!' },
    { id: id('reply 2'), account_id: ACME, name: '/hello', content: 'Hi!' },
  )
  await insert('personal_api_keys', { id: id('key'), account_id: OTHER, user_id: 7, label: null, value: KEY_OF_ADA })
  await insert('event_subscriptions', {
    id: id('hook'),
    account_id: ACME,
    webhook_url: 'https://hooks.acme.test/x',
    verified: true,
    scope: 'message:created customer:updated nonsense',
  })
  await insert('lambdas', {
    id: id('lambda'),
    account_id: ACME,
    name: 'Greeter',
    code: 'exports.handler = () => 1',
    status: 'active',
    creator_id: 7,
  })
  await client.query(`insert into slack_authorizations values ('${id('slack')}', 'xoxb-secret')`)
}

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
    expect(messages[6].attachments).toMatchObject([{ filename: 'message.txt', content_type: 'text/plain' }])
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
  expect(output).toMatch(/The bytes of 1 attached files are not to be had/)
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

test('a dry run changes nothing, an older database is read, and one account can be moved alone', async () => {
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
      client.query(`insert into accounts (id, company_name) values ('${id('taken')}', 'Taken Ltd')`),
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
