import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startConversation, startVisitor, type VisitorInWorld, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World
let secret: string

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
  secret = (await makeSecret()).body.data.secret
})
afterAll(() => server.close())

const makeSecret = (token = world.ada.token, inbox_id = world.website.id, overlap_hours?: number) =>
  server.request('POST', `/api/inboxes/${inbox_id}/identity_secrets`, {
    token,
    body: overlap_hours === undefined ? {} : { identity_secret: { overlap_hours } },
  })
const look = (inbox_id = world.website.id) =>
  server.request('GET', `/api/inboxes/${inbox_id}/signed_identity`, { token: world.ada.token })
const demand = (is_required: boolean, inbox_id = world.website.id) =>
  server.request('PUT', `/api/inboxes/${inbox_id}/signed_identity`, {
    token: world.ada.token,
    body: { signed_identity: { is_required } },
  })

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** What a website's back end writes, made here by hand so that nothing of ours decides what is right. */
function sign(claims: object, key = secret, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const said = `${base64url(header)}.${base64url({ exp: Math.floor(Date.now() / 1000) + 300, ...claims })}`
  return `${said}.${createHmac('sha256', key).update(said).digest('base64url')}`
}

const start = (identity_token: string | undefined, more: object = {}) => {
  const visitor_session = {
    account_id: world.acme.id,
    token: randomBytes(32).toString('base64url'),
    customer_id: randomUUID(),
    identity_token,
    ...more,
  }
  return server.request('POST', '/api/visitor_sessions', { body: { visitor_session } })
}
const arrive = async (claims: object, more: object = {}): Promise<VisitorInWorld> =>
  (await start(sign(claims), more)).body.data
const prove = (visitor: VisitorInWorld, identity_token: string) =>
  server.request('PUT', '/api/visitor_sessions/identity', {
    token: visitor.token,
    body: { visitor_session: { identity_token } },
  })
const mine = async (visitor: VisitorInWorld) => server.request('GET', '/api/visitor_sessions', { token: visitor.token })
const conversationsOf = async ({ customer_id, token }: VisitorInWorld) => {
  const query = new URLSearchParams({ customer_id, account_id: world.acme.id })
  const { body } = await server.request('GET', `/api/conversations/customer?${query}`, { token })
  return body.data.map(({ id }: { id: string }) => id)
}

test('on a second device a signed person is the same customer with the same conversations', async () => {
  const laptop = await arrive({ sub: 'u-1', email: 'una@customer.test', name: 'Una' })
  const { conversation_id } = await startConversation(server, laptop, 'From my laptop')
  const phone = await arrive({ sub: 'u-1' })
  expect(phone.customer_id).toBe(laptop.customer_id)
  expect(await conversationsOf(phone)).toEqual([conversation_id])
  expect((await mine(phone)).body.data).toMatchObject({ external_id: 'u-1', email: 'una@customer.test', name: 'Una' })
})

test('a claim named external_id says the same as sub, and numbers are ids too', async () => {
  const one = await arrive({ external_id: 4711 })
  expect((await arrive({ sub: '4711' })).customer_id).toBe(one.customer_id)
})

test('what is not signed with a secret of the inbox, is over, or names nobody, opens nothing', async () => {
  const past = Math.floor(Date.now() / 1000) - 120
  const forged = {
    'another secret': sign({ sub: 'u-1' }, 'pis_guessed'),
    'no signature': `${base64url({ alg: 'none' })}.${base64url({ sub: 'u-1', exp: past + 999 })}.`,
    'another algorithm': sign({ sub: 'u-1' }, secret, { alg: 'HS512' }),
    'no end': sign({ sub: 'u-1', exp: undefined }),
    'not yet': sign({ sub: 'u-1', nbf: past + 9999 }),
    nobody: sign({ email: 'una@customer.test' }),
    nonsense: 'quince',
  }
  for (const [what, token] of Object.entries(forged)) {
    const { status, body } = await start(token)
    expect(status, what).toBe(422)
    expect(Object.keys(body.error.errors), what).toEqual(['identity_token'])
  }
  expect((await start(sign({ sub: 'u-1', exp: past }))).body.error.errors).toEqual({ identity_token: ['has expired'] })
})

test('the secret of one inbox says nothing to another, nor to another account', async () => {
  expect((await start(sign({ sub: 'u-1' }), { inbox_id: world.billing.id })).status).toBe(422)
  expect((await start(sign({ sub: 'u-1' }), { account_id: world.other.id })).status).toBe(422)
})

test('who took an external id unsigned is somebody else once its owner proves to be it', async () => {
  const squatter = await startVisitor(server, world.acme.id, { external_id: 'u-2', email: 'not@mine.test' })
  expect((await mine(squatter)).body.data.external_id).toBe('u-2')
  const owner = await arrive({ sub: 'u-2', email: 'otto@customer.test' })
  expect(owner.customer_id).not.toBe(squatter.customer_id)
  expect((await mine(squatter)).body.data).toMatchObject({ id: squatter.customer_id, email: 'not@mine.test' })
  expect((await mine(owner)).body.data).toMatchObject({ external_id: 'u-2', email: 'otto@customer.test' })
  const again = await startVisitor(server, world.acme.id, { external_id: 'u-2' })
  expect(again.customer_id).not.toBe(owner.customer_id)
  const known = await server.request('GET', `/api/customers/${again.customer_id}`, { token: world.ada.token })
  expect(known.body.data).toMatchObject({ external_id: null, claimed_customer_id: owner.customer_id })
})

test('once proven, an e-mail and an external id change by signature alone', async () => {
  const visitor = await arrive({ sub: 'u-3', email: 'ute@customer.test' })
  const { body } = await server.request('PUT', `/api/customers/${visitor.customer_id}/metadata`, {
    token: visitor.token,
    body: { metadata: { email: 'ceo@customer.test', external_id: 'u-1', browser: 'Firefox' } },
  })
  expect(body.data).toMatchObject({ email: 'ute@customer.test', external_id: 'u-3', browser: 'Firefox' })
})

test('who signs in while writing takes along what was said, to who they are already', async () => {
  const known = await arrive({ sub: 'u-4', name: 'Vera' })
  const before = await startConversation(server, known, 'Last week')
  const anonymous = await startVisitor(server, world.acme.id)
  const { conversation_id } = await startConversation(server, anonymous, 'Just now')
  const { status, body } = await prove(anonymous, sign({ sub: 'u-4' }))
  expect([status, body.data]).toEqual([200, { customer_id: known.customer_id }])
  const found = await conversationsOf({ ...anonymous, customer_id: known.customer_id })
  expect(found.sort()).toEqual([before.conversation_id, conversation_id].sort())
})

test('who signs in while writing, and is new, becomes known', async () => {
  const visitor = await startVisitor(server, world.acme.id)
  const { body } = await prove(visitor, sign({ sub: 'u-5', email: 'wim@customer.test' }))
  expect(body.data.customer_id).toBe(visitor.customer_id)
  expect((await mine(visitor)).body.data).toMatchObject({ external_id: 'u-5', email: 'wim@customer.test' })
})

test('a browser of one person never becomes that of another', async () => {
  const visitor = await arrive({ sub: 'u-6' })
  expect((await prove(visitor, sign({ sub: 'u-1' }))).status).toBe(403)
})

test('two devices that arrive at once become one customer', async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => arrive({ sub: 'u-7' })))
  expect(new Set(answers.map(({ customer_id }) => customer_id)).size).toBe(1)
})

test('where an inbox demands signed identity, unsigned claims claim nothing and find nobody', async () => {
  const known = await arrive({ sub: 'vip', email: 'vip@customer.test' })
  await sql`insert into customers (account_id, id, external_id) values (${world.acme.id}, ${randomUUID()}, 'imported')`.execute(
    server.context.db,
  )
  expect((await demand(true)).body.data.is_required).toBe(true)
  const claims = { external_id: 'fresh', email: 'vip@customer.test', name: 'Xenia' }
  for (const inbox_id of [undefined, world.billing.id]) {
    const visitor = (await start(undefined, { inbox_id, customer: claims })).body.data
    expect((await mine(visitor)).body.data).toMatchObject({ external_id: null, email: null, name: 'Xenia' })
    await server.request('PUT', `/api/customers/${visitor.customer_id}/metadata`, {
      token: visitor.token,
      body: { metadata: claims },
    })
    expect((await mine(visitor)).body.data).toMatchObject({ external_id: null, email: null })
  }
  // Whoever has an account of their own is a stranger to this one all the same.
  for (const token of [undefined, world.olga.token]) {
    const create = (customer: object) =>
      server.request('POST', '/api/customers', {
        token,
        body: { customer: { account_id: world.acme.id, ...customer } },
      })
    expect((await create(claims)).body.data).toMatchObject({ external_id: null, email: null })
    const { id } = (await create({})).body.data
    const said = await server.request('PUT', `/api/customers/${id}/metadata`, { token, body: { metadata: claims } })
    expect(said.body.data).toMatchObject({ external_id: null, email: null, name: 'Xenia' })
  }
  const identified = await server.request(
    'GET',
    `/api/customers/identify?${new URLSearchParams({ account_id: world.acme.id, external_id: 'imported' })}`,
  )
  expect(identified.body.data.customer_id).toBe(null)
  expect((await arrive({ sub: 'vip' })).customer_id).toBe(known.customer_id)
  await demand(false)
})

test('a secret is shown once, and is no plain text in the database', async () => {
  const { status, body } = await makeSecret(world.ada.token, world.billing.id)
  expect(status).toBe(201)
  expect(body.data.secret).toMatch(/^pis_[\w-]{43}$/)
  const found = (await look(world.billing.id)).body.data
  expect(found).toMatchObject({ is_required: false, secrets: [{ hint: body.data.secret.slice(-4), retires_at: null }] })
  expect(JSON.stringify(found)).not.toContain(body.data.secret)
  const { rows } = await sql<{ row: string }>`select t::text as row from identity_secrets t`.execute(server.context.db)
  expect(rows.map(({ row }) => row).join()).not.toContain(Buffer.from(body.data.secret).toString('hex'))
})

test('after a new secret the old one counts for as long as was said, and no longer', async () => {
  const old = secret
  secret = (await makeSecret()).body.data.secret
  expect((await start(sign({ sub: 'u-1' }, old))).status).toBe(201)
  await sql`update identity_secrets set retires_at = now() - interval '1 second' where retires_at is not null`.execute(
    server.context.db,
  )
  expect((await start(sign({ sub: 'u-1' }, old))).status).toBe(422)
  const newer = (await makeSecret(world.ada.token, world.website.id, 0)).body.data.secret
  expect((await start(sign({ sub: 'u-1' }))).status).toBe(422)
  secret = newer
  expect((await start(sign({ sub: 'u-1' }))).status).toBe(201)
})

test('an inbox cannot demand what nobody could sign', async () => {
  const { body: fresh } = await server.request('POST', '/api/inboxes', {
    token: world.ada.token,
    body: { inbox: { name: 'Partners' } },
  })
  const id = fresh.data.id
  expect((await demand(true, id)).status).toBe(422)
  const made = (await makeSecret(world.ada.token, id)).body.data
  await demand(true, id)
  const path = `/api/inboxes/${id}/identity_secrets/${made.id}`
  expect((await server.request('DELETE', path, { token: world.ada.token })).status).toBe(422)
  await demand(false, id)
  expect((await server.request('DELETE', path, { token: world.ada.token })).status).toBe(204)
  expect((await server.request('DELETE', path, { token: world.ada.token })).status).toBe(404)
})

test('who made, removed or demanded what is in the audit trail', async () => {
  const { body } = await server.request('GET', '/api/audit_entries?action=inbox', { token: world.ada.token })
  const actions = new Set(body.data.map(({ action }: { action: string }) => action))
  for (const action of [
    'inbox.identity_secret_created',
    'inbox.identity_secret_removed',
    'inbox.signed_identity_required',
  ])
    expect(actions).toContain(action)
  expect(body.data.every(({ subject_name }: { subject_name: string | null }) => subject_name)).toBe(true)
  expect(JSON.stringify(body)).not.toContain(secret)
})
