import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { accounts } from '#contract/accounts/accounts.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { test as base, expect, refusalOf } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const test = base
  .extend('update', ({ as }) => (id: string, metadata: object, who = as.anybody) => {
    return who(customers.updateMetadata, { params: { id }, body: { metadata } })
  })
  .extend('create', ({ as, world }) => (customer: object) => {
    return as.anybody(customers.create, { body: { customer: { account_id: world.acme.id, ...customer } } })
  })
  .extend('identify', ({ as, world }) => (query: QueryInput<typeof customers.identify>) => {
    return as.anybody(customers.identify, { query: { account_id: world.acme.id, ...query } })
  })
  .extend('conversationsOf', ({ as, world }) => async (customer_id: string, who = as.anybody) => {
    return (await who(conversations.ofCustomer, { query: { customer_id, account_id: world.acme.id } })).data
  })

test('a name that ends in half an emoji is accepted', async ({ as, world, server }) => {
  const half = 'Kim \ud83d'
  const visitor = await startVisitor(server, world.acme.id, { name: half, metadata: { [half]: half } })
  const mine = await as.holder(visitor.token)(customers.mine)
  expect(mine.data).toMatchObject({ name: 'Kim \ufffd', metadata: { 'Kim \ufffd': 'Kim \ufffd' } })
  const account = { company_name: 'Acme \ud83d' }
  const saved = await as.ada(accounts.update, { body: { account } })
  expect(saved.data.company_name).toBe('Acme \ufffd')
})

test('an overlong e-mail address or external id is ignored, and the customer is accepted', async ({
  create,
  update,
}) => {
  const long = Array.from({ length: 5000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join('')
  const { data: made } = await create({ name: 'Long', email: `${long}@mail.test`, external_id: long })
  expect(made).toMatchObject({ name: 'Long', email: null, external_id: null })
  const fits = long.slice(0, 600)
  const again = [await create({ external_id: fits }), await create({ external_id: fits })]
  expect(again.map(({ data }) => data.external_id)).toEqual([fits, fits])
  expect(again[0]!.data.id).toBe(again[1]!.data.id)
  await update(made.id, { external_id: long, email: long })
})

test('a customer is created from what a published widget sends', async ({ as, create }) => {
  const { data } = await create({
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
  expect(data).toMatchObject({ external_id: '42', browser: 'Chrome', first_seen: '2026-02-03' })
  const profile = await as.ada(customerProfiles.get, { params: { id: data.id } })
  expect(profile.data).toMatchObject({
    name: null,
    email: null,
    external_id: '42',
    browser: 'Chrome',
    metadata: {},
    first_seen: '2026-02-03',
    title: 'Anonymous User',
    ip: '127.0.0.1',
  })
  expect(profile.data.current_url).toHaveLength(2000)
})

test('an account that is missing or unknown is a field error', async ({ as, create }) => {
  await expect(as.anybody(customers.create, { body: { customer: {} } })).rejects.toHaveProperty('errors', {
    account_id: ["can't be blank"],
  })
  await expect(create({ account_id: randomUUID() })).rejects.toHaveProperty('errors', {
    account_id: ['does not exist'],
  })
})

test('one external id is one customer, even for fifty concurrent requests', async ({ server, create, identify }) => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => create({ external_id: 'crowd' })))
  expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from customers where external_id = 'crowd'`.execute(server.context.db)
  expect(rows[0]!.n).toBe(1)
  const again = await create({ external_id: 'crowd', name: 'Crowded' })
  expect(again.data).toMatchObject({
    id: (await identify({ external_id: 'crowd' })).data.customer_id,
    name: 'Crowded',
  })
})

test('identify compares e-mail and host without case, and returns null if they differ', async ({
  create,
  identify,
}) => {
  const { data } = await create({ external_id: 'ida', email: 'Ida@Shop.test', host: 'shop.test' })
  const findId = async (query: QueryInput<typeof customers.identify>) =>
    (await identify({ external_id: 'ida', ...query })).data.customer_id
  expect(await findId({})).toBe(data.id)
  expect(await findId({ email: 'ida@shop.TEST', host: 'SHOP.test' })).toBe(data.id)
  expect(await findId({ email: '' })).toBe(data.id)
  expect(await findId({ email: 'other@shop.test' })).toBe(null)
})

test('identify without required parameters returns those received', async ({ identify }) => {
  for (const external_id of ['', 'null', 'undefined']) {
    const { status, body } = await refusalOf(identify({ external_id }))
    expect(status).toBe(422)
    expect(body).toMatchObject({
      error: {
        message: 'The following parameters are required: external_id, account_id',
        received: ['account_id', 'external_id'],
      },
    })
  }
  await expect(identify({ external_id: 'x', account_id: randomUUID() })).rejects.toThrow(/^No account found with ID: /)
})

test('exists returns a bare boolean, and false in another account', async ({ as, create, world }) => {
  const { data } = await create({})
  expect(await as.anybody(customers.exists, { params: { id: data.id } })).toEqual({ data: true })
  const inAccount = (account_id: string) =>
    as.anybody(customers.exists, { params: { id: data.id }, query: { account_id } })
  expect(await inAccount(world.acme.id)).toEqual({ data: true })
  for (const elsewhere of [world.other.id, randomUUID(), 'nonsense'])
    expect(await inAccount(elsewhere)).toEqual({ data: false })
  expect(await as.anybody(customers.exists, { params: { id: randomUUID() } })).toEqual({ data: false })
})

test('an update keeps omitted fields, and never takes over the external id of another customer', async ({
  as,
  create,
  update,
  identify,
}) => {
  const first = await create({ external_id: 'taken' })
  const second = await create({ name: 'Ruth', metadata: { plan: 'plus' } })
  await update(second.data.id, { external_id: 'taken', browser: 'Firefox', name: 'undefined' })
  const { data } = await as.ada(customerProfiles.get, { params: { id: second.data.id } })
  expect(data).toMatchObject({
    name: 'Ruth',
    browser: 'Firefox',
    metadata: { plan: 'plus' },
    external_id: null,
    claimed_external_id: 'taken',
    claimed_customer_id: first.data.id,
    ip: '127.0.0.1',
  })
  expect((await identify({ external_id: 'taken' })).data.customer_id).toBe(first.data.id)
  const owner = await as.ada(customerProfiles.get, { params: { id: first.data.id } })
  expect(owner.data).toMatchObject({ external_id: 'taken', claimed_external_id: null })
})

test('a published client that knows only ids reads and writes for its customer', async ({
  as,
  world,
  create,
  conversationsOf,
}) => {
  const customer = await create({ external_id: 'legacy' })
  const customer_id = customer.data.id
  await as.anybody(conversations.create, { body: { conversation: { account_id: world.acme.id, customer_id } } })
  expect(await conversationsOf(customer_id)).toHaveLength(1)
})

test('if an inbox requires signed identity, an id gives access to an anonymous customer but to no known one', async ({
  as,
  world,
  server,
  create,
  conversationsOf,
  update,
}) => {
  const identified = (await create({ external_id: 'vip' })).data.id
  const anonymous = (await create({})).data.id
  for (const customer_id of [identified, anonymous]) {
    await as.anybody(conversations.create, { body: { conversation: { account_id: world.acme.id, customer_id } } })
  }
  await sql`update inboxes set requires_signed_identity = true where id = ${world.website.id}`.execute(
    server.context.db,
  )
  expect(await conversationsOf(identified)).toEqual([])
  expect(await conversationsOf(anonymous)).toHaveLength(1)
  await expect(update(identified, { name: 'Mallory' })).rejects.toMatchObject({ status: 404 })
  await sql`update inboxes set requires_signed_identity = false`.execute(server.context.db)
})

test('the id of a customer with a visitor session gives no access by itself', async ({
  as,
  world,
  server,
  conversationsOf,
  identify,
  update,
  create,
}) => {
  const visitor = await startVisitor(server, world.acme.id, { external_id: 'proven', name: 'Pru' })
  await startConversation(server, visitor)
  expect(await conversationsOf(visitor.customer_id)).toEqual([])
  expect(await conversationsOf(visitor.customer_id, as.holder(visitor.token))).toHaveLength(1)
  expect((await identify({ external_id: 'proven' })).data.customer_id).toBe(null)
  await expect(update(visitor.customer_id, { name: 'Mallory' })).rejects.toMatchObject({ status: 404 })
  const impostor = await create({ external_id: 'proven' })
  expect(impostor.data.id).not.toBe(visitor.customer_id)
  expect(impostor.data).toMatchObject({ external_id: 'proven', name: null })
  expect(await conversationsOf(impostor.data.id), 'an id of its own, and nothing behind it').toEqual([])
})

test('a repeated start of a visitor session returns the same session', async ({ as, world }) => {
  const visitor_session = {
    account_id: world.acme.id,
    token: randomBytes(32).toString('base64url'),
    customer_id: randomUUID(),
  }
  const start = () => as.anybody(customers.startSession, { body: { visitor_session } })
  const answers = [await start(), await start(), ...(await Promise.all([start(), start()]))]
  for (const { data } of answers) {
    expect(data).toEqual({ token: visitor_session.token, customer_id: visitor_session.customer_id })
  }
})

test('concurrent first starts create one session', async ({ as, world }) => {
  for (let round = 0; round < 25; round++) {
    const visitor_session = {
      account_id: world.acme.id,
      token: randomBytes(32).toString('base64url'),
      customer_id: randomUUID(),
    }
    const start = () => as.anybody(customers.startSession, { body: { visitor_session } })
    const { customer_id, token } = visitor_session
    const answers = await Promise.all([start(), start(), start(), start()])
    expect(answers.map(({ data }) => data)).toEqual(Array(4).fill({ token, customer_id }))
  }
})

test('a visitor session cannot be started for an existing customer', async ({ as, world, create }) => {
  const { data } = await create({ name: 'Somebody' })
  for (const customer_id of [data.id, world.carla.customer_id]) {
    const visitor_session = { account_id: world.acme.id, token: randomBytes(32).toString('base64url'), customer_id }
    await expect(as.anybody(customers.startSession, { body: { visitor_session } })).rejects.toHaveProperty('errors', {
      customer_id: ['has already been taken'],
    })
  }
})

test('an ended visitor session gives no access', async ({ as, world, server }) => {
  const visitor = await startVisitor(server, world.acme.id)
  const mine = () => as.holder(visitor.token)(customers.mine)
  expect((await mine()).data.id).toBe(visitor.customer_id)
  await as.holder(visitor.token)(customers.endSession)
  await expect(mine()).rejects.toMatchObject({ status: 401 })
})

test('a visitor token expires after a year without use, counted by day', async ({
  as,
  world,
  server,
  conversationsOf,
}) => {
  const visitor = await startVisitor(server, world.acme.id)
  const daysAgo = (days: number) =>
    sql`update visitor_sessions set last_used_at = now() - ${days} * interval '1 day' where customer_id = ${visitor.customer_id}`.execute(
      server.context.db,
    )
  const mine = () => as.holder(visitor.token)(customers.mine)
  await daysAgo(364)
  await mine()
  await sql`update visitor_sessions set last_used_at = last_used_at - interval '2 days' where customer_id = ${visitor.customer_id}`.execute(
    server.context.db,
  )
  await mine()
  await daysAgo(366)
  await expect(mine()).rejects.toMatchObject({ status: 401 })
  expect(await conversationsOf(visitor.customer_id), 'and its customer stays claimed').toEqual([])
})
