import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '#contract/index.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { createWorld, startConversation, type World } from './support/world.ts'

/** Where the things stand that a call answers by their id. */
const TABLES: Record<string, string> = {
  '/api/browser_sessions/:id': 'browser_sessions',
  '/api/canned_responses/:id': 'saved_replies',
  '/api/companies/:id': 'companies',
  '/api/conversations/:id': 'conversations',
  '/api/customer_imports/:id': 'customer_imports',
  // Who became part of another is answered as that one.
  '/api/customers/:id': '(select * from customers where merged_into is null)',
  '/api/event_subscriptions/:id': 'event_subscriptions',
  '/api/forwarding_addresses/:id': 'forwarding_addresses',
  '/api/inboxes/:id': 'inboxes',
  '/api/issues/:id': 'issues',
  '/api/lambdas/:id': 'functions',
  '/api/mails/:id': 'mails',
  '/api/messages/:id': 'messages',
  '/api/notes/:id': 'customer_notes',
  '/api/personal_api_keys/:id': 'personal_api_keys',
  '/api/tags/:id': 'tags',
  '/api/user_invitations/:id': 'user_invitations',
  '/api/users/:id': 'users',
}

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
  await makeSecondOnes()
})
afterAll(() => server.close())

const ask = (method: string, path: string, body?: object) =>
  server.request(method, path, { token: world.ada.token, body })

/** Beside those of the bystanders, so that there are always two to be mixed up. */
async function makeSecondOnes() {
  const { customer_id } = world.carla
  await ask('POST', '/api/browser_sessions', { browser_session: { account_id: world.acme.id, customer_id } })
  await startConversation(server, world.carla)
  await ask('POST', '/api/canned_responses', { canned_response: { name: 'second', content: 'Second' } })
  await ask('POST', '/api/companies', { company: { name: 'Second' } })
  await ask('POST', '/api/customers/import', { content: 'email\nsecond@customer.test', filename: 'second.csv' })
  await ask('POST', '/api/issues', { issue: { title: 'Second' } })
  await ask('POST', '/api/lambdas', { lambda: { name: 'Second' } })
  await ask('POST', '/api/notes', { note: { customer_id, body: 'Second' } })
  await ask('POST', '/api/tags', { tag: { name: 'second' } })
  await ask('POST', '/api/user_invitations')
  for (const label of ['first', 'second']) await ask('POST', '/api/personal_api_keys', { label })
  for (const name of ['first', 'second']) {
    const event_subscription = { webhook_url: `https://${name}.example.com/hook` }
    await ask('POST', '/api/event_subscriptions', { event_subscription })
  }
  const forwarding_email_address = 'second@in.acme.test'
  const address = { account_id: world.acme.id, id: randomUUID(), source_email_address: 'second@acme.test' }
  await server.context.db
    .insertInto('forwarding_addresses')
    .values({ ...address, forwarding_email_address })
    .execute()
  const mail = { account_id: world.acme.id, id: randomUUID(), kind: 'reply', recipient: 'second@customer.test' }
  await server.context.db
    .insertInto('mails')
    .values({ ...mail, subject: 'Hi', text: 'Hi', html: 'Hi' })
    .execute()
}

const byId = endpoints.filter(({ method, path }) => method === 'GET' && /^\/api\/\w+\/:id$/.test(path))

test('every call that answers one thing by its id is looked at here', () => {
  expect(byId.map(({ path }) => path).sort()).toEqual(Object.keys(TABLES).sort())
})

test.each(byId.map(({ path }) => path))(
  'GET %s answers the one that was asked for, though there are others',
  async (path) => {
    const { rows } = await sql<{ id: string | number }>`
    select id from ${sql.raw(TABLES[path]!)} mine where account_id = ${world.acme.id}`.execute(server.context.db)
    const answers = await Promise.all(rows.map(({ id }) => ask('GET', path.replace(':id', String(id)))))
    const found = rows.map(({ id }, at) => ({ id, ...answers[at]! })).filter(({ status }) => status !== 404)
    expect(found.map(({ body }) => body.data.id)).toEqual(found.map(({ id }) => id))
    expect(found.length).toBeGreaterThan(1)
  },
)
