import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { accounts } from '#contract/accounts/accounts.ts'
import { audit } from '#contract/accounts/audit.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { companies } from '#contract/customers/companies.ts'
import { customerNotes } from '#contract/customers/customer-notes.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { test } from '#tests/support/customers.ts'
import { expect, statusOf } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

test('a customer whom the team adds may work for a company of the account', async ({ as, create }) => {
  const company = (await as.ada(companies.create, { body: { company: { name: 'Employer' } } })).data
  const added = await create({ name: 'Employed', company_id: company.id })
  expect(added.company_id).toBe(company.id)
  await expect(as.ada(customers.create, { body: { customer: { company_id: randomUUID() } } })).rejects.toHaveProperty(
    'errors',
    { company_id: ['does not exist'] },
  )
  const emptied = await as.ada(customerProfiles.update, {
    params: { id: added.id },
    body: { customer: { company_id: null, metadata: null } },
  })
  expect(emptied.data).toMatchObject({ company_id: null, metadata: {} })
})

test('a customer is returned with the requested expansions', async ({ as, world, server }) => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Expanded' })
  const { conversation_id } = await startConversation(server, visitor, 'Is it oak?')
  await as.ada(customerNotes.create, { body: { note: { customer_id: visitor.customer_id, body: 'Likes oak' } } })
  expect(Object.keys((await as.ada(customerProfiles.get, { params: { id: visitor.customer_id } })).data)).toEqual(
    expect.arrayContaining(['company', 'tags']),
  )
  const all = ['company', 'tags', 'conversations', 'messages', 'notes', 'issues', 'nonsense']
  const path = `/api/customers/${visitor.customer_id}?${all.map((name) => `expand[]=${name}`).join('&')}`
  const { data } = (await server.request('GET', path, { token: world.ada.token })).body
  expect(data).toMatchObject({
    company: null,
    tags: [],
    conversations: [{ id: conversation_id }],
    messages: [{ body: 'Is it oak?' }],
    notes: [{ body: 'Likes oak', author: { id: world.ada.id } }],
    issues: [],
  })
})

test('the team updates a customer, and everybody receives the new name', async ({
  as,
  world,
  server,
  listen,
  create,
}) => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Before' })
  const received = await listen()
  const changed = await as.ada(customerProfiles.update, {
    params: { id: visitor.customer_id },
    body: { customer: { name: ' After ', email: 'after@mail.test', phone: '' } },
  })
  expect(changed.data).toMatchObject({ name: 'After', title: 'After', email: 'after@mail.test', phone: null })
  expect(await received.receive('customer:updated', (updated) => updated.name === 'After')).toMatchObject({
    id: visitor.customer_id,
  })
  await expect(
    as.ada(customerProfiles.update, {
      params: { id: visitor.customer_id },
      body: { customer: { email: 'nowhere', company_id: randomUUID() } },
    }),
  ).rejects.toMatchObject({ status: 422, errors: { email: ['has invalid format'] } })
  await expect(
    as.ada(customerProfiles.update, {
      params: { id: visitor.customer_id },
      body: { customer: { company_id: randomUUID() } },
    }),
  ).rejects.toHaveProperty('errors', { company_id: ['does not exist'] })
  await create({ external_id: 'taken-by-me' })
  await expect(
    as.ada(customerProfiles.update, {
      params: { id: visitor.customer_id },
      body: { customer: { external_id: 'taken-by-me' } },
    }),
  ).rejects.toHaveProperty('errors', { external_id: ['has already been taken'] })
})

test('the team is notified of a visitor’s new name or page, and not of repeated values', async ({
  as,
  world,
  server,
  listen,
}) => {
  const visitor = await startVisitor(server, world.acme.id)
  await startConversation(server, visitor)
  const received = await listen()
  const claim = (metadata: BodyInput<typeof customers.updateMetadata>['metadata']) =>
    as.holder(visitor.token)(customers.updateMetadata, { params: { id: visitor.customer_id }, body: { metadata } })
  await claim({ name: 'Wanda', current_url: 'https://shop.test/a' })
  await claim({ name: 'Wanda', current_url: 'https://shop.test/a' })
  await claim({ current_url: 'https://shop.test/b' })
  await received.receive('customer:updated', (updated) => updated.current_url === 'https://shop.test/b')
  expect(received.received.filter(({ event }) => event === 'customer:updated')).toHaveLength(2)
})

test('fifty concurrent visits with one external id create one customer', async ({ as, world, list }) => {
  const customer = { account_id: world.acme.id, external_id: 'fifty', name: 'Fifty' }
  const visits = await Promise.all(
    Array.from({ length: 50 }, () => as.anybody(customers.create, { body: { customer } })),
  )
  expect(new Set(visits.map(({ data }) => data.id)).size).toBe(1)
  expect((await list({ external_id: 'fifty' })).total_entries).toBe(1)
})

test('messages of a blocked customer are refused in every way until the customer is unblocked', async ({
  as,
  world,
  server,
  openSocket,
  list,
}) => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Spammer' })
  const { conversation_id } = await startConversation(server, visitor)
  const socket = openSocket({ visitor_token: visitor.token })
  const joined = await socket.join(`conversation:${conversation_id}`)
  expect((await as.ada(customerProfiles.block, { params: { id: visitor.customer_id } })).data.blocked_at).toMatch(/Z$/)
  const post = () =>
    as.holder(visitor.token)(messages.create, { body: { message: { conversation_id, body: 'Buy now' } } })
  await expect(post()).rejects.toMatchObject({
    status: 403,
    message: 'This conversation no longer accepts messages.',
  })
  await expect(joined.push('shout', { body: 'Buy now' })).rejects.toThrow('no longer accepts messages')
  await expect(as.holder(visitor.token)(conversations.create, { body: { conversation: {} } })).rejects.toMatchObject({
    status: 403,
  })
  expect(withoutBystanders((await list({ blocked: 'true' })).data)).toMatchObject([{ name: 'Spammer' }])
  expect((await as.ada(customerProfiles.unblock, { params: { id: visitor.customer_id } })).data.blocked_at).toBe(null)
  await post()
})

test('a deleted customer is anonymous: browsers are signed out, conversations archived with their messages', async ({
  as,
  world,
  server,
  listen,
  list,
}) => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Erasmus', email: 'erasmus@mail.test' })
  const { conversation_id } = await startConversation(server, visitor, 'Forget me')
  await as.ada(customerNotes.create, { body: { note: { customer_id: visitor.customer_id, body: 'Erasmus called' } } })
  const received = await listen()
  await as.ada(customerProfiles.remove, { params: { id: visitor.customer_id } })
  expect(await received.receive('customer:deleted')).toEqual({ id: visitor.customer_id })
  await expect(as.ada(customerProfiles.get, { params: { id: visitor.customer_id } })).rejects.toMatchObject({
    status: 404,
  })
  await expect(as.ada(customerProfiles.remove, { params: { id: visitor.customer_id } })).rejects.toMatchObject({
    status: 404,
  })
  expect((await list({ q: 'erasmus' })).data).toEqual([])
  await expect(as.holder(visitor.token)(customers.mine)).rejects.toMatchObject({ status: 401 })
  const { rows } = await sql<{ row: string }>`
    select to_jsonb(c)::text as row from customers c where id = ${visitor.customer_id}
    union all select to_jsonb(n)::text from customer_notes n where customer_id = ${visitor.customer_id}`.execute(
    server.context.db,
  )
  expect(JSON.stringify(rows).toLowerCase()).not.toContain('erasmus')
  const archived = (await as.ada(conversations.get, { params: { id: conversation_id } })).data
  expect(archived).toMatchObject({ customer: { title: 'Anonymous User' }, messages: [{ body: 'Forget me' }] })
  expect(archived.archived_at).not.toBe(null)
  const trail = (await as.ada(audit.list, { query: { action: 'customer.deleted' } })).data
  expect(trail[0]).toMatchObject({ user_id: world.ada.id, subject_id: visitor.customer_id, subject_name: null })
})

test('members cannot export or delete customers, unless an admin allows it', async ({ as, create }) => {
  const { id } = await create({ name: 'Kept' })
  const remove = () => as.ben(customerProfiles.remove, { params: { id } })
  const attempts = async () => [
    await statusOf(as.ben(customerProfiles.export)),
    await statusOf(as.ben(customerProfiles.list, { query: { format: 'csv' } })),
    await statusOf(remove()),
  ]
  const allow = (members_manage_customers: boolean) =>
    as.ada(accounts.update, { body: { account: { settings: { members_manage_customers } } } })
  expect(await attempts()).toEqual([403, 403, 403])
  await expect(remove()).rejects.toThrow('An admin can allow it')
  await allow(true)
  expect(await attempts()).toEqual([200, 200, 200])
  await allow(false)
})

test('nobody of another account finds, changes, blocks, merges or erases a customer', async ({ as, world, server }) => {
  const { customer_id } = world.carla
  const olga = world.olga.token
  const path = `/api/customers/${customer_id}`
  for (const [method, end, body] of [
    ['GET', ''],
    ['PUT', '', { customer: { name: 'Hacked' } }],
    ['DELETE', ''],
    ['POST', '/block'],
    ['POST', '/merge', { customer_id: randomUUID() }],
    ['POST', '/unmerge'],
    ['POST', '/tags', { tag_id: randomUUID() }],
    ['POST', '/issues', { issue_id: randomUUID() }],
  ] as const) {
    expect((await server.request(method, path + end, { token: olga, body })).status, method + end).toBe(404)
  }
  expect((await as.ada(customerProfiles.get, { params: { id: customer_id } })).data.name).toBe('Carla')
})
