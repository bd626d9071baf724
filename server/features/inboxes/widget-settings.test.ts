import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { createWorld, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const put = (widget_settings: object, token = world.ada.token) =>
  server.request('PUT', '/api/widget_settings', { token, body: { widget_settings } })
const read = async (inbox_id: string) =>
  (await server.request('GET', `/api/widget_settings?account_id=${world.acme.id}&inbox_id=${inbox_id}`)).body.data

const EVERYTHING = {
  color: '#c23b2a',
  name: 'Acme',
  logo: 'https://acme.test/logo.png',
  title: 'Hello',
  subtitle: '',
  greeting: 'How can we help?',
  away_message: 'Back at nine.',
  new_message_placeholder: 'Write here',
  email_input_placeholder: 'Your address',
  new_messages_notification_text: 'News',
  quick_reply_options: 'Prices, Opening hours',
  language: 'vi',
  show_agent_availability: true,
  agent_available_text: 'Here',
  agent_unavailable_text: 'Gone',
  is_hide_voice: true,
  is_hide_attachments: true,
  require_email_upfront: true,
  require_name_upfront: true,
  require_phone_upfront: true,
  use_company_profile_only: true,
  is_open_by_default: true,
  is_branding_hidden: true,
  icon_variant: 'filled',
  custom_icon_url: 'https://acme.test/icon.svg',
  iframe_url_override: null,
  base_url: null,
}

test('an admin changes everything about the chat window of one inbox, and of no other', async () => {
  const { status, body } = await put({ ...EVERYTHING, inbox_id: world.billing.id })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ ...EVERYTHING, account: { company_name: 'Acme' } })
  expect(await read(world.billing.id)).toMatchObject(EVERYTHING)
  expect(await read(world.website.id)).toMatchObject({ title: null, icon_variant: 'outlined' })
})

test('without an inbox the primary one is meant, and what is left out stays', async () => {
  await put({ greeting: 'Hi there' })
  await put({ color: '#0a4b61', icon_variant: 'filled' })
  // What cannot be empty comes as null from clients that send every field.
  expect((await put({ icon_variant: null, is_hide_voice: null })).status).toBe(200)
  expect(await read(world.website.id)).toMatchObject({
    greeting: 'Hi there',
    color: '#0a4b61',
    icon_variant: 'filled',
    is_hide_voice: false,
  })
})

test('account and inbox of the settings cannot be changed by sending them', async () => {
  const { id } = await read(world.website.id)
  await put({
    inbox_id: world.website.id,
    account_id: world.other.id,
    id: world.billing.id,
    greeting: 'Hello',
    title: 'Still ours',
  })
  expect(await read(world.website.id)).toMatchObject({ id, account_id: world.acme.id, title: 'Still ours' })
})

test('members, strangers and admins of another account may not', async () => {
  const wish = { inbox_id: world.website.id, title: 'Mine' }
  expect((await put(wish, world.ben.token)).status).toBe(401)
  expect((await put(wish, world.carla.token)).status).toBe(401)
  expect((await put(wish, world.olga.token)).status).toBe(404)
  expect((await read(world.website.id)).title).not.toBe('Mine')
})

test('an unknown button style is refused by its name', async () => {
  const { status, body } = await put({ icon_variant: 'striped' })
  expect(status).toBe(422)
  expect(JSON.stringify(body.error.errors)).toContain('icon_variant')
})

test('a member reads the settings of an inbox with a token alone', async () => {
  const path = `/api/widget_settings?inbox_id=${world.billing.id}`
  const { body } = await server.request('GET', path, { token: world.ben.token })
  expect(body.data).toMatchObject({ inbox_id: world.billing.id, account_id: world.acme.id })
})

test('other tabs of the team are told of a change, and the audit trail names what changed', async () => {
  const socket = new TestSocket(server.url, { token: world.ben.token })
  const topic = await socket.join(`notification:${world.acme.id}`)
  await put({ title: 'New title' })
  await put({ title: 'New title' })
  const settings = await topic.receive('widget_settings:updated')
  expect(settings).toMatchObject({ inbox_id: world.website.id, title: 'New title' })
  await server.request('PUT', `/api/inboxes/${world.billing.id}`, {
    token: world.ada.token,
    body: { inbox: { name: 'Bills' } },
  })
  expect(await topic.receive('inbox:updated')).toMatchObject({ id: world.billing.id, name: 'Bills' })
  await server.request('PUT', `/api/inboxes/${world.billing.id}`, {
    token: world.ada.token,
    body: { inbox: { name: 'Bills' } },
  })
  socket.close()
  const { body } = await server.request('GET', '/api/audit_entries', { token: world.ada.token })
  expect(body.data.slice(0, 2)).toMatchObject([
    { action: 'inbox.updated', details: { changes: { name: { from: 'Billing', to: 'Bills' } } } },
    { subject_name: 'Primary Inbox', details: { fields: ['title'], changes: { title: { to: 'New title' } } } },
  ])
  expect(body.data[2]?.details.changes?.title?.to).not.toBe('New title')
})

test('the team sees where the widget was last opened', async () => {
  const installation = async () =>
    (await server.request('GET', `/api/inboxes/${world.billing.id}/installation`, { token: world.ben.token })).body.data
  expect(await installation()).toMatchObject({ host: null, last_seen_at: null })
  await server.request('PUT', '/api/widget_settings/metadata', {
    body: {
      account_id: world.acme.id,
      inbox_id: world.billing.id,
      metadata: { host: 'shop.test', pathname: '/lamps' },
    },
  })
  expect(await installation()).toMatchObject({ inbox_id: world.billing.id, host: 'shop.test', pathname: '/lamps' })
  const path = `/api/inboxes/${world.billing.id}/installation`
  expect((await server.request('GET', path, { token: world.olga.token })).status).toBe(404)
})
