import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { audit } from '#contract/accounts/audit.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import { signedIdentity } from '#contract/customers/signed-identity.ts'
import { inboxes } from '#contract/widget/inboxes.ts'
import { test as base, expect, refusalOf } from '#tests/support/fixture.ts'
import { startConversation, startVisitor, type VisitorInWorld } from '#tests/support/world.ts'

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const test = base
  .extend('makeSecret', ({ as, world }) => (who = as.ada, inbox_id = world.website.id, overlap_hours?: number) => {
    return who(signedIdentity.createSecret, {
      params: { id: inbox_id },
      body: overlap_hours === undefined ? {} : { identity_secret: { overlap_hours } },
    })
  })
  .extend('look', ({ as, world }) => (inbox_id = world.website.id) => {
    return as.ada(signedIdentity.get, { params: { id: inbox_id } })
  })
  .extend('demand', ({ as, world }) => (is_required: boolean, inbox_id = world.website.id) => {
    return as.ada(signedIdentity.require, { params: { id: inbox_id }, body: { signed_identity: { is_required } } })
  })
  .extend('secret', { scope: 'file' }, async ({ as, world }) => {
    return (await as.ada(signedIdentity.createSecret, { params: { id: world.website.id }, body: {} })).data.secret
  })
  /** A token as a website's back end creates it, written by hand so that the test does not depend on our own code. */
  .extend('sign', ({ secret }) => (claims: object, key = secret, header: object = { alg: 'HS256', typ: 'JWT' }) => {
    const signedPart = `${base64url(header)}.${base64url({ exp: Math.floor(Date.now() / 1000) + 300, ...claims })}`
    return `${signedPart}.${createHmac('sha256', key).update(signedPart).digest('base64url')}`
  })
  .extend('start', ({ as, world }) => (identity_token: string | undefined, more: object = {}) => {
    const visitor_session = {
      account_id: world.acme.id,
      token: randomBytes(32).toString('base64url'),
      customer_id: randomUUID(),
      identity_token,
      ...more,
    }
    return as.anybody(customers.startSession, { body: { visitor_session } })
  })
  .extend('arrive', ({ start, sign }) => async (claims: object, more: object = {}): Promise<VisitorInWorld> => {
    return (await start(sign(claims), more)).data
  })
  .extend('prove', ({ as }) => (visitor: VisitorInWorld, identity_token: string) => {
    return as.holder(visitor.token)(customerProfiles.proveIdentity, { body: { visitor_session: { identity_token } } })
  })
  .extend('mine', ({ as }) => (visitor: VisitorInWorld) => {
    return as.holder(visitor.token)(customers.mine)
  })
  .extend('conversationsOf', ({ as, world }) => async ({ customer_id, token }: VisitorInWorld) => {
    const query = { customer_id, account_id: world.acme.id }
    const { data } = await as.holder(token)(conversations.ofCustomer, { query })
    return data.map(({ id }) => id)
  })

test('on a second device a signed person is the same customer with the same conversations', async ({
  server,
  arrive,
  conversationsOf,
  mine,
}) => {
  const laptop = await arrive({ sub: 'u-1', email: 'una@customer.test', name: 'Una' })
  const { conversation_id } = await startConversation(server, laptop, 'From my laptop')
  const phone = await arrive({ sub: 'u-1' })
  expect(phone.customer_id).toBe(laptop.customer_id)
  expect(await conversationsOf(phone)).toEqual([conversation_id])
  expect((await mine(phone)).data).toMatchObject({ external_id: 'u-1', email: 'una@customer.test', name: 'Una' })
})

test('a claim named external_id is equivalent to sub, and ids may be numbers', async ({ arrive }) => {
  const first = await arrive({ external_id: 4711 })
  expect((await arrive({ sub: '4711' })).customer_id).toBe(first.customer_id)
})

test('a token that is not signed with a secret of the inbox, has expired, or names nobody is refused', async ({
  sign,
  secret,
  start,
}) => {
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
    const { status, errors } = await refusalOf(start(token))
    expect(status, what).toBe(422)
    expect(Object.keys(errors ?? {}), what).toEqual(['identity_token'])
  }
  await expect(start(sign({ sub: 'u-1', exp: past }))).rejects.toHaveProperty('errors', {
    identity_token: ['has expired'],
  })
})

test('the secret of an inbox is invalid for another inbox or account', async ({ world, start, sign }) => {
  await expect(start(sign({ sub: 'u-1' }), { inbox_id: world.billing.id })).rejects.toMatchObject({ status: 422 })
  await expect(start(sign({ sub: 'u-1' }), { account_id: world.other.id })).rejects.toMatchObject({ status: 422 })
})

test('an unsigned user of an external id becomes a separate customer once its owner proves it', async ({
  as,
  world,
  server,
  mine,
  arrive,
}) => {
  const squatter = await startVisitor(server, world.acme.id, { external_id: 'u-2', email: 'not@mine.test' })
  expect((await mine(squatter)).data.external_id).toBe('u-2')
  const owner = await arrive({ sub: 'u-2', email: 'otto@customer.test' })
  expect(owner.customer_id).not.toBe(squatter.customer_id)
  expect((await mine(squatter)).data).toMatchObject({ id: squatter.customer_id, email: 'not@mine.test' })
  expect((await mine(owner)).data).toMatchObject({ external_id: 'u-2', email: 'otto@customer.test' })
  const again = await startVisitor(server, world.acme.id, { external_id: 'u-2' })
  expect(again.customer_id).not.toBe(owner.customer_id)
  const profile = await as.ada(customerProfiles.get, { params: { id: again.customer_id } })
  expect(profile.data).toMatchObject({ external_id: null, claimed_customer_id: owner.customer_id })
})

test('once proven, e-mail and external id change only by signature', async ({ as, arrive }) => {
  const visitor = await arrive({ sub: 'u-3', email: 'ute@customer.test' })
  const { data } = await as.holder(visitor.token)(customers.updateMetadata, {
    params: { id: visitor.customer_id },
    body: { metadata: { email: 'ceo@customer.test', external_id: 'u-1', browser: 'Firefox' } },
  })
  expect(data).toMatchObject({ email: 'ute@customer.test', external_id: 'u-3', browser: 'Firefox' })
})

test('messages of a visitor who signs in while chatting move to their existing customer', async ({
  world,
  server,
  arrive,
  prove,
  sign,
  conversationsOf,
}) => {
  const owner = await arrive({ sub: 'u-4', name: 'Vera' })
  const before = await startConversation(server, owner, 'Last week')
  const anonymous = await startVisitor(server, world.acme.id)
  const { conversation_id } = await startConversation(server, anonymous, 'Just now')
  const { data } = await prove(anonymous, sign({ sub: 'u-4' }))
  expect(data).toEqual({ customer_id: owner.customer_id })
  const listed = await conversationsOf({ ...anonymous, customer_id: owner.customer_id })
  expect(listed.sort()).toEqual([before.conversation_id, conversation_id].sort())
})

test('a new visitor who signs in while chatting becomes a known customer', async ({
  world,
  server,
  prove,
  sign,
  mine,
}) => {
  const visitor = await startVisitor(server, world.acme.id)
  const { data } = await prove(visitor, sign({ sub: 'u-5', email: 'wim@customer.test' }))
  expect(data.customer_id).toBe(visitor.customer_id)
  expect((await mine(visitor)).data).toMatchObject({ external_id: 'u-5', email: 'wim@customer.test' })
})

test('a browser is never moved from one proven person to another', async ({ arrive, prove, sign }) => {
  const visitor = await arrive({ sub: 'u-6' })
  await expect(prove(visitor, sign({ sub: 'u-1' }))).rejects.toMatchObject({ status: 403 })
})

test('two devices that sign in at once become one customer', async ({ arrive }) => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => arrive({ sub: 'u-7' })))
  expect(new Set(answers.map(({ customer_id }) => customer_id)).size).toBe(1)
})

test('if an inbox requires signed identity, unsigned claims are ignored', async ({
  as,
  world,
  server,
  arrive,
  demand,
  start,
  mine,
}) => {
  const owner = await arrive({ sub: 'vip', email: 'vip@customer.test' })
  await sql`insert into customers (account_id, id, external_id) values (${world.acme.id}, ${randomUUID()}, 'imported')`.execute(
    server.context.db,
  )
  expect((await demand(true)).data.is_required).toBe(true)
  const claims = { external_id: 'fresh', email: 'vip@customer.test', name: 'Xenia' }
  for (const inbox_id of [undefined, world.billing.id]) {
    const visitor = (await start(undefined, { inbox_id, customer: claims })).data
    expect((await mine(visitor)).data).toMatchObject({ external_id: null, email: null, name: 'Xenia' })
    await as.holder(visitor.token)(customers.updateMetadata, {
      params: { id: visitor.customer_id },
      body: { metadata: claims },
    })
    expect((await mine(visitor)).data).toMatchObject({ external_id: null, email: null })
  }
  // The owner of another account is as unknown here as an anonymous caller.
  for (const token of [undefined, world.olga.token]) {
    const create = (customer: object) =>
      as.holder(token)(customers.create, { body: { customer: { account_id: world.acme.id, ...customer } } })
    expect((await create(claims)).data).toMatchObject({ external_id: null, email: null })
    const { id } = (await create({})).data
    const updated = await as.holder(token)(customers.updateMetadata, { params: { id }, body: { metadata: claims } })
    expect(updated.data).toMatchObject({ external_id: null, email: null, name: 'Xenia' })
  }
  const identified = await as.anybody(customers.identify, {
    query: { account_id: world.acme.id, external_id: 'imported' },
  })
  expect(identified.data.customer_id).toBe(null)
  expect((await arrive({ sub: 'vip' })).customer_id).toBe(owner.customer_id)
  await demand(false)
})

test('a secret is shown once, and encrypted in the database', async ({ as, world, server, makeSecret, look }) => {
  const { data } = await makeSecret(as.ada, world.billing.id)
  expect(data.secret).toMatch(/^pis_[\w-]{43}$/)
  const settings = (await look(world.billing.id)).data
  expect(settings).toMatchObject({ is_required: false, secrets: [{ hint: data.secret.slice(-4), retires_at: null }] })
  expect(JSON.stringify(settings)).not.toContain(data.secret)
  const { rows } = await sql<{ row: string }>`select t::text as row from identity_secrets t`.execute(server.context.db)
  expect(rows.map(({ row }) => row).join()).not.toContain(Buffer.from(data.secret).toString('hex'))
})

test('after a new secret the old one is valid for the given time', async ({
  as,
  world,
  server,
  secret,
  makeSecret,
  start,
  sign,
}) => {
  const { secret: next } = (await makeSecret()).data
  await start(sign({ sub: 'u-1' }, secret))
  await sql`update identity_secrets set retires_at = now() - interval '1 second' where retires_at is not null`.execute(
    server.context.db,
  )
  await expect(start(sign({ sub: 'u-1' }, secret))).rejects.toMatchObject({ status: 422 })
  const { secret: newest } = (await makeSecret(as.ada, world.website.id, 0)).data
  await expect(start(sign({ sub: 'u-1' }, next))).rejects.toMatchObject({ status: 422 })
  await start(sign({ sub: 'u-1' }, newest))
})

test('an inbox without a secret cannot require signed identity', async ({ as, demand, makeSecret }) => {
  const fresh = await as.ada(inboxes.create, { body: { inbox: { name: 'Partners' } } })
  const id = fresh.data.id
  await expect(demand(true, id)).rejects.toMatchObject({ status: 422 })
  const made = (await makeSecret(as.ada, id)).data
  await demand(true, id)
  await expect(as.ada(signedIdentity.removeSecret, { params: { id, secret_id: made.id } })).rejects.toMatchObject({
    status: 422,
  })
  await demand(false, id)
  await as.ada(signedIdentity.removeSecret, { params: { id, secret_id: made.id } })
  await expect(as.ada(signedIdentity.removeSecret, { params: { id, secret_id: made.id } })).rejects.toMatchObject({
    status: 404,
  })
})

test('changes of secrets and of the requirement are in the audit trail', async ({ as, secret }) => {
  const body = await as.ada(audit.list, { query: { action: 'inbox' } })
  const actions = new Set(body.data.map(({ action }) => action))
  for (const action of [
    'inbox.identity_secret_created',
    'inbox.identity_secret_removed',
    'inbox.signed_identity_required',
  ])
    expect(actions).toContain(action)
  expect(body.data.every(({ subject_name }) => subject_name)).toBe(true)
  expect(JSON.stringify(body)).not.toContain(secret)
})
