import { users } from '#contract/accounts/users.ts'
import { messages } from '#contract/conversations/messages.ts'
import { sharing } from '#contract/conversations/sharing.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { events } from '#contract/events.ts'
import { widgets } from '#contract/widget/widgets.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startConversation, type World } from '#tests/support/world.ts'
import { mailReply } from '../notifications/reply-mail.ts'

let conversation_id: string
let cursor: string

/** Everything by which Ada could be recognised: her e-mail begins with it, her names and her picture hold it. */
const ADA = /\bada\b|lovelace/i
const COMPANY = {
  email: '',
  full_name: null,
  display_name: 'Lumen',
  profile_photo_url: 'https://acme.test/logo.png',
}

const test = base
  .extend('save', ({ as }) => (widget_settings: BodyInput<typeof widgets.update>['widget_settings']) => {
    return as.ada(widgets.update, { body: { widget_settings } })
  })
  .extend('answer', { scope: 'file' }, ({ as }) => async (body: string, message: object = {}) => {
    const draft = { conversation_id, body, ...message }
    return (await as.ada(messages.create, { body: { message: draft } })).data
  })
  .extend('joinAsCarla', ({ world, openSocket }) => async () => {
    const socket = openSocket({ visitor_token: world.carla.token })
    const thread = await socket.join(`conversation:${conversation_id}`, { customer_id: world.carla.customer_id })
    return { socket, thread }
  })

test.beforeAll(async ({ as, world, server, answer }) => {
  const profile = { display_name: 'Ada', full_name: 'Ada Lovelace', profile_photo_url: 'https://acme.test/ada.png' }
  await as.ada(users.updateProfile, { body: { user_profile: profile } })
  conversation_id = (await startConversation(server, world.carla)).conversation_id
  await answer('Said while people were shown')
  cursor = (await as.carla(events.after)).cursor
  const { id } = await answer('Missed while people were shown')
  const body = { message: { body: 'Missed and corrected while people were shown' } }
  await as.ada(messages.update, { params: { id }, body })
})
test.beforeEach(async ({ save }) => {
  await save({ use_company_profile_only: true, name: 'Lumen', logo: 'https://acme.test/logo.png' })
})

test.for<[string, (world: World) => string]>([
  ['the messages', () => `/api/messages?conversation_id=${conversation_id}`],
  ['the own conversations', () => '/api/visitor_conversations'],
  [
    'the open conversations that published clients ask for',
    (world) => `/api/conversations/customer?customer_id=${world.carla.customer_id}&account_id=${world.acme.id}`,
  ],
  ['what was missed, also from before', () => `/api/events?after=${cursor}`],
])('if agents are hidden behind the company, nobody is named in %s', async ([_, path], { world, server }) => {
  const { status, body } = await server.request('GET', path(world), { token: world.carla.token })
  expect(status).toBe(200)
  expect(JSON.stringify(body)).toContain('while people were shown')
  expect(JSON.stringify(body)).toContain('"display_name":"Lumen"')
  expect(JSON.stringify(body)).not.toMatch(ADA)
})

test('live frames for the customer name only the company, and those for the team name the agent', async ({
  world,
  openSocket,
  joinAsCarla,
  answer,
}) => {
  const team = openSocket({ token: world.ada.token })
  const { socket, thread } = await joinAsCarla()
  const room = await socket.join(`room:${world.acme.id}`)
  const all = await team.join(`notification:${world.acme.id}`)
  await room.receive('presence_diff')
  await all.push('typing', { conversation_id, typing: true })
  const { id } = await answer('Said by the company')
  expect(await thread.receive('shout', (message) => message.id === id)).toMatchObject({
    user_id: world.ada.id,
    user: { id: world.ada.id, ...COMPANY },
  })
  await thread.receive('typing')
  expect(socket.frames.join('\n')).not.toMatch(ADA)
  const received = await all.receive('shout', (message) => message.id === id)
  expect(received.user).toMatchObject({ email: world.ada.email, display_name: 'Ada' })
})

test('an inbox without a name and logo uses those of the account', async ({ save, joinAsCarla, answer }) => {
  await save({ name: null, logo: null })
  const { thread } = await joinAsCarla()
  const { id } = await answer('Said by Acme')
  const { user } = await thread.receive('shout', (message) => message.id === id)
  expect(user).toMatchObject({ display_name: 'Acme', profile_photo_url: null })
})

test('shared conversations and mails name nobody either, and replies to the mail go to no personal address', async ({
  as,
  world,
  server,
  answer,
}) => {
  const shared = await as.ada(sharing.share, { params: { id: conversation_id } })
  const query = { conversation_id, token: shared.data.token }
  const body = await as.anybody(sharing.shared, { query })
  expect(JSON.stringify(body)).toContain('"display_name":"Lumen"')
  expect(JSON.stringify(body)).not.toMatch(ADA)

  const { id } = await answer('You have left already')
  await mailReply.run(server.context, { account_id: world.acme.id, message_id: id })
  const mails = await server.context.db.selectFrom('mails').selectAll().where('kind', '=', 'reply').execute()
  expect(mails).toMatchObject([{ from_name: 'Lumen', reply_to: null }])
  expect(JSON.stringify(mails)).not.toMatch(ADA)
})

test('if agents are shown, the customer sees name and picture, and only the local part of the e-mail', async ({
  as,
  world,
  save,
  joinAsCarla,
  answer,
}) => {
  await save({ use_company_profile_only: false })
  const { thread } = await joinAsCarla()
  const { id } = await answer('Said by Ada')
  const { user } = await thread.receive('shout', (message) => message.id === id)
  expect(user).toMatchObject({ email: 'ada', display_name: 'Ada', profile_photo_url: 'https://acme.test/ada.png' })
  const body = await as.carla(events.after, { query: { after: cursor } })
  expect(Object.keys(body).sort(), 'nothing of the team’s side comes along').toEqual([
    'cursor',
    'data',
    'more',
    'reset',
  ])
  expect(JSON.stringify(body)).not.toContain(world.ada.email)
})

test('the settings of an inbox do not affect another', async ({ as, world, server, answer }) => {
  const { conversation_id: other } = await startConversation(server, world.carla, 'About my bill', world.billing.id)
  await answer('Said by Ada in billing', { conversation_id: other })
  const { data } = await as.carla(messages.list, { query: { conversation_id: other } })
  expect(data[0]?.user).toMatchObject({ display_name: 'Ada' })
})
