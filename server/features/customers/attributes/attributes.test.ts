import { randomUUID } from 'node:crypto'
import { audit } from '#contract/accounts/audit.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { type AttributeDraft, type AttributeKind, attributes } from '#contract/customers/attributes.ts'
import { customerImports } from '#contract/customers/customer-imports.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import { erasure } from '#contract/customers/erasure.ts'
import { events } from '#contract/events.ts'
import { bystandersMayChange, withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { test as base, type Callers, expect, refusalOf, statusOf } from '#tests/support/fixture.ts'
import { createApiKey, startConversation, startVisitor } from '#tests/support/world.ts'

type Draft = Partial<AttributeDraft> & { kind?: AttributeKind }

/** Defines an attribute with a key and name of its own, unless the draft says otherwise. */
async function define(as: Callers, draft: Draft = {}) {
  const name = `Attribute ${randomUUID()}`
  const attribute_definition = { subject: 'customer' as const, key: name, name, kind: 'text' as const, ...draft }
  return (await as.ada(attributes.create, { body: { attribute_definition } })).data
}

const test = base.extend('forgetting', { auto: true }, async ({ as }, { onCleanup }) => {
  onCleanup(async () => {
    const { data } = await as.ada(attributes.list)
    for (const { id } of withoutBystanders(data)) await as.ada(attributes.remove, { params: { id } })
  })
})

test('admins define attributes, users read them, and who changed one is recorded', async ({ as }) => {
  const plan = await define(as, { kind: 'choice', choices: ['Gold', 'Silver'], description: 'What they pay for' })
  const { id } = plan
  const read = async () => (await as.ben(attributes.list)).data.find((attribute) => attribute.id === id)
  expect(await read()).toEqual(plan)
  const renamed = { name: 'Plan', choices: ['Gold', 'Bronze'], team_only: true }
  await as.ada(attributes.update, { params: { id }, body: { attribute_definition: renamed } })
  expect(await read()).toMatchObject({ key: plan.key, kind: 'choice', ...renamed })
  const draft = { subject: 'customer' as const, key: 'x', name: 'X', kind: 'text' as const }
  const mayNot = [
    () => as.ben(attributes.create, { body: { attribute_definition: draft } }),
    () => as.ben(attributes.update, { params: { id }, body: { attribute_definition: renamed } }),
    () => as.ben(attributes.reorder, { body: { ids: [id] } }),
    () => as.ben(attributes.remove, { params: { id } }),
    () => as.ben(attributes.suggestions, { query: { subject: 'customer' } }),
  ]
  for (const call of mayNot) expect(await statusOf(call())).toBe(401)
  await as.ada(attributes.remove, { params: { id } })
  expect(await read()).toBeUndefined()
  const actions = (await as.ada(audit.list, {})).data.filter(({ subject_id }) => subject_id === id)
  expect(actions.map(({ action }) => action)).toEqual(['attribute.deleted', 'attribute.updated', 'attribute.created'])
  expect(actions[1]?.details).toMatchObject({ fields: ['name', 'choices', 'team_only'] })
})

test('an attribute that nobody could use is refused with its reason', async ({ as }) => {
  const existing = await define(as, { name: 'Renewal' })
  const refused: [Draft, object][] = [
    [{ key: existing.key }, { key: ['has already been taken'] }],
    [{ name: 'RENEWAL' }, { name: ['has already been taken'] }],
    [{ key: '__proto__' }, { key: ['is invalid'] }],
    [{ key: 'a\u0007b' }, { key: ['is invalid'] }],
    [{ kind: 'choice' }, { choices: ["can't be blank"] }],
    [{ kind: 'choice', choices: ['a', 'A'] }, { choices: ['has a choice twice'] }],
  ]
  for (const [draft, errors] of refused) {
    const refused = await refusalOf(define(as, draft))
    expect([refused.status, refused.errors]).toEqual([422, errors])
  }
  // A conversation may have what a customer has.
  await define(as, { subject: 'conversation', key: existing.key, name: 'Renewal' })
})

test('attributes are put into an order, and those that are not named stay behind', async ({ as, world }) => {
  bystandersMayChange({ account_id: world.acme.id })
  const [first, second, third] = [await define(as), await define(as), await define(as)]
  const { data } = await as.ada(attributes.reorder, { body: { ids: [third.id, first.id] } })
  const own = withoutBystanders(data).map(({ id }) => id)
  expect(own).toEqual([third.id, first.id, second.id])
  expect(await statusOf(as.ada(attributes.reorder, { body: { ids: [randomUUID()] } }))).toBe(422)
})

const KINDS: [Draft, good: string | number | boolean, stored: string | number | boolean, bad: string | number][] = [
  [{ kind: 'text' }, ' two  words ', 'two words', 'x'.repeat(1001)],
  [{ kind: 'number' }, '12.5', 12.5, '12,5'],
  [{ kind: 'date' }, '2026-01-31', '2026-01-31', '2026-02-30'],
  [{ kind: 'yes_no' }, 'yes', true, 'perhaps'],
  [{ kind: 'choice', choices: ['Gold', 'Silver'] }, 'gold', 'Gold', 'Bronze'],
  [{ kind: 'link' }, 'https://example.com/a', 'https://example.com/a', 'javascript:alert(1)'],
]

const eachKind = test.for(KINDS)

eachKind('users and API keys set each kind: %o', async ([draft, good, stored, bad], { as, world, server }) => {
  const { key, name } = await define(as, draft)
  await define(as, { ...draft, subject: 'conversation', key })
  const { customer_id } = await startVisitor(server, world.acme.id, { name: 'Vera' })
  await as.ben(customerProfiles.update, {
    params: { id: customer_id },
    body: { customer: { metadata: { other: 1 } } },
  })
  const { conversation_id } = await startConversation(server, world.carla, 'Hello')
  const api = as.holder(await createApiKey(server, world.ada.token))
  for (const caller of [as.ben, api]) {
    const set = async (value: string | number | boolean | null) => {
      const body = { attributes: { [key]: value } }
      const { data: customer } = await caller(customerProfiles.setAttributes, { params: { id: customer_id }, body })
      const ofIt = await caller(conversations.setAttributes, { params: { id: conversation_id }, body })
      return [customer.metadata, ofIt.data.metadata]
    }
    expect(await set(good)).toEqual([{ other: 1, [key]: stored }, { [key]: stored }])
    const refused = await refusalOf(set(bad))
    expect(refused.status).toBe(422)
    expect(JSON.stringify(refused.errors)).toContain(name)
    expect(await set(null)).toEqual([{ other: 1 }, {}])
  }
})

eachKind('websites and lists bring each kind: %o', async ([draft, good, stored, bad], { as, world, server }) => {
  const { key, name } = await define(as, draft)
  // The website's value does not fit: it stays, beside everything else.
  const { customer_id } = await startVisitor(server, world.acme.id, {
    name: 'Ugo',
    metadata: { [key]: [bad], city: 'Hue' },
  })
  const { data } = await as.ben(customerProfiles.get, { params: { id: customer_id }, query: {} })
  expect(data.metadata).toEqual({ [key]: [bad], city: 'Hue' })
  const [fits, fitsNot] = [`${randomUUID()}@list.test`, `${randomUUID()}@list.test`]
  const content = `email,${name.toUpperCase()},city\n${fits},${good},Hoi An\n${fitsNot},"${bad}",Da Nang\n`
  const { data: list } = await as.ben(customerImports.upload, { body: { content, filename: 'people.csv' } })
  expect(list.mapping).toEqual(['email', 'metadata', null])
  const body = { mapping: ['email' as const, 'metadata' as const, 'metadata' as const] }
  await as.ben(customerImports.start, { params: { id: list.id }, body })
  const read = async () => (await as.ben(customerImports.get, { params: { id: list.id } })).data
  await expect.poll(async () => (await read()).status, { timeout: 15_000 }).toBe('done')
  expect((await read()).errors).toEqual([{ row: 2, message: expect.stringContaining(name) }])
  const matches = (await as.ben(customerProfiles.list, { query: { q: fits } })).data
  expect(matches.map(({ metadata }) => metadata)).toEqual([{ [key]: stored, city: 'Hoi An' }])
  const csv = await fetch(`${server.url}/api/customers/export.csv?q=${fits}`, {
    headers: { authorization: world.ada.token },
  })
  const [head, line] = (await csv.text()).trimEnd().split('\r\n')
  expect(head?.endsWith(`,"${name}"`)).toBe(true)
  expect(line?.endsWith(`,"${stored}"`)).toBe(true)
})

test('two people who set different attributes of one customer or conversation both win', async ({
  as,
  world,
  server,
}) => {
  const [one, other] = [await define(as), await define(as)]
  for (const { key } of [one, other]) await define(as, { subject: 'conversation', key, name: key })
  const { conversation_id } = await startConversation(server, world.carla, 'Hello')
  const id = world.carla.customer_id
  const set = (caller: Callers['ada'], key: string) => [
    caller(customerProfiles.setAttributes, { params: { id }, body: { attributes: { [key]: 'set' } } }),
    caller(conversations.setAttributes, { params: { id: conversation_id }, body: { attributes: { [key]: 'set' } } }),
  ]
  await Promise.all([...set(as.ada, one.key), ...set(as.ben, other.key)])
  const both = { [one.key]: 'set', [other.key]: 'set' }
  expect((await as.ben(customerProfiles.get, { params: { id }, query: {} })).data.metadata).toMatchObject(both)
  const { data } = await as.ben(conversations.get, { params: { id: conversation_id } })
  expect(data.metadata).toEqual(both)
})

test('a key that is no attribute is refused, and none of the others is set', async ({ as, world }) => {
  const { key } = await define(as)
  const id = world.carla.customer_id
  const set = (values: Record<string, string>) =>
    statusOf(as.ben(customerProfiles.setAttributes, { params: { id }, body: { attributes: values } }))
  expect(await set({ [key]: 'set', unknown: 'x' })).toBe(422)
  expect(await set({ constructor: 'x' })).toBe(422)
  const { data } = await as.ben(customerProfiles.get, { params: { id }, query: {} })
  expect(data.metadata).not.toHaveProperty(key)
})

test('a website neither sets nor sees an attribute that is for the team only', async ({ as, world, server }) => {
  const secret = await define(as, { team_only: true })
  const before = await define(as)
  const own = { [secret.key]: 'invented', [before.key]: 'from the website', city: 'Hue' }
  const visitor = await startVisitor(server, world.acme.id, { name: 'Vera', metadata: own })
  const id = visitor.customer_id
  const stored = async () => (await as.ben(customerProfiles.get, { params: { id }, query: {} })).data.metadata
  expect(await stored()).toEqual({ [before.key]: 'from the website', city: 'Hue' })
  await as.ben(customerProfiles.setAttributes, {
    params: { id },
    body: { attributes: { [secret.key]: 'by the team' } },
  })
  // From now on another key is for the team only, too.
  const body = { attribute_definition: { team_only: true } }
  await as.ada(attributes.update, { params: { id: before.id }, body })
  const holder = as.holder(visitor.token)
  const sent = { metadata: { metadata: { [secret.key]: 'mine', [before.key]: 'mine', city: 'Da Nang' } } }
  const { data: answer } = await holder(customers.updateMetadata, { params: { id }, body: sent })
  expect(answer.metadata).toEqual({ city: 'Da Nang' })
  expect((await holder(customers.mine)).data.metadata).toEqual({ city: 'Da Nang' })
  const kept = { [secret.key]: 'by the team', [before.key]: 'from the website', city: 'Da Nang' }
  expect(await stored()).toEqual(kept)
})

test('keys that websites already send are suggested with their kind until they are attributes', async ({
  as,
  world,
  server,
}) => {
  const keys = { number: randomUUID(), date: randomUUID(), text: randomUUID() }
  const metadata = { [keys.number]: 5, [keys.date]: '2026-01-31T00:00:00Z', [keys.text]: 'gold', deep: { a: 1 } }
  await startVisitor(server, world.acme.id, { name: 'Vera', metadata })
  await define(as, { key: keys.text })
  const { data } = await as.ada(attributes.suggestions, { query: { subject: 'customer' } })
  const suggested = data.filter(({ key }) => Object.values<string>(keys).includes(key) || key === 'deep')
  const expected = [
    { key: keys.number, kind: 'number', count: 1 },
    { key: keys.date, kind: 'date', count: 1 },
  ]
  expect(suggested.toSorted((a, b) => b.kind.localeCompare(a.kind))).toEqual(expected)
})

test('a change of an attribute is in the events, and erasing a customer erases the values', async ({
  as,
  world,
  server,
}) => {
  const { key } = await define(as)
  const { customer_id: id } = await startVisitor(server, world.acme.id, { name: 'Vera' })
  const { cursor } = await as.ada(events.after, { query: {} })
  const value = `secret ${randomUUID()}`
  await as.ben(customerProfiles.setAttributes, { params: { id }, body: { attributes: { [key]: value } } })
  // The same value again changes nothing, and is no event.
  await as.ben(customerProfiles.setAttributes, { params: { id }, body: { attributes: { [key]: value } } })
  const { data } = await as.ada(events.after, { query: { after: cursor } })
  expect(JSON.stringify(data).split(value)).toHaveLength(2)
  await as.ada(erasure.erase, { params: { id } })
  const { db } = server.context
  const rows = await db.selectFrom('customers').selectAll().where('id', '=', id).execute()
  expect(JSON.stringify(rows)).not.toContain(value)
})
