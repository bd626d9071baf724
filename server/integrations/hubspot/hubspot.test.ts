import { afterAll } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { hubspot as calls } from '#contract/integrations/hubspot.ts'
import { SERVICE_KEY, startHubspot } from '#tests/emulators/hubspot.ts'
import { test as base, type Caller, expect } from '#tests/support/fixture.ts'

const hubspot = await startHubspot()
const test = base.extend('env', { scope: 'file' }, hubspot.settings)
afterAll(() => hubspot.close())

const connect = async (call: Caller, access_token = SERVICE_KEY) =>
  (await call(calls.connect, { body: { authorization: { access_token } } })).data
const find = async (call: Caller, query: Record<string, string> = {}) => (await call(calls.contacts, { query })).data
const NORA = { email: 'nora@shop.test', first_name: 'Nora', last_name: 'Beam', phone: '', company: ' ' }

test.afterEach(async ({ as }) => {
  for (const { id } of (await as.ada(integrations.list)).data) await as.ada(integrations.remove, { params: { id } })
  hubspot.contacts.length = 0
})

test('a service key is tested before it is stored, and connects without an app or a public URL', async ({ as }) => {
  expect((await as.ben(calls.get)).data).toBeNull()
  await expect(find(as.ben)).rejects.toMatchObject({ status: 403, message: 'Missing HubSpot authorization!' })
  await expect(connect(as.ada, 'no key')).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('HubSpot refused the token'),
  })
  expect((await as.ben(calls.get)).data).toBeNull()
  const { id } = await connect(as.ada)
  expect((await as.ben(calls.get)).data).toMatchObject({ id, token_type: 'bearer' })
  expect((await as.olga(calls.get)).data).toBeNull()
  await expect(connect(as.ben)).rejects.toThrow('Unauthorized access')
})

test('a client without a state connects with only a code', async ({ as }) => {
  const { data } = await as.ada(calls.oauth, { query: { code: hubspot.consent() } })
  expect(data).toMatchObject({ ok: true, id: expect.any(String) })
  await expect(as.ada(calls.oauth, { query: { code: 'used' } })).rejects.toMatchObject({ status: 401 })
})

test('a contact is created with HubSpot’s field names, found by email, and linked', async ({ as }) => {
  await connect(as.ada)
  expect(await find(as.ben, { email: NORA.email })).toEqual([])
  const { data } = await as.ben(calls.createContact, { body: NORA })
  expect(hubspot.contacts).toMatchObject([
    { properties: { email: 'nora@shop.test', firstname: 'Nora', lastname: 'Beam' } },
  ])
  expect(hubspot.contacts[0]!.properties).not.toHaveProperty('company')
  expect(data.hubspot_profile_url).toBe(`https://app.hubspot.com/contacts/62515/contact/${data.id}`)
  expect(await find(as.ben, { email: NORA.email })).toMatchObject([{ id: data.id }])
  expect(await find(as.ben, { first_name: 'Nora' })).toMatchObject([{ id: data.id }])
  expect(await find(as.ben, { first_name: 'Carla' })).toEqual([])
  expect(await find(as.ben)).toHaveLength(1)
})

test('an existing contact is returned instead of a duplicate, also after a lost response', async ({ as }) => {
  await connect(as.ada)
  const { data: first } = await as.ben(calls.createContact, { body: NORA })
  expect((await as.ben(calls.createContact, { body: NORA })).data.id).toBe(first.id)
  hubspot.contacts.length = 0
  hubspot.lose('POST /crm')
  await expect(as.ben(calls.createContact, { body: NORA })).rejects.toMatchObject({
    reason: 'unreachable',
    message:
      'HubSpot returned an unexpected response. The contact may have been added anyway: check there before you try again.',
  })
  const { data } = await as.ben(calls.createContact, { body: NORA })
  expect(hubspot.contacts.map(({ id }) => id)).toEqual([data.id])
})

test('refusals and rate limits of HubSpot are returned as sentences', async ({ as }) => {
  await connect(as.ada)
  hubspot.fail('POST /crm', { status: 400, body: { message: 'Property values were not valid' } })
  await expect(as.ben(calls.createContact, { body: NORA })).rejects.toMatchObject({
    status: 422,
    message: 'HubSpot refused it: Property values were not valid.',
  })
  hubspot.fail('GET /crm', { status: 429, headers: { 'retry-after': '9' } })
  await expect(find(as.ben, { email: NORA.email })).rejects.toMatchObject({
    reason: 'unreachable',
    message: 'HubSpot limits the number of requests. Try again later.',
  })
  hubspot.fail('GET /crm', { status: 500 })
  await expect(find(as.ben, { email: NORA.email })).rejects.toMatchObject({ reason: 'unreachable' })
})

test('the test button reports whether HubSpot responds; a deleted key is broken', async ({ as }) => {
  const { id } = await connect(as.ada)
  expect((await as.ada(integrations.test, { params: { id: id! } })).data.state).toBe('connected')
  hubspot.tokens.delete(SERVICE_KEY)
  await expect(as.ada(integrations.test, { params: { id: id! } })).rejects.toMatchObject({ status: 422 })
  expect((await as.ada(integrations.list)).data).toMatchObject([{ state: 'broken' }])
  hubspot.tokens.add(SERVICE_KEY)
  await connect(as.ada)
})

test('a call disconnects only the HubSpot connection of its own account, and only for admins', async ({ as }) => {
  const { id } = await connect(as.ada)
  await expect(as.olga(calls.remove, { params: { id: id! } })).rejects.toMatchObject({ status: 404 })
  await as.ada(calls.remove, { params: { id: id! } })
  await expect(as.ada(calls.remove, { params: { id: id! } })).rejects.toMatchObject({ status: 404 })
})
