import { afterAll } from 'vitest'
import { audit } from '#contract/accounts/audit.ts'
import { integrations } from '#contract/connections/integrations.ts'
import { integrationApps, oauth } from '#contract/connections/oauth.ts'
import { hubspot as calls } from '#contract/integrations/hubspot.ts'
import { startHubspot } from '#tests/emulators/hubspot.ts'
import { test as base, type Caller, expect } from '#tests/support/fixture.ts'
import { startTestServer } from '#tests/support/server.ts'
import { createApiKey, type renew } from '#tests/support/world.ts'

const hubspot = await startHubspot()
const test = base.extend('env', { scope: 'file' }, hubspot.settings)
afterAll(() => hubspot.close())

const start = async (call: Caller) => (await call(oauth.start, { body: { integration: 'hubspot' } })).data
const finish = async (call: Caller, state: string, more: object = {}) =>
  (await call(oauth.finish, { body: { state, code: hubspot.consent(), ...more } })).data
const list = async (call: Caller) => (await call(integrations.list)).data

test.afterEach(async ({ as }) => {
  for (const { id } of await list(as.ada)) await as.ada(integrations.remove, { params: { id } })
  hubspot.setLifetime(1800)
})

test('the browser opens the consent page with a state and returns with a code, which connects', async ({ as }) => {
  const { url, state } = await start(as.ada)
  const page = new URL(url)
  expect(page.href.startsWith(`${hubspot.url}/oauth/authorize?`)).toBe(true)
  expect(Object.fromEntries(page.searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'hubspot-app',
    redirect_uri: 'http://localhost:0/integrations/hubspot',
    state,
  })
  expect(await finish(as.ada, state)).toMatchObject({
    ok: true,
    integration: 'hubspot',
    inbox_id: null,
  })
  expect(await list(as.ada)).toMatchObject([{ integration: 'hubspot', label: 'HubSpot 62515', state: 'connected' }])
  const exchange = hubspot.requestsTo('POST /oauth').at(-1)!
  expect(exchange.query.size, 'secrets stand in no address').toBe(0)
  const { data } = await as.ada(audit.list, { query: { action: 'integration' } })
  expect(data[0]).toMatchObject({ action: 'integration.connected', subject_name: 'HubSpot 62515' })
})

test('a state works once, and only for the user, session and account that started it', async ({
  as,
  server,
  world,
}) => {
  const tooLate = 'This connection was not started here, is already finished, or took longer than ten minutes.'
  const { state } = await start(as.ada)
  const elsewhere = as.holder((await renewedElsewhere(server, world)).token)
  for (const other of [as.olga, elsewhere]) await expect(finish(other, state)).rejects.toThrow(tooLate)
  await finish(as.ada, state)
  await expect(finish(as.ada, state)).rejects.toThrow(tooLate)
  await expect(finish(as.ada, 'parley_oauth_made_up')).rejects.toThrow(tooLate)
  const late = await start(as.ada)
  await server.context.db
    .updateTable('oauth_starts')
    .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
    .where('account_id', '=', world.acme.id)
    .where('user_id', '=', world.ada.id)
    .execute()
  await expect(finish(as.ada, late.state)).rejects.toThrow(tooLate)
  expect(hubspot.requestsTo('POST /oauth').filter(({ body }) => body.grant_type === 'authorization_code')).toHaveLength(
    2,
  )
})

/** Ada in another browser. */
async function renewedElsewhere(...[server, world]: [Parameters<typeof renew>[0], { ada: { email: string } }]) {
  const user = { email: world.ada.email, password: 'correct horse battery' }
  const { body } = await server.request('POST', '/api/session', { body: { user } })
  return body.data as { token: string }
}

test('members cannot connect integrations of the whole team, and programs none at all', async ({
  as,
  server,
  world,
}) => {
  await expect(start(as.ben)).rejects.toThrow('Only admins may connect integrations for the whole team.')
  const program = as.holder(await createApiKey(server, world.ada.token))
  await expect(start(program)).rejects.toThrow('API keys cannot do this.')
})

test('an error of the consent page is returned as a sentence, and nothing is connected', async ({ as }) => {
  const returned = async (more: object) => finish(as.ada, (await start(as.ada)).state, more)
  await expect(returned({ error: 'access_denied' })).rejects.toThrow(
    'You did not grant access, so nothing was connected.',
  )
  await expect(returned({ error: 'server_error', error_description: 'Down for repair' })).rejects.toThrow(
    'The service refused access: Down for repair',
  )
  await expect(returned({ code: 'made up' })).rejects.toMatchObject({
    status: 401,
    message: 'HubSpot refused it: missing or unknown auth code. Start again.',
    reason: 'BAD_AUTH_CODE',
  })
  await expect(returned({ code: '' })).rejects.toThrow('HubSpot returned no code. Start again.')
  hubspot.fail('POST /oauth', { status: 503 })
  await expect(returned({})).rejects.toMatchObject({ reason: 'unreachable' })
  expect(await list(as.ada)).toEqual([])
})

test('a token is refreshed before it expires, once for concurrent requests', async ({ as }) => {
  hubspot.setLifetime(60)
  await finish(as.ada, (await start(as.ada)).state)
  hubspot.setLifetime(1800)
  const renewals = () =>
    hubspot.requestsTo('POST /oauth').filter(({ body }) => body.grant_type === 'refresh_token').length
  const before = renewals()
  await Promise.all(Array.from({ length: 6 }, () => as.ben(calls.contacts, { query: { email: 'nobody@shop.test' } })))
  expect(renewals()).toBe(before + 1)
  // The token is refused early, so it is renewed and the call repeated.
  hubspot.tokens.clear()
  expect((await as.ben(calls.contacts, { query: { email: 'nobody@shop.test' } })).data).toEqual([])
  expect(renewals()).toBe(before + 2)
})

test('a revoked grant marks the connection as broken until it is connected again', async ({ as }) => {
  await finish(as.ada, (await start(as.ada)).state)
  hubspot.revokeAll()
  await expect(as.ben(calls.contacts, { query: { email: 'a@shop.test' } })).rejects.toThrow(
    'HubSpot no longer accepts this connection. Connect it again.',
  )
  const [broken] = await list(as.ada)
  expect(broken).toMatchObject({ state: 'broken', problem: expect.stringContaining('Connect it again.') })
  await finish(as.ada, (await start(as.ada)).state)
  expect(await list(as.ada)).toMatchObject([{ id: broken!.id, state: 'connected', problem: null }])
})

test('a vendor that does not respond to a refresh leaves the connection unchanged', async ({ as }) => {
  hubspot.setLifetime(60)
  await finish(as.ada, (await start(as.ada)).state)
  hubspot.setLifetime(1800)
  for (const request of [
    () => as.ben(calls.contacts),
    // The contact was certainly not added, so nobody has to check that.
    () => as.ben(calls.createContact, { body: { email: 'new@shop.test' } }),
  ]) {
    hubspot.fail('POST /oauth', { status: 500 })
    await expect(request()).rejects.toMatchObject({
      reason: 'unreachable',
      message: 'HubSpot returned an unexpected response (500). Try again in a minute.',
    })
  }
  expect(await list(as.ada)).toMatchObject([{ state: 'connected' }])
  await as.ben(calls.contacts)
})

test('if integrations are switched off, nothing can be connected', async ({ as, server, world }) => {
  const env = { ...hubspot.settings, INTEGRATIONS: 'off' }
  const off = await startTestServer(env, undefined, server.database)
  const { state } = await start(as.ada)
  const request = (path: string, body: object) => off.request('POST', path, { token: world.ada.token, body })
  expect((await request('/api/oauth/starts', { integration: 'hubspot' })).status).toBe(409)
  expect((await request('/api/oauth/returns', { state, code: hubspot.consent() })).status).toBe(409)
  await off.close()
  expect(await list(as.ada)).toEqual([])
})

test('disconnecting revokes the grant at the vendor', async ({ as }) => {
  const { id } = await finish(as.ada, (await start(as.ada)).state)
  await as.ada(integrations.remove, { params: { id: id! } })
  await expect.poll(() => hubspot.requestsTo('POST /oauth/2026-03/token/revoke').length).toBeGreaterThan(0)
})

test('an account may use its own OAuth app, whose secret is masked', async ({ as }) => {
  const params = { vendor: 'hubspot' as const }
  expect((await as.ada(integrationApps.get, { params })).data).toMatchObject({
    source: 'server',
    client_id: null,
    client_secret: null,
    redirect_uri: 'http://localhost:0/integrations/hubspot',
  })
  const save = async (app: { client_id: string; client_secret?: string }) =>
    (await as.ada(integrationApps.save, { params, body: { app } })).data
  await expect(save({ client_id: 'our-own' })).rejects.toMatchObject({ errors: { client_secret: ["can't be blank"] } })
  const saved = await save({ client_id: 'our-own', client_secret: 'a secret of our own 0123' })
  expect(saved).toMatchObject({ source: 'account', client_id: 'our-own', client_secret: '••••0123' })
  expect(new URL((await start(as.ada)).url).searchParams.get('client_id')).toBe('our-own')
  expect(new URL((await start(as.olga)).url).searchParams.get('client_id')).toBe('hubspot-app')
  await save({ client_id: 'our-own', client_secret: saved.client_secret! })
  // A secret is deleted together with its app.
  await expect(save({ client_id: 'another', client_secret: saved.client_secret! })).rejects.toMatchObject({
    status: 422,
  })
  await expect(as.ben(integrationApps.get, { params })).rejects.toThrow('Unauthorized access')
  await as.ada(integrationApps.remove, { params })
  await expect(as.ada(integrationApps.remove, { params })).rejects.toMatchObject({ status: 404 })
  expect((await as.ada(integrationApps.get, { params })).data.source).toBe('server')
})
