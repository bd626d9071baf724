import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { codeAt } from '#server/features/accounts/auth-sessions/totp.ts'
import { encryptedByRails, RAILS_KEYS, UUIDS } from './support/chatwoot/company.ts'
import { createChatwoot, insertInto, withClient } from './support/chatwoot/database.ts'
import { fillCompany, runChatwoot, startChatwoot } from './support/chatwoot/run.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { writeDump } from './support/papercups/dump.ts'
import { startTestServer, type TestServer } from './support/server.ts'

const ALL = ['--inboxes', 'shared']
const TOTP = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

let folder: string
const databases: FreshDatabase[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-chatwoot-again-'))
})
afterAll(async () => {
  for (const database of databases) await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function prepare(version?: Parameters<typeof createChatwoot>[0], isFilled = true) {
  const source = await createChatwoot(version)
  const target = await freshDatabase()
  databases.push(source, target)
  if (isFilled) await withClient(source, fillCompany)
  return { source, target }
}

const select = (database: FreshDatabase, sql: string) =>
  withClient(database, async (client) => (await client.query(sql)).rows)

/** Everything that an import writes, as numbers of rows and a hash of the ids. */
async function fingerprint(target: FreshDatabase) {
  const tables = [
    'accounts',
    'inboxes',
    'widget_settings',
    'companies',
    'customers',
    'conversations',
    'messages',
    'mentions',
    'files',
    'tags',
  ]
  const others = ['saved_replies', 'customer_notes', 'conversation_ratings', 'event_subscriptions', 'users']
  const counts = [...tables, ...others].map(
    (table) =>
      `select '${table}' as name, count(*)::int as rows, md5(string_agg(id::text, ',' order by id)) as ids from ${table}`,
  )
  const links = ['message_files', 'message_mails', 'conversation_tags', 'customer_tags', 'user_settings'].map(
    (table) => `select '${table}', count(*)::int, '' from ${table}`,
  )
  return select(target, [...counts, ...links].join(' union all '))
}

async function onServer<Result>(target: FreshDatabase, work: (server: TestServer) => Promise<Result>): Promise<Result> {
  const server = await startTestServer({ DATA_DIR: join(folder, 'data') }, undefined, target)
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

test('a second import adds what is new, follows what changed, keeps what the team did, and doubles nothing', {
  timeout: 180_000,
}, async () => {
  const { source, target } = await prepare()
  expect((await runChatwoot(target, source, folder, ALL)).code).toBe(0)
  const before = await fingerprint(target)
  expect((await runChatwoot(target, source, folder, ALL)).code).toBe(0)
  expect(await fingerprint(target)).toEqual(before)

  await onServer(target, async (server) => {
    const user = { email: 'ada@acme.test', password: 'Correct-horse-1' }
    const { body } = await server.request('POST', '/api/session', { body: { user } })
    const message = { conversation_id: UUIDS[4], body: 'Written in Parley' }
    expect((await server.request('POST', '/api/messages', { token: body.data.token, body: { message } })).status).toBe(
      201,
    )
  })
  await withClient(source, async (client) => {
    const insert = insertInto(client)
    const later = { account_id: 1, inbox_id: 2, message_type: 0, sender_type: 'Contact', sender_id: 7 }
    await insert('messages', {
      ...later,
      id: 300,
      conversation_id: 4,
      content: 'Hello?',
      created_at: '2023-06-01 00:00:00',
    })
    await client.query(
      `update conversations set status = 1, updated_at = '2023-06-02' where id = 1;
       update messages set content = 'Nachricht gelöscht', content_attributes = '{"deleted":true}' where id = 117;
       delete from account_users where user_id = 9`,
    )
  })
  const { code, output } = await runChatwoot(target, source, folder, ALL)
  expect(code, output).toBe(0)
  expect(
    await select(target, `select body from messages where conversation_id = '${UUIDS[4]}' order by number`),
  ).toEqual([{ body: 'Written in Parley' }, { body: 'Hello?' }])
  expect(await select(target, `select status from conversations where id = '${UUIDS[1]}'`)).toEqual([
    { status: 'closed' },
  ])
  expect(await select(target, `select 1 from messages where body = 'Another contact'`)).toEqual([])
  expect(await select(target, `select disabled_at is not null as is_disabled from users where id = 9`)).toEqual([
    { is_disabled: true },
  ])
  const after = new Map((await fingerprint(target)).map(({ name, rows }) => [name, rows]))
  expect(after.get('messages')).toBe(before.find(({ name }) => name === 'messages').rows + 1)
  expect(after.get('users')).toBe(before.find(({ name }) => name === 'users').rows)
})

test('a dry run changes nothing, and an import that is killed leaves nothing behind and can be repeated', {
  // Four imports, each in a process of its own.
  timeout: 180_000,
}, async () => {
  const { source, target } = await prepare()
  const dry = await runChatwoot(target, source, folder, ['--dry-run'])
  expect([dry.code, dry.output]).toEqual([0, expect.stringContaining('This was a dry run')])
  expect(dry.output).toContain('2 people see only some inboxes')
  expect(await select(target, 'select id from accounts')).toEqual([])

  await withClient(target, async (client) => {
    await client.query('begin; lock table conversations in exclusive mode')
    const child = startChatwoot(target, source, folder, ALL)
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await vi.waitFor(
      async () => {
        const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        expect(await select(target, waiting)).toHaveLength(1)
      },
      { timeout: 60_000, interval: 100 },
    )
    child.kill('SIGKILL')
    await ended
    await client.query('rollback')
  })
  await vi.waitFor(async () => {
    const others = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'parley import'`
    expect(await select(target, others)).toEqual([])
  })
  expect(await select(target, 'select id from accounts union all select id from customers')).toEqual([])
  const again = await runChatwoot(target, source, folder, ALL)
  expect(again.code, again.output).toBe(0)
  expect(await select(target, 'select count(*)::int as count from conversations')).toEqual([{ count: 8 }])
})

test('lines of the team’s history become one private note for each conversation, if somebody asks for it', async () => {
  const { source, target } = await prepare()
  const wrong = await runChatwoot(target, source, folder, [...ALL, '--activities', 'all'])
  expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('--activities is “notes”')])
  const options = [...ALL, '--activities', 'notes']
  const first = await runChatwoot(target, source, folder, options)
  expect(first.code, first.output).toBe(0)
  expect(first.output).not.toContain('is a line of the team’s history')
  const notes = () =>
    select(
      target,
      `select m.body, m.type, m.private, m.user_id, m.number = v.last_number as is_last, v.id from messages m
       join conversations v on v.account_id = m.account_id and v.id = m.conversation_id where m.metadata @> '{"chatwoot": {"activity": true}}'`,
    )
  const lines = 'Verlauf in Chatwoot (Zeiten in UTC)\n\n- 2023-03-01 10:00 Conversation was marked resolved by Ada'
  const note = { body: lines, type: 'note', private: true, user_id: null, is_last: true, id: UUIDS[1] }
  expect(await notes()).toEqual([note])
  await withClient(source, (client) =>
    insertInto(client)('messages', {
      ...{ id: 400, account_id: 1, inbox_id: 2, conversation_id: 1, message_type: 2 },
      ...{ content: 'Ada added vip', created_at: '2023-03-02 09:30:00' },
    }),
  )
  expect((await runChatwoot(target, source, folder, options)).code).toBe(0)
  expect(await notes()).toEqual([{ ...note, body: `${lines}\n- 2023-03-02 09:30 Ada added vip` }])
})

test('agents do not see more than before unless somebody agrees', async () => {
  const { source, target } = await prepare()
  const refused = await runChatwoot(target, source, folder)
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('To agree, add --inboxes shared')])
  expect(await select(target, 'select id from accounts')).toEqual([])
})

test('accounts are moved by their numbers, also suspended ones, and unknown numbers are refused in words', async () => {
  const { source, target } = await prepare()
  const unknown = await runChatwoot(target, source, folder, ['--account', '77'])
  expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining('Chatwoot has no account 77.')])
  const { code, output } = await runChatwoot(target, source, folder, ['--account', '4', '--account', '2', ...ALL])
  expect(code, output).toBe(0)
  expect(await select(target, 'select company_name from accounts order by 1')).toEqual([
    { company_name: 'Gone Ltd' },
    { company_name: 'Unnamed account' },
  ])
  // Ada signs in where she is moved to.
  expect(await select(target, `select id, disabled_at from users where email = 'ada@acme.test'`)).toEqual([
    { id: 7, disabled_at: null },
  ])
  expect(await select(target, 'select body from messages')).toEqual([{ body: 'In the other company' }])
})

test('a newer version’s second factors, companies and reviews are moved; a factor that cannot be read is named', async () => {
  const { source, target } = await prepare('newer')
  await withClient(source, async (client) => {
    const insert = insertInto(client)
    await insert('companies', { id: 1, account_id: 1, name: 'Lamps Inc', domain: 'lamps.test' })
    await client.query('update contacts set company_id = 1 where id = 1')
    const turnOn =
      'update users set otp_required_for_login = true, consumed_timestep = 5, otp_secret = $2 where id = $1'
    await client.query(turnOn, [7, encryptedByRails(TOTP, 'sha256')])
    await client.query(turnOn, [9, encryptedByRails(TOTP, 'sha1').replace(/"at":"../, '"at":"AA')])
    await client.query(turnOn, [13, encryptedByRails(TOTP, 'sha1')])
  })
  const without = await runChatwoot(target, source, folder, ALL)
  expect(without.code, without.output).toBe(0)
  expect(without.output.match(/The second factor of \S+ could not be read/g)).toHaveLength(3)
  const { output } = await runChatwoot(target, source, folder, ALL, RAILS_KEYS)
  expect(output.match(/The second factor of \S+ could not be read/g)).toEqual([
    'The second factor of ben@acme.test could not be read',
  ])
  expect(await select(target, 'select user_id from two_factors order by 1')).toEqual([{ user_id: 7 }, { user_id: 13 }])
  expect(
    await select(
      target,
      `select c.name, k.name as company, k.website_url from customers c join companies k on k.id = c.company_id`,
    ),
  ).toEqual([{ name: 'Carla Curie', company: 'Lamps Inc', website_url: 'https://lamps.test' }])
  await onServer(target, async (server) => {
    const user = { email: 'ada@acme.test', password: 'Correct-horse-1' }
    expect((await server.request('POST', '/api/session', { body: { user } })).body).toMatchObject({
      error: { reason: 'two_factor_required' },
    })
    const code = codeAt(TOTP, Math.floor(Date.now() / 30_000))
    expect((await server.request('POST', '/api/session', { body: { user: { ...user, code } } })).status).toBe(200)
  })
})

test('an older version, which lacks columns and tables, is read', async () => {
  const { source, target } = await prepare('older', false)
  await withClient(source, async (client) => {
    const insert = insertInto(client)
    await insert('accounts', { id: 1, name: 'Acme' })
    await insert('users', { id: 1, name: 'Ada', email: 'ada@acme.test' })
    await insert('account_users', { account_id: 1, user_id: 1, role: 1 })
    await insert('inboxes', {
      id: 1,
      account_id: 1,
      channel_id: 1,
      channel_type: 'Channel::WebWidget',
      name: 'Website',
    })
    await insert('contacts', { id: 1, account_id: 1, name: 'Carla', email: 'carla@mail.test' })
    await insert('conversations', { id: 1, account_id: 1, inbox_id: 1, contact_id: 1, display_id: 1 })
    const message = {
      account_id: 1,
      inbox_id: 1,
      conversation_id: 1,
      message_type: 0,
      sender_type: 'Contact',
      sender_id: 1,
    }
    await insert('messages', { ...message, id: 1, content: 'Hello' })
    await insert('attachments', { id: 1, account_id: 1, message_id: 1, file_type: 3 })
    await insert('active_storage_blobs', { id: 1, key: 'abcdef', filename: 'a.txt', byte_size: 1, checksum: '' })
    await insert('active_storage_attachments', { name: 'file', record_type: 'Attachment', record_id: 1, blob_id: 1 })
  })
  const { code, output } = await runChatwoot(target, source, folder)
  expect(code, output).toBe(0)
  expect(
    await select(target, 'select body, priority from messages join conversations v on v.id = conversation_id'),
  ).toEqual([{ body: 'Hello', priority: 'not_priority' }])
  expect(await select(target, 'select filename from files')).toEqual([{ filename: 'a.txt' }])
})

test('a plain dump becomes the same as the live database', async () => {
  const { source, target } = await prepare()
  const other = await freshDatabase()
  databases.push(other)
  const dump = join(folder, 'dump.sql')
  await writeDump(source, dump)
  for (const [to, from] of [
    [target, source],
    [other, dump],
  ] as const) {
    const { code, output } = await runChatwoot(to, from, folder, ALL)
    expect(code, output).toBe(0)
  }
  const withoutIds = async (database: FreshDatabase) =>
    (await fingerprint(database)).map(({ name, rows }) => ({ name, rows }))
  expect(await withoutIds(other)).toEqual(await withoutIds(target))
  // The ids are derived with a secret of each installation.
  const idsOf = (database: FreshDatabase) => select(database, 'select id from messages order by id')
  expect(await idsOf(other)).not.toEqual(await idsOf(target))
})

test('people whose numbers or addresses are taken in Parley are moved all the same', async () => {
  const { source, target } = await prepare()
  await withClient(target, (client) =>
    client.query(
      `insert into accounts (id, company_name) values ('00000000-0000-4000-8000-0000000000aa', 'Set up first');
       insert into users (account_id, id, email, password_hash, role) values
         ('00000000-0000-4000-8000-0000000000aa', 7, 'first@setup.test', 'x', 'admin'),
         ('00000000-0000-4000-8000-0000000000aa', 8, 'ben@acme.test', 'x', 'admin')`,
    ),
  )
  const first = await runChatwoot(target, source, folder, ALL)
  expect(first.code, first.output).toBe(0)
  const people = () =>
    select(
      target,
      `select email, id >= 1000000000 as is_renumbered, disabled_at is null as is_active from users where email like '%ada@%' or email like '9.1@%' order by 1`,
    )
  const expected = [
    { email: '9.1@chatwoot.invalid', is_renumbered: true, is_active: false },
    { email: 'ada@acme.test', is_renumbered: true, is_active: true },
  ]
  expect(await people()).toEqual(expected)
  expect((await runChatwoot(target, source, folder, ALL)).code).toBe(0)
  expect(await people()).toEqual(expected)
})
