import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startConversation, startVisitor, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const create = (customer: object) =>
  server.request('POST', '/api/customers', { body: { customer: { account_id: world.acme.id, ...customer } } })
const update = (id: string, metadata: object, token?: string) =>
  server.request('PUT', `/api/customers/${id}/metadata`, { token, body: { metadata } })
const identify = async (query: Record<string, string>) =>
  server.request('GET', `/api/customers/identify?${new URLSearchParams({ account_id: world.acme.id, ...query })}`)
const conversationsOf = async (customer_id: string, token?: string) =>
  (
    await server.request(
      'GET',
      `/api/conversations/customer?${new URLSearchParams({ customer_id, account_id: world.acme.id })}`,
      { token },
    )
  ).body.data

test('half an emoji, as programs leave it that cut names by length, keeps nobody out', async () => {
  const half = 'Kim \ud83d'
  const visitor = await startVisitor(server, world.acme.id, { name: half, metadata: { [half]: half } })
  const mine = await server.request('GET', '/api/visitor_sessions', { token: visitor.token })
  expect(mine.body.data).toMatchObject({ name: 'Kim \ufffd', metadata: { 'Kim \ufffd': 'Kim \ufffd' } })
  const account = { company_name: 'Acme \ud83d' }
  const saved = await server.request('PUT', '/api/accounts/me', { token: world.ada.token, body: { account } })
  expect(saved.body.data.company_name).toBe('Acme \ufffd')
})

test('an e-mail address or external id that is far too long is none, and keeps nobody out', async () => {
  const long = Array.from({ length: 5000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join('')
  const made = await create({ name: 'Long', email: `${long}@mail.test`, external_id: long })
  expect([made.status, made.body.data]).toMatchObject([201, { name: 'Long', email: null, external_id: null }])
  const fits = long.slice(0, 600)
  const again = [await create({ external_id: fits }), await create({ external_id: fits })]
  expect(again.map(({ body }) => body.data.external_id)).toEqual([fits, fits])
  expect(again[0]!.body.data.id).toBe(again[1]!.body.data.id)
  expect((await update(made.body.data.id, { external_id: long, email: long })).status).toBe(200)
})

test('a customer is created from what a published widget sends', async () => {
  const { status, body } = await create({
    name: 'undefined',
    email: 'null',
    external_id: 42,
    screen_height: '900',
    browser: 'Chrome',
    current_url: `https://shop.test/${'x'.repeat(3000)}`,
    metadata: 'not a map',
    first_seen: '2026-02-03T22:00:00+07:00',
    insert_id: 'ignored',
  })
  expect(status).toBe(201)
  expect(body.data).toMatchObject({ external_id: '42', browser: 'Chrome', first_seen: '2026-02-03' })
  const known = await server.request('GET', `/api/customers/${body.data.id}`, { token: world.ada.token })
  expect(known.body.data).toMatchObject({
    name: null,
    email: null,
    external_id: '42',
    browser: 'Chrome',
    metadata: {},
    first_seen: '2026-02-03',
    title: 'Anonymous User',
    ip: '127.0.0.1',
  })
  expect(known.body.data.current_url).toHaveLength(2000)
})

test('an account that is missing or unknown is a field error', async () => {
  const missing = await server.request('POST', '/api/customers', { body: { customer: {} } })
  expect(missing.body.error.errors).toEqual({ account_id: ["can't be blank"] })
  const unknown = await create({ account_id: randomUUID() })
  expect(unknown.body.error.errors).toEqual({ account_id: ['does not exist'] })
})

test('one external id is one customer, even when fifty ask at once', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => create({ external_id: 'crowd' })))
  expect(answers.map((answer) => answer.status).filter((status) => status !== 201)).toEqual([])
  expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1)
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from customers where external_id = 'crowd'`.execute(server.context.db)
  expect(rows[0]!.n).toBe(1)
  const again = await create({ external_id: 'crowd', name: 'Crowded' })
  expect(again.body.data).toMatchObject({
    id: (await identify({ external_id: 'crowd' })).body.data.customer_id,
    name: 'Crowded',
  })
})

test('identify compares e-mail and host without case, and answers null when they differ', async () => {
  const { body } = await create({ external_id: 'ida', email: 'Ida@Shop.test', host: 'shop.test' })
  const found = async (query: Record<string, string>) =>
    (await identify({ external_id: 'ida', ...query })).body.data.customer_id
  expect(await found({})).toBe(body.data.id)
  expect(await found({ email: 'ida@shop.TEST', host: 'SHOP.test' })).toBe(body.data.id)
  expect(await found({ email: '' })).toBe(body.data.id)
  expect(await found({ email: 'other@shop.test' })).toBe(null)
})

test('identify without what it needs says what was received', async () => {
  for (const external_id of ['', 'null', 'undefined']) {
    const { status, body } = await identify({ external_id })
    expect(status).toBe(422)
    expect(body).toMatchObject({
      error: {
        message: 'The following parameters are required: external_id, account_id',
        received: ['account_id', 'external_id'],
      },
    })
  }
  const { body } = await identify({ external_id: 'x', account_id: randomUUID() })
  expect(body.error.message).toMatch(/^No account found with ID: /)
})

test('exists answers a bare boolean', async () => {
  const { body } = await create({})
  expect((await server.request('GET', `/api/customers/${body.data.id}/exists`)).body).toEqual({ data: true })
  expect((await server.request('GET', `/api/customers/${randomUUID()}/exists`)).body).toEqual({ data: false })
})

test('an update keeps what it does not mention, and never takes the external id of somebody else', async () => {
  const { body: first } = await create({ external_id: 'taken' })
  const { body: second } = await create({ name: 'Ruth', metadata: { plan: 'plus' } })
  await update(second.data.id, { external_id: 'taken', browser: 'Firefox', name: 'undefined' })
  const { body } = await server.request('GET', `/api/customers/${second.data.id}`, { token: world.ada.token })
  expect(body.data).toMatchObject({
    name: 'Ruth',
    browser: 'Firefox',
    metadata: { plan: 'plus' },
    external_id: null,
    claimed_external_id: 'taken',
    claimed_customer_id: first.data.id,
    ip: '127.0.0.1',
  })
  expect((await identify({ external_id: 'taken' })).body.data.customer_id).toBe(first.data.id)
  const owner = await server.request('GET', `/api/customers/${first.data.id}`, { token: world.ada.token })
  expect(owner.body.data).toMatchObject({ external_id: 'taken', claimed_external_id: null })
})

test('a published client that knows only ids reads and writes for its customer', async () => {
  const { body: customer } = await create({ external_id: 'legacy' })
  const customer_id = customer.data.id
  await server.request('POST', '/api/conversations', {
    body: { conversation: { account_id: world.acme.id, customer_id } },
  })
  expect(await conversationsOf(customer_id)).toHaveLength(1)
})

test('where an inbox demands signed identity, an id opens an anonymous customer but none who is known', async () => {
  const known = (await create({ external_id: 'vip' })).body.data.id
  const anonymous = (await create({})).body.data.id
  for (const customer_id of [known, anonymous]) {
    await server.request('POST', '/api/conversations', {
      body: { conversation: { account_id: world.acme.id, customer_id } },
    })
  }
  await sql`update inboxes set requires_signed_identity = true where id = ${world.website.id}`.execute(
    server.context.db,
  )
  expect(await conversationsOf(known)).toEqual([])
  expect(await conversationsOf(anonymous)).toHaveLength(1)
  expect((await update(known, { name: 'Mallory' })).status).toBe(404)
  await sql`update inboxes set requires_signed_identity = false`.execute(server.context.db)
})

test('the id of a customer who holds a visitor session opens nothing by itself', async () => {
  const visitor = await startVisitor(server, world.acme.id, { external_id: 'proven', name: 'Pru' })
  await startConversation(server, visitor)
  expect(await conversationsOf(visitor.customer_id)).toEqual([])
  expect(await conversationsOf(visitor.customer_id, visitor.token)).toHaveLength(1)
  expect((await identify({ external_id: 'proven' })).body.data.customer_id).toBe(null)
  expect((await update(visitor.customer_id, { name: 'Mallory' })).status).toBe(404)
  const impostor = await create({ external_id: 'proven' })
  expect(impostor.body.data.id).not.toBe(visitor.customer_id)
  expect(impostor.body.data).toMatchObject({ external_id: 'proven', name: null })
  expect(await conversationsOf(impostor.body.data.id), 'an id of its own, and nothing behind it').toEqual([])
})

test('a repeated start of a visitor session meets the same session', async () => {
  const visitor_session = {
    account_id: world.acme.id,
    token: randomBytes(32).toString('base64url'),
    customer_id: randomUUID(),
  }
  const start = () => server.request('POST', '/api/visitor_sessions', { body: { visitor_session } })
  const answers = [await start(), await start(), ...(await Promise.all([start(), start()]))]
  for (const { status, body } of answers) {
    expect(status).toBe(201)
    expect(body.data).toEqual({ token: visitor_session.token, customer_id: visitor_session.customer_id })
  }
})

test('first starts at once make one session', async () => {
  for (let round = 0; round < 25; round++) {
    const visitor_session = {
      account_id: world.acme.id,
      token: randomBytes(32).toString('base64url'),
      customer_id: randomUUID(),
    }
    const start = () => server.request('POST', '/api/visitor_sessions', { body: { visitor_session } })
    const answers = await Promise.all([start(), start(), start(), start()])
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201])
  }
})

test('a visitor session cannot be opened for a customer who is there already', async () => {
  const { body } = await create({ name: 'Somebody' })
  for (const customer_id of [body.data.id, world.carla.customer_id]) {
    const visitor_session = { account_id: world.acme.id, token: randomBytes(32).toString('base64url'), customer_id }
    const answer = await server.request('POST', '/api/visitor_sessions', { body: { visitor_session } })
    expect(answer.body.error.errors).toEqual({ customer_id: ['has already been taken'] })
  }
})

test('an ended visitor session opens nothing any more', async () => {
  const visitor = await startVisitor(server, world.acme.id)
  const mine = () => server.request('GET', '/api/visitor_sessions', { token: visitor.token })
  expect((await mine()).body.data.id).toBe(visitor.customer_id)
  await server.request('DELETE', '/api/visitor_sessions', { token: visitor.token })
  expect((await mine()).status).toBe(401)
})

test('a visitor token ends when it was not used for a year, and every day of use counts', async () => {
  const visitor = await startVisitor(server, world.acme.id)
  const daysAgo = (days: number) =>
    sql`update visitor_sessions set last_used_at = now() - ${days} * interval '1 day' where customer_id = ${visitor.customer_id}`.execute(
      server.context.db,
    )
  const mine = () => server.request('GET', '/api/visitor_sessions', { token: visitor.token })
  await daysAgo(364)
  expect((await mine()).status).toBe(200)
  await sql`update visitor_sessions set last_used_at = last_used_at - interval '2 days' where customer_id = ${visitor.customer_id}`.execute(
    server.context.db,
  )
  expect((await mine()).status, 'used two days ago').toBe(200)
  await daysAgo(366)
  expect((await mine()).status).toBe(401)
  expect(await conversationsOf(visitor.customer_id), 'and its customer stays claimed').toEqual([])
})
