import { afterAll } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { oauth } from '#contract/connections/oauth.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { intercom as calls } from '#contract/integrations/intercom.ts'
import { ACCESS_TOKEN, startIntercom } from '#tests/emulators/intercom.ts'
import { test as base, type Caller, expect } from '#tests/support/fixture.ts'
import { startVisitor } from '#tests/support/world.ts'

const intercom = await startIntercom()
const test = base.extend('env', { scope: 'file' }, intercom.settings)
afterAll(() => intercom.close())

const connect = async (call: Caller, access_token = ACCESS_TOKEN) =>
  (await call(calls.connect, { body: { authorization: { access_token } } })).data
const find = async (call: Caller, query: Record<string, string> = {}) => (await call(calls.contacts, { query })).data

test.afterEach(async ({ as }) => {
  for (const { id } of (await as.ada(integrations.list)).data) await as.ada(integrations.remove, { params: { id } })
  intercom.contacts.length = 0
})

test('an access token is tested before it is stored, and identifies the workspace', async ({ as }) => {
  await expect(find(as.ben)).rejects.toMatchObject({ status: 403, message: 'Missing Intercom authorization!' })
  await expect(connect(as.ada, 'no token')).rejects.toMatchObject({
    status: 422,
    message: 'Intercom refused the token: Access Token Invalid. Connect it again.',
  })
  const { id } = await connect(as.ada)
  expect((await as.ben(calls.get)).data).toMatchObject({ id })
  expect((await as.ada(integrations.list)).data).toMatchObject([{ label: 'Acme workspace', state: 'connected' }])
})

test('Intercom is connected through its consent page, or by a client without a state', async ({ as }) => {
  const { data: begun } = await as.ada(oauth.start, { body: { integration: 'intercom' } })
  expect(begun.url).toContain(`${intercom.url}/oauth?`)
  const body = { state: begun.state, code: intercom.consent() }
  const { data } = await as.ada(oauth.finish, { body })
  expect(await find(as.ben)).toEqual([])
  const again = await as.ada(calls.oauth, { query: { code: intercom.consent() } })
  expect(again.data, 'the same connection').toEqual({ ok: true, id: data.id })
  await expect(as.ada(calls.oauth, { query: { code: 'used' } })).rejects.toMatchObject({ status: 401 })
})

test('a created contact is found at once, although Intercom’s search lags by minutes', async ({
  as,
  server,
  world,
}) => {
  await connect(as.ada)
  const { customer_id } = await startVisitor(server, world.acme.id, { name: 'Nora', email: 'nora@shop.test' })
  const draft = { name: 'Nora', email: 'nora@shop.test', phone: null, external_id: '', customer_id }
  const { data } = await as.ben(calls.createContact, { body: draft })
  expect(intercom.contacts).toMatchObject([{ role: 'user', name: 'Nora', email: 'nora@shop.test' }])
  expect(intercom.contacts[0]).not.toHaveProperty('external_id')
  expect(data).toMatchObject({
    workspace_id: 'wx1yz2ab',
    intercom_profile_url: `${intercom.url}/a/apps/wx1yz2ab/users/${data.id}`,
  })
  expect(await find(as.ben, { email: 'nora@shop.test' })).toMatchObject([{ id: data.id }])
  expect(await find(as.olga, { email: 'nora@shop.test' }).catch(({ status }) => status)).toBe(403)
  intercom.indexNow()
  expect(await find(as.ben, { email: 'nora@shop.test' })).toHaveLength(1)
  expect(await find(as.ben, { name: 'Nora', email: 'nora@shop.test' })).toHaveLength(1)

  expect((await as.ben(calls.createContact, { body: draft })).data.id, 'not a second one').toBe(data.id)
  await as.ada(customerProfiles.remove, { params: { id: customer_id } })
  intercom.contacts.length = 0
  expect(await find(as.ben, { email: 'nora@shop.test' })).toEqual([])
})

test('a contact deleted in Intercom is no longer found', async ({ as, server, world }) => {
  await connect(as.ada)
  const { customer_id } = await startVisitor(server, world.acme.id, { name: 'Odd', email: 'odd@shop.test' })
  await as.ben(calls.createContact, { body: { email: 'odd@shop.test', customer_id } })
  intercom.contacts.length = 0
  expect(await find(as.ben, { email: 'odd@shop.test' })).toEqual([])
})

const unknownOutcomes = {
  'whose answer is lost': () => intercom.lose('POST /contacts'),
  'that Intercom answers with a fault of its own': () =>
    intercom.failAfter('POST /contacts', { status: 500, body: { errors: [{ code: 'server_error' }] } }),
}
test.for(Object.entries(unknownOutcomes))(
  'a contact %s may exist: the caller is told so, and the next attempt finds it instead of creating a second',
  async ([, goesWrong], { as, server, world }) => {
    await connect(as.ada)
    const { customer_id } = await startVisitor(server, world.acme.id, { name: 'Una', email: 'una@shop.test' })
    const add = () => as.ben(calls.createContact, { body: { name: 'Una', email: 'una@shop.test', customer_id } })
    goesWrong()
    await expect(add()).rejects.toMatchObject({
      status: 422,
      reason: 'unreachable',
      message:
        'Intercom returned an unexpected response. The contact may have been added anyway: check there before you try again.',
    })
    expect(intercom.contacts, 'nothing repeats it by itself').toHaveLength(1)
    const { data } = await add()
    expect(intercom.contacts.map(({ id }) => id)).toEqual([data.id])
    expect(await find(as.ben, { email: 'una@shop.test' }), 'also before the search knows it').toMatchObject([
      { id: data.id },
    ])
  },
)

test('a server error of Intercom creates nothing, and is temporary', async ({ as }) => {
  await connect(as.ada)
  for (const call of ['POST /contacts/search', 'GET /contacts']) {
    intercom.fail(call, { status: 500, body: { errors: [{ code: 'server_error' }] } })
    const query: Record<string, string> = call.startsWith('POST') ? { email: 'a@b.test' } : {}
    await expect(find(as.ben, query)).rejects.toMatchObject({
      reason: 'unreachable',
      message: expect.stringContaining('Intercom returned an error (500).'),
    })
    expect(await find(as.ben, query)).toEqual([])
  }
  intercom.fail('POST /contacts', { status: 500, body: { errors: [{ code: 'server_error' }] } })
  const add = () => as.ben(calls.createContact, { body: { email: 'a@b.test' } })
  await expect(add()).rejects.toMatchObject({ reason: 'unreachable' })
  expect(intercom.contacts).toEqual([])
  await add()
  expect(intercom.contacts).toHaveLength(1)
  expect((await as.ada(integrations.list)).data).toMatchObject([{ state: 'connected' }])
})

test('a revoked token is broken; a rate limit is reported', async ({ as, world }) => {
  await connect(as.ada)
  intercom.fail('POST /contacts/search', { status: 429 })
  await expect(find(as.ben, { email: 'a@b.test' })).rejects.toMatchObject({ reason: 'unreachable' })
  intercom.fail('POST /contacts', { status: 422, body: { errors: [{ message: 'email is invalid' }] } })
  await expect(as.ben(calls.createContact, { body: { email: 'x' } })).rejects.toThrow(
    'Intercom refused it: email is invalid.',
  )
  await expect(
    as.olga(calls.createContact, { body: { email: 'a@b.test', customer_id: world.carla.customer_id } }),
  ).rejects.toMatchObject({ status: 403 })
  intercom.tokens.delete(ACCESS_TOKEN)
  await expect(find(as.ben, { email: 'a@b.test' })).rejects.toMatchObject({ status: 422 })
  expect((await as.ada(integrations.list)).data).toMatchObject([{ state: 'broken' }])
  intercom.tokens.add(ACCESS_TOKEN)
})
