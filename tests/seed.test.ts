import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedCompany } from '../bin/seed/seed.ts'
import { SEED_PASSWORD } from '../bin/seed/team.ts'
import { freshDatabase } from './support/database.ts'
import { type Json, startTestServer, type TestServer } from './support/server.ts'

let server: TestServer
let token: string

beforeAll(async () => {
  const database = await freshDatabase()
  server = await startTestServer({}, undefined, database)
  // Most customers write once, so that there are new ones in each period, whatever the hour at which this runs.
  const size = { customers: 900, conversations: 1_200 }
  const { emails } = await seedCompany(database.connection, pino({ level: 'silent' }), size, server.context.files)
  const { body } = await server.request('POST', '/api/session', {
    body: { user: { email: emails[0], password: SEED_PASSWORD } },
  })
  token = body.data.token
})
afterAll(async () => {
  await server.close()
  await server.database.drop()
})

async function get(path: string): Promise<Json> {
  const { status, body } = await server.request('GET', path, { token })
  expect(status, path).toBe(200)
  return body
}

/** The last days, as a report takes them. */
function period(days: number): string {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  return `from_date=${day(Date.now() - days * 86_400_000)}&to_date=${day(Date.now())}`
}

test('every chart of the report is filled', async () => {
  const { data } = await get(`/api/reporting?${period(90)}`)
  for (const [name, value] of Object.entries(data)) {
    if (Array.isArray(value)) expect(value.length, name).toBeGreaterThan(1)
    else if (typeof value === 'number') expect(value, name).toBeGreaterThan(0)
  }
  expect(data.messages_per_user).toHaveLength(5)
  expect(data.ratings.by_score.filter(({ count }: { count: number }) => count > 0).length).toBeGreaterThan(2)
  for (const source of ['chat', 'email', 'sms', 'slack']) {
    const of_source = await get(`/api/reporting?source=${source}&${period(2000)}`)
    expect(of_source.data.conversations_by_date.length, source).toBeGreaterThan(5)
  }
})

test('the first page of the inbox shows different people, and something to do', async () => {
  const { data } = await get('/api/conversations?status=open&limit=30')
  const names = data.map(({ customer }: Json) => customer.name ?? customer.id)
  expect(new Set(names).size).toBeGreaterThan(names.length * 0.9)
  const unread = data.filter(({ read }: Json) => !read).length
  expect(unread).toBeGreaterThan(2)
  expect(unread).toBeLessThan(data.length / 2)
})

test('its history reaches back five years', async () => {
  const from = new Date(Date.now() - 5 * 365.25 * 86_400_000).toISOString().slice(0, 10)
  const until = new Date(Date.now() - 3.5 * 365.25 * 86_400_000).toISOString().slice(0, 10)
  const { data } = await get(`/api/search?q=${encodeURIComponent(`after:${from} before:${until} status:closed the`)}`)
  expect(data.length).toBeGreaterThan(3)
  for (const time of await newestTimes()) expect(Date.parse(time)).toBeLessThanOrEqual(Date.now())
})

async function newestTimes(): Promise<string[]> {
  const row = await server.context.db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select(({ fn }) => [fn.max('messages.created_at').as('message'), fn.max('conversations.closed_at').as('closed')])
    .executeTakeFirstOrThrow()
  return [String(row.message), String(row.closed)]
}

test('mails have their HTML, files their contents, and chats their Slack threads', async () => {
  const mail = await server.context.db
    .selectFrom('message_mails')
    .select('message_id')
    .where('html', 'is not', null)
    .executeTakeFirstOrThrow()
  const { data } = await get(`/api/messages/${mail.message_id}/mail`)
  expect(data).toMatchObject({ direction: 'in', proof: 'pass' })
  expect(data.html).toContain('<p>')
  const results = await get('/api/search?q=has:file')
  const { id } = results.data[0].conversation
  const { messages } = (await get(`/api/conversations/${id}`)).data
  const [file] = messages.flatMap(({ attachments }: Json) => attachments)
  const answer = await fetch(`${server.url}${new URL(file.file_url).pathname}`)
  expect([answer.status, (await answer.arrayBuffer()).byteLength > 500]).toEqual([200, true])
  const thread = await server.context.db
    .selectFrom('external_threads')
    .select('conversation_id')
    .where('role', '=', 'mirror')
    .executeTakeFirstOrThrow()
  const threads = await get(`/api/slack_conversation_threads?conversation_id=${thread.conversation_id}`)
  expect(threads.data).toMatchObject([{ slack_channel_name: 'support' }])
})

test('words in braces are filled in everywhere', async () => {
  const row = await server.context.db
    .selectFrom('messages')
    .select('body')
    .where('body', 'like', '%{%')
    .executeTakeFirst()
  expect(row).toBeUndefined()
})
