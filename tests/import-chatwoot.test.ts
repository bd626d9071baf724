import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { destroyUnusedFiles } from '#server/features/conversations/files/files.ts'
import { UUIDS } from './support/chatwoot/company.ts'
import { FACE, LAMP, PICTURE } from './support/chatwoot/conversations.ts'
import { createChatwoot, withClient } from './support/chatwoot/database.ts'
import { fillCompany, runChatwoot } from './support/chatwoot/run.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { type Json, startTestServer, type TestServer } from './support/server.ts'

const ADA = { email: 'ada@acme.test', password: 'Correct-horse-1' }
const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let source: FreshDatabase
let target: FreshDatabase
let folder: string
let output: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-chatwoot-'))
  source = await createChatwoot()
  target = await freshDatabase()
  await withClient(source, fillCompany)
  await mkdir(join(folder, 'storage/ab/1d'), { recursive: true })
  await mkdir(join(folder, 'storage/ab/30'), { recursive: true })
  await writeFile(join(folder, 'storage/ab/1d/ab1defghij'), LAMP)
  await writeFile(join(folder, 'storage/ab/30/ab300defghij'), PICTURE)
  await writeFile(join(folder, 'storage/ab/30/ab301defghij'), 'no picture')
  // Without blocks on the disk.
  await mkdir(join(folder, 'storage/ab/5d'))
  await writeFile(join(folder, 'storage/ab/5d/ab5defghij'), '')
  await truncate(join(folder, 'storage/ab/5d/ab5defghij'), 64_000_001)
  await writeFile(join(folder, 'storage/ab/30/ab302defghij'), FACE)
  await writeFile(join(folder, 'storage/ab/30/ab303defghij'), FACE)
  const first = await runChatwoot(target, source, folder, ['--storage', join(folder, 'storage'), '--inboxes', 'shared'])
  output = first.output
  expect(first.code, output).toBe(0)
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

/** Works as Ada, who administers the company. */
async function asAda<Result>(
  work: (get: (path: string) => Promise<Json>, server: TestServer, token: string) => Promise<Result>,
) {
  return onServer(async (server) => {
    const { body } = await server.request('POST', '/api/session', { body: { user: ADA } })
    const token = body.data.token as string
    return work(async (path) => (await server.request('GET', path, { token })).body.data, server, token)
  })
}

const select = (sql: string) => withClient(target, async (client) => (await client.query(sql)).rows)

test('people sign in with their old password, which is stored anew by the first sign-in', async () => {
  await onServer(async (server) => {
    const signIn = (user: object) => server.request('POST', '/api/session', { body: { user } })
    expect((await signIn({ ...ADA, password: 'Wrong-horse-1' })).status).toBe(401)
    const { status, body } = await signIn(ADA)
    expect(status).toBe(200)
    const me = await server.request('GET', '/api/me', { token: body.data.token })
    expect(me.body.data).toMatchObject({ id: 7, role: 'admin', email: ADA.email })
    expect((await signIn(ADA)).status).toBe(200)
    expect((await signIn({ ...ADA, password: 'other' })).status).toBe(401)
    expect((await signIn({ email: 'left@acme.test', password: 'Left-word-1' })).status).toBe(401)
  })
  expect(await select('select password_hash from users where id = 7')).toEqual([
    { password_hash: expect.stringMatching(/^\$argon2id\$/) },
  ])
})

test('people belong to one company, and whoever left stays beside what they wrote', async () => {
  const rows = await select(
    `select a.company_name as company, u.email, u.role, u.full_name, u.disabled_at is not null as is_disabled from users u
     join accounts a on a.id = u.account_id order by 1, 2`,
  )
  expect(rows.map(({ company, email, role, is_disabled }) => [company, email, role, is_disabled])).toEqual([
    ['Acme', '12.1@chatwoot.invalid', 'user', true],
    ['Acme', '14.1@chatwoot.invalid', 'user', true],
    ['Acme', '15.1@chatwoot.invalid', 'user', true],
    ['Acme', 'ada@acme.test', 'admin', false],
    ['Acme', 'ben@acme.test', 'user', false],
    ['Acme', 'former.1@chatwoot.invalid', 'user', true],
    ['Unnamed account', '7.4@chatwoot.invalid', 'user', true],
    ['Unnamed account', 'olga@other.test', 'user', false],
  ])
  await asAda(async (get) => {
    expect(await get('/api/accounts/me')).toMatchObject({
      company_name: 'Acme',
      time_zone: 'Europe/Berlin',
      working_hours: [
        { day: 'monday', start_minute: 540, end_minute: 1019 },
        { day: 'tuesday', start_minute: 0, end_minute: 1439 },
      ],
    })
  })
  expect(
    await select(
      'select language, mail_signature, email_alert_on_new_conversation, email_alert_on_new_message, email_alert_on_mention from user_settings where user_id = 9',
    ),
  ).toEqual([
    {
      language: 'de',
      mail_signature: 'Yours, Ben',
      email_alert_on_new_conversation: true,
      email_alert_on_new_message: true,
      email_alert_on_mention: false,
    },
  ])
})

test('a conversation reads as it was written: history and deleted messages are left out, notes stay private', async () => {
  await asAda(async (get) => {
    const { messages, ...conversation } = await get(`/api/conversations/${UUIDS[1]}`)
    expect(conversation).toMatchObject({
      status: 'open',
      priority: 'priority',
      source: 'chat',
      assignee_id: 7,
      read: false,
    })
    expect(conversation.metadata).toMatchObject({
      order: 5,
      chatwoot: { display_id: 101, team: 'billing', priority: 'urgent', participants: ['Benny'] },
    })
    const read = messages.map(({ body, type, private: isPrivate, customer_id, user_id }: Json) => [
      body?.slice(0, 40) ?? null,
      `${isPrivate ? 'private ' : ''}${type}`,
      customer_id ? 'customer' : user_id === null ? null : user_id > 1_000_000 ? 'former' : user_id,
    ])
    expect(read).toEqual([
      ['Is the lamp in stock?', 'reply', 'customer'],
      ['Ask @Benny or @billing', 'private note', 7],
      ['It is.\nTruly.', 'reply', 7],
      ['Leave your e-mail', 'bot', null],
      [null, 'reply', 'customer'],
      ['From somebody gone', 'reply', 'former'],
      ['Beep', 'bot', null],
      ['By a rule', 'bot', null],
      ['word0 word1 word2 word3 word4 word5 word', 'reply', 'customer'],
      ['Author deleted', 'reply', null],
      ['Choose\n- Red\nColour: Red', 'bot', null],
      ['Nicht unterstützte Nachricht', 'reply', 'customer'],
      ['Secret of a program', 'private note', null],
      ['Another contact', 'reply', 'customer'],
      ['Ulm: 48.4, 10\nLink: https://acme.test/x', 'reply', 'customer'],
    ])
    expect(messages.map(({ id }: Json) => id).every((id: string) => UUID_4.test(id))).toBe(true)
    expect(messages[0].created_at).toBe('2023-03-01T10:00:00.100Z')
    expect(messages[2].seen_at).toBe('2023-03-01T10:30:00.000Z')
    expect(messages[4].metadata.chatwoot).toMatchObject({ in_reply_to: messages[2].id, translations: { de: 'ab' } })
    expect(messages[9].metadata.chatwoot).toMatchObject({ error: 'failed' })
    expect(messages[13].metadata.chatwoot).toMatchObject({ sender: expect.any(String) })
    expect(messages[0].attachments.map(({ filename }: Json) => filename)).toEqual(['old-lamp.txt', 'file-2.txt'])
    expect(messages[8].attachments).toMatchObject([{ filename: 'message.txt' }])
  })
})

test('conversations keep their ids and states, also where contacts and inboxes are gone', async () => {
  const rows = await select(
    `select v.id, v.status, v.source, c.name, i.name as inbox, v.closed_at, v.snoozed_at is not null as is_asleep, v.assignee_id, v.archived_at
     from conversations v join customers c on c.account_id = v.account_id and c.id = v.customer_id
     join inboxes i on i.account_id = v.account_id and i.id = v.inbox_id order by v.id`,
  )
  expect(
    rows.map(({ id, status, source, name, inbox, is_asleep }) => [id, status, source, name, inbox, is_asleep]),
  ).toEqual([
    [UUIDS[1], 'open', 'chat', 'Carla Curie', 'Website', false],
    [UUIDS[2], 'closed', 'chat', null, 'Website', false],
    [UUIDS[3], 'closed', 'email', 'Mia', 'Mail', false],
    [UUIDS[4], 'open', 'chat', 'Claims', 'Website', true],
    [UUIDS[5], 'open', 'api', 'Carla Curie', 'Facebook', false],
    [UUIDS[6], 'open', 'chat', null, 'Website', false],
    [UUIDS[7], 'open', 'api', 'Carla Curie', 'WhatsApp', false],
    [UUIDS[20], 'open', 'api', 'Foreign', 'Machines', false],
  ])
  expect(rows[1]).toMatchObject({ closed_at: new Date('2023-03-03T11:00:00Z'), assignee_id: null, archived_at: null })
  const ids = await select('select id from accounts union select id from inboxes union select id from customers')
  expect(ids.every(({ id }) => UUID_4.test(id))).toBe(true)
})

test('what a visitor typed is a claim, and what the website vouched for is not', async () => {
  const rows = await select(
    `select name, email, phone, external_id, origin, field_sources, blocked_at is not null as is_blocked, metadata, browser, pathname, ip
     from customers order by created_at, email nulls last, name nulls last`,
  )
  const of = (email: string) => rows.find((row) => row.email === email)!
  expect(of('carla@mail.test')).toMatchObject({
    ...{
      name: 'Carla Curie',
      external_id: 'user 1',
      origin: 'import',
      browser: 'Firefox',
      pathname: '/lamps',
      ip: '203.0.113.7',
    },
    field_sources: { email: 'import', external_id: 'import', name: 'import', 'metadata.plan': 'import' },
    metadata: {
      plan: 'gold',
      chatwoot: {
        id: 1,
        chatwoot: 'mine',
        attributes: { city: 'Ulm' },
        inboxes: [{ inbox: 'Website', source_id: 's1' }],
      },
    },
  })
  expect(of('mia@mail.test')).toMatchObject({ field_sources: { email: 'import' }, metadata: { raw: [1, 2] } })
  expect(of('claims@mail.test')).toMatchObject({ is_blocked: true, phone: '+4915550' })
  expect(Object.keys(of('claims@mail.test').field_sources)).not.toContain('email')
  expect(rows.find(({ name }) => name === 'Twin')).toMatchObject({
    external_id: null,
    metadata: { chatwoot: { external_id: 'user 1' } },
  })
  expect(rows.map(({ name }) => name)).not.toContain('brave-lion-12')
  expect(await select(`select reply_email from conversations where id = '${UUIDS[4]}'`)).toEqual([
    { reply_email: 'claims@mail.test' },
  ])
  expect(await select('select * from visitor_sessions')).toEqual([])
})

test('mails have their headers and layout, with their own pictures and nobody else’s', async () => {
  const rows = await select(
    `select m.body, d.direction, d.message_header, d.refs, d.subject, d.from_address, d.recipients, d.cc, d.html from messages m
     left join message_mails d on d.account_id = m.account_id and d.message_id = m.id where m.conversation_id = '${UUIDS[3]}' order by m.number`,
  )
  const picture = await select(`select id from files where filename = 'logo.png'`)
  expect(rows).toMatchObject([
    {
      ...{
        body: 'Where is it?',
        direction: 'in',
        message_header: '<first@mail.test>',
        refs: ['<older@mail.test>'],
        subject: 'The lamp',
      },
      ...{ from_address: 'mia@mail.test', recipients: ['help@acme.test'], cc: ['kim@mail.test', 'max@mail.test'] },
    },
    {
      ...{
        body: 'On its way',
        direction: 'out',
        subject: 'Re: The lamp',
        from_address: 'help@acme.test',
        recipients: ['mia@mail.test'],
      },
      message_header: `<conversation/${UUIDS[3]}/messages/202@old.acme.test>`,
    },
    { body: 'Thank you', direction: null },
    { direction: 'out', message_header: '<conversation/x/messages/204@old.acme.test>', cc: ['max@mail.test'] },
  ])
  expect(rows[0]!.html).toContain(`/files/${picture[0]!.id}/logo.png"`)
  expect(rows[0]!.html.match(/rails\/active_storage/g)).toHaveLength(2)
  expect(picture).toHaveLength(1)
})

test('files are copied from the old folder, and missing ones are named', async () => {
  const rows = await select(
    `select filename, size, content_type from files where filename <> 'picture.webp' order by filename`,
  )
  expect(rows).toEqual([
    { filename: 'file-2.txt', size: 0, content_type: 'application/octet-stream' },
    { filename: 'film.mp4', size: 0, content_type: 'application/octet-stream' },
    { filename: 'logo.png', size: PICTURE.length, content_type: 'text/plain' },
    { filename: 'message.txt', size: expect.any(Number), content_type: 'text/plain' },
    { filename: 'old-lamp.txt', size: LAMP.length, content_type: 'text/plain' },
  ])
  expect(output).toMatch(/The bytes of 1 attached file are not to be had.*\n {2}file-2.txt\n/)
  expect(output).toMatch(/Files larger than 64 MB are not copied.*\n {2}film.mp4\n/)
})

test('pictures of people come along, made small; what is no picture is counted', async () => {
  await onServer(async (server) => {
    const rows = await select(
      `select full_name as name, profile_photo_url as url from users where profile_photo_url is not null
       union all select name, profile_photo_url from customers where profile_photo_url is not null order by name`,
    )
    expect(rows.map(({ name }) => name)).toEqual(['Ben', 'Carla Curie'])
    for (const { url } of rows) {
      const answer = await fetch(server.url + new URL(url, server.url).pathname)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
      await answer.arrayBuffer()
    }
  })
  expect(output).toContain('Copied the pictures of 2 people.')
  // Ada’s, in each of her two companies.
  expect(output).toContain('Pictures of people that are missing, or are no pictures: 2.')
  expect(output).toContain('1 picture of an inbox, bot or company is left out.')
})

test('search, reports, tags, notes, ratings, saved replies and webhooks are complete', async () => {
  await asAda(async (get) => {
    expect((await get('/api/search?q=stock')).map(({ conversation }: Json) => conversation.id)).toEqual([UUIDS[1]])
    expect(await get('/api/reporting?from_date=2023-02-01&to_date=2023-04-01')).toMatchObject({
      messages_by_date: [{ date: '2023-03-01', count: 20 }],
    })
    expect((await get('/api/tags')).map(({ name, color }: Json) => [name, color]).sort()).toEqual([
      ['VIP', 'red'],
      ['forgotten', null],
    ])
    expect((await get('/api/canned_responses')).map(({ name }: Json) => name).sort()).toEqual(['hello', 'hello (2)'])
    expect(await get('/api/event_subscriptions')).toMatchObject([
      {
        webhook_url: 'https://hooks.acme.test/x',
        events: ['customer:updated', 'message:created'],
        state: 'off',
        verified: false,
      },
    ])
  })
  expect(await select('select score, comment, user_id > 1000000 as is_former from conversation_ratings')).toEqual([
    { score: 5, comment: 'Good', is_former: true },
  ])
  expect(
    await select(`select n.body, u.full_name from customer_notes n join users u on u.id = n.author_id order by 1`),
  ).toEqual([
    { body: 'By somebody', full_name: 'Former teammate' },
    { body: 'Likes lamps', full_name: 'Ada Lovelace' },
  ])
  expect(
    await select(
      'select count(*)::int as tagged from conversation_tags union all select count(*)::int from customer_tags order by 1',
    ),
  ).toEqual([{ tagged: 1 }, { tagged: 3 }])
  expect(await select('select user_id, seen_at from mentions')).toEqual([{ user_id: 9, seen_at: null }])
  expect(await select(`select unseen_mention_user_ids as ids from conversations where id = '${UUIDS[1]}'`)).toEqual([
    { ids: [9] },
  ])
})

test('inboxes keep their look, and require signed identity where they did', async () => {
  const rows = await select(
    `select i.name, i.description, i.is_primary, i.requires_signed_identity, w.color, w.title, w.greeting, w.away_message, w.is_hide_attachments,
       w.require_email_upfront, w.require_name_upfront from inboxes i join widget_settings w on w.account_id = i.account_id and w.inbox_id = i.id order by i.name`,
  )
  expect(rows.map(({ name, description, is_primary }) => [name, description, is_primary])).toEqual([
    ['Facebook', 'Chatwoot: FacebookPage', false],
    ['Machines', 'Chatwoot: Api', true],
    ['Mail', 'Chatwoot: Email, Help@acme.test', false],
    ['Pigeons', 'Chatwoot: Carrier', false],
    ['Website', 'Chatwoot: WebWidget', true],
    ['WhatsApp', 'Chatwoot: TwilioSms, whatsapp:+4912345', false],
  ])
  expect(rows[4]).toMatchObject({
    ...{ requires_signed_identity: true, color: '#00aa55', title: 'Hello', greeting: null, away_message: 'We sleep' },
    ...{ is_hide_attachments: true, require_email_upfront: true, require_name_upfront: false },
  })
  expect(await select('select hint from identity_secrets')).toEqual([{ hint: 'site' }])
})

test('teams come with their members and conversations, and attributes with their types and choices', async () => {
  expect(
    await select(`select t.name, t.assignment, array(select u.email from team_members m join users u on u.account_id = m.account_id and u.id = m.user_id
      where m.account_id = t.account_id and m.team_id = t.id order by 1) as members,
      array(select v.id::text from conversations v where v.account_id = t.account_id and v.team_id = t.id) as conversations from teams t`),
  ).toEqual([
    { name: 'billing', assignment: 'by_hand', members: expect.arrayContaining([ADA.email]), conversations: [UUIDS[1]] },
  ])
  await asAda(async (get) => {
    const definitions = (await get('/api/attribute_definitions')) as unknown as Json[]
    expect(definitions.map(({ subject, key, name, kind, choices }) => [subject, key, name, kind, choices])).toEqual([
      ['customer', 'plan', 'Plan', 'choice', ['gold', 'silver', '7']],
      ['customer', 'seats', 'seats', 'number', []],
      ['customer', 'agreed', 'Agreed', 'yes_no', []],
      ['customer', 'odd', 'Odd', 'text', []],
      ['conversation', 'order', 'Order', 'number', []],
    ])
  })
  for (const reason of ['has no name', 'its team does not exist', 'has no key', 'another attribute has its key']) {
    expect(output).toContain(reason)
  }
})

test('an inbox keeps working hours of its own, if they are in the company’s time zone', async () => {
  expect(await select(`select name, working_hours from inboxes where working_hours is not null`)).toEqual([
    { name: 'Facebook', working_hours: [{ day: 'friday', start_minute: 720, end_minute: 1019 }] },
  ])
  expect(output).toContain('The working hours of the inbox “Mail” are left out, because its time zone (Asia/Tokyo)')
})

test('nothing is sent, and no event is announced', async () => {
  for (const table of ['mails', 'deliveries', 'events', 'webhook_deliveries', 'function_runs']) {
    expect(await select(`select count(*)::int as count from ${table}`)).toEqual([{ count: 0 }])
  }
})

test('what could not be moved is in the report with its reason, and secrets are in no file', async () => {
  for (const sentence of [
    'is suspended: name it by --account to move it',
    'has no conversation and not more than one person',
    'is a line of the team’s history',
    'was deleted',
    'has the unknown type 9',
    'its conversation does not exist',
    'is a visitor who never wrote',
    'Replies in the inbox “Facebook” (Acme, FacebookPage) go nowhere',
    'starts by messages of customers and of the team alike',
  ]) {
    expect(output).toContain(sentence)
  }
  const names = await readdir(join(folder, 'data', 'imports'))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, 'data', 'imports', name), 'utf8')))
  expect(texts.join('')).toContain('Nobody will miss me')
  expect(texts.join('')).not.toMatch(/\$2a\$|imap-secret|twilio-secret|fb-secret|the secret of the website/)
})

test('a picture that the team removed does not come back, and that of a deleted customer is destroyed', async () => {
  await select(`update users set profile_photo_url = null where id = 9`)
  const storage = ['--storage', join(folder, 'storage'), '--inboxes', 'shared']
  expect((await runChatwoot(target, source, folder, storage)).output).not.toContain('Copied the pictures')
  expect(await select('select profile_photo_url as url from users where id = 9')).toEqual([{ url: null }])
  await asAda(async (_, server, token) => {
    const [carla] = await select(`select id from customers where name = 'Carla Curie'`)
    expect((await server.request('DELETE', `/api/customers/${carla.id}`, { token })).status).toBeLessThan(300)
    await destroyUnusedFiles(server.context)
    expect(await select(`select 1 from files where customer_id = '${carla.id}' and filename = 'picture.webp'`)).toEqual(
      [],
    )
  })
})
