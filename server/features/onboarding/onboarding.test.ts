import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, register, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const ask = async () => (await server.request('GET', '/api/onboarding_status', { token: world.olga.token })).body

test('who has just registered has done no step, and each step counts once it was taken', async () => {
  expect(await ask()).toMatchObject({
    has_configured_inbox: false,
    has_configured_profile: false,
    has_invited_teammates: false,
    has_integrations: false,
  })
  const { token } = world.olga
  await server.request('PUT', '/api/widget_settings', { token, body: { widget_settings: { title: 'Hello' } } })
  expect(await ask()).toMatchObject({ has_configured_inbox: true, has_configured_profile: false })
  await server.request('PUT', '/api/profile', { token, body: { user_profile: { display_name: 'Olga' } } })
  await server.request('POST', '/api/user_invitations', { token })
  expect(await ask()).toMatchObject({ has_configured_profile: true, has_invited_teammates: true })
})

test('a chat that was opened on a website counts as set up', async () => {
  const { token, account_id } = await register(server, 'Just begun', 'ida@begun.test')
  const read = async () => (await server.request('GET', '/api/onboarding_status', { token })).body
  expect(await read()).toMatchObject({ has_configured_inbox: false })
  const widget_settings = { account_id, metadata: { host: 'shop.test', pathname: '/' } }
  await server.request('PUT', '/api/widget_settings/metadata', { body: widget_settings })
  expect(await read()).toMatchObject({ has_configured_inbox: true })
})
