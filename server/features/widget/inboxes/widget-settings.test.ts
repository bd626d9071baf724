import { audit } from '#contract/accounts/audit.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { inboxes } from '#contract/widget/inboxes.ts'
import { widgets } from '#contract/widget/widgets.ts'
import { test as base, expect, refusalOf } from '#tests/support/fixture.ts'

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
  icon_variant: 'filled' as const,
  custom_icon_url: 'https://acme.test/icon.svg',
  iframe_url_override: null,
  base_url: null,
}

const test = base
  .extend('put', ({ as }) => (widget_settings: BodyInput<typeof widgets.update>['widget_settings'], who = as.ada) => {
    return who(widgets.update, { body: { widget_settings } })
  })
  .extend('read', ({ as, world }) => async (inbox_id: string) => {
    return (await as.anybody(widgets.settings, { query: { account_id: world.acme.id, inbox_id } })).data
  })

test('an admin updates all settings of the chat window of one inbox, and of no other', async ({ world, put, read }) => {
  const { data } = await put({ ...EVERYTHING, inbox_id: world.billing.id })
  expect(data).toMatchObject({ ...EVERYTHING, account: { company_name: 'Acme' } })
  expect(await read(world.billing.id)).toMatchObject(EVERYTHING)
  expect(await read(world.website.id)).toMatchObject({ title: null, icon_variant: 'outlined' })
})

test('without an inbox the primary one is updated, and omitted values are kept', async ({ world, put, read }) => {
  await put({ greeting: 'Hi there' })
  await put({ color: '#0a4b61', icon_variant: 'filled' })
  // Clients that send every field use null for those that cannot be empty.
  await put({ icon_variant: null, is_hide_voice: null })
  expect(await read(world.website.id)).toMatchObject({
    greeting: 'Hi there',
    color: '#0a4b61',
    icon_variant: 'filled',
    is_hide_voice: false,
  })
})

test('account and inbox of the settings cannot be changed by sending them', async ({ world, read, put }) => {
  const { id } = await read(world.website.id)
  const others = { account_id: world.other.id, id: world.billing.id }
  await put({ inbox_id: world.website.id, ...others, greeting: 'Hello', title: 'Still ours' })
  expect(await read(world.website.id)).toMatchObject({ id, account_id: world.acme.id, title: 'Still ours' })
})

test('members, strangers and admins of another account may not update them', async ({ as, world, put, read }) => {
  const wish = { inbox_id: world.website.id, title: 'Mine' }
  await expect(put(wish, as.ben)).rejects.toMatchObject({ status: 401 })
  await expect(put(wish, as.carla)).rejects.toMatchObject({ status: 401 })
  await expect(put(wish, as.olga)).rejects.toMatchObject({ status: 404 })
  expect((await read(world.website.id)).title).not.toBe('Mine')
})

test('an unknown button style is refused by its name', async ({ put }) => {
  const { status, errors } = await refusalOf(put({ icon_variant: 'striped' as never }))
  expect(status).toBe(422)
  expect(JSON.stringify(errors)).toContain('icon_variant')
})

test('a member reads the settings of an inbox with only a token', async ({ as, world }) => {
  const { data } = await as.ben(widgets.settings, { query: { inbox_id: world.billing.id } })
  expect(data).toMatchObject({ inbox_id: world.billing.id, account_id: world.acme.id })
})

test('a change is sent to other tabs of the team, and is in the audit trail', async ({
  as,
  world,
  openSocket,
  put,
}) => {
  const socket = openSocket({ token: world.ben.token })
  const topic = await socket.join(`notification:${world.acme.id}`)
  await put({ title: 'New title' })
  await put({ title: 'New title' })
  const settings = await topic.receive('widget_settings:updated')
  expect(settings).toMatchObject({ inbox_id: world.website.id, title: 'New title' })
  await as.ada(inboxes.update, { params: { id: world.billing.id }, body: { inbox: { name: 'Bills' } } })
  expect(await topic.receive('inbox:updated')).toMatchObject({ id: world.billing.id, name: 'Bills' })
  await as.ada(inboxes.update, { params: { id: world.billing.id }, body: { inbox: { name: 'Bills' } } })
  socket.close()
  const { data } = await as.ada(audit.list)
  expect(data.slice(0, 2)).toMatchObject([
    { action: 'inbox.updated', details: { changes: { name: { from: 'Billing', to: 'Bills' } } } },
    { subject_name: 'Primary Inbox', details: { fields: ['title'], changes: { title: { to: 'New title' } } } },
  ])
  expect(data[2]?.details.changes?.title?.to).not.toBe('New title')
})

test('the team sees where the widget was last opened', async ({ as, world }) => {
  const installation = async () => (await as.ben(inboxes.installation, { params: { id: world.billing.id } })).data
  expect(await installation()).toMatchObject({ host: null, last_seen_at: null })
  await as.anybody(widgets.seen, {
    body: {
      account_id: world.acme.id,
      inbox_id: world.billing.id,
      metadata: { host: 'shop.test', pathname: '/lamps' },
    },
  })
  expect(await installation()).toMatchObject({ inbox_id: world.billing.id, host: 'shop.test', pathname: '/lamps' })
  await expect(as.olga(inboxes.installation, { params: { id: world.billing.id } })).rejects.toMatchObject({
    status: 404,
  })
})
