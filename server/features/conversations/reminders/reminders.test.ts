import { afterAll, beforeEach, expect, test } from 'vitest'
import { bystandersMayChange } from '#tests/support/bystanders/watched.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startConversation, type World } from '#tests/support/world.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { remindEverybody } from './reminders.ts'

const HOUR = 3_600_000

let server: TestServer | undefined
let world: World
let conversation_id: string
/** When the customer wrote. */
let written_at: number

beforeEach(async () => {
  await server?.close()
  server = await startTestServer()
  world = await createWorld(server)
  const started = await startConversation(server, world.carla, 'Anybody?')
  conversation_id = started.conversation_id
  written_at = Date.parse(started.message.created_at)
})
afterAll(() => server?.close())

function configure(settings: object, more: object = {}) {
  return server!.context.db
    .updateTable('accounts')
    .set({ settings: toJson({ conversation_reminders_enabled: true, ...settings }), ...more })
    .where('id', '=', world.acme.id)
    .execute()
}

/** Runs the schedule this many hours (and a half) after the customer wrote, by the test's clock. */
async function tick(hours: number) {
  // The bystanders' customers wait equally long.
  bystandersMayChange({ account_id: world.acme.id })
  const at = new Date(written_at + hours * HOUR)
  await remindEverybody(server!.context, at)
  // The database's clock does not move, so recent messages are moved back instead.
  await server!.context.db
    .updateTable('messages')
    .set({ created_at: at.toISOString() })
    .where('conversation_id', '=', conversation_id)
    .where('number', '=', (await messages()).length)
    .where('type', '=', 'bot')
    .where('created_at', '<', at.toISOString())
    .execute()
}

async function messages() {
  const path = `/api/messages?conversation_id=${conversation_id}`
  const { body } = await server!.request('GET', path, { token: world.ada.token })
  return body.data.toReversed() as { body: string; private: boolean; type: string; user_id: number; metadata: object }[]
}

async function reminders() {
  return (await messages()).filter(({ type }) => type === 'bot')
}

test('nobody is reminded unless the account has enabled it', async () => {
  await tick(100)
  expect(await reminders()).toEqual([])
})

test('a conversation still waits if the messages after the customer’s were deleted', async () => {
  await configure({})
  const { body } = await server!.request('POST', '/api/messages', {
    token: world.ada.token,
    body: { message: { conversation_id, body: 'Wrong window' } },
  })
  await tick(73)
  expect(await reminders()).toEqual([])
  await server!.request('DELETE', `/api/messages/${body.data.id}`, { token: world.ada.token })
  await tick(73)
  expect(await reminders()).toHaveLength(1)
})

test('after 72 hours, and three times at most, a private message of the oldest admin is posted as a reminder', async () => {
  await configure({})
  await tick(71)
  expect(await reminders()).toEqual([])
  await tick(73)
  expect(await reminders()).toMatchObject([
    {
      private: true,
      user_id: world.ada.id,
      metadata: { is_reminder: true, reminder_count: 1 },
      body: 'This is an automated reminder (1 of 3) to follow up on this conversation :bell: the next reminder will be sent in 72 hours.\n\n(Click [here](/settings/overview) to configure reminders for your account)',
    },
  ])
  for (const hours of [100, 146, 219, 300, 500]) await tick(hours)
  const all = await reminders()
  expect(all).toHaveLength(3)
  expect(all[2]!.body).toBe(
    'This is the last reminder to follow up on this conversation :bell: no more will be sent after this!\n\n(Click [here](/settings/overview) to configure reminders for your account)',
  )
  const conversation = await server!.request('GET', `/api/conversations/${conversation_id}`, { token: world.ada.token })
  expect(conversation.body.data.read).toBe(false)
})

test('metadata about reminders from a customer’s browser is ignored', async () => {
  await configure({})
  for (const reminder_count of ['many', 99]) {
    const message = { conversation_id, body: 'Still here', metadata: { is_reminder: true, reminder_count } }
    await server!.request('POST', '/api/messages', { token: world.carla.token, body: { message } })
    await tick(73)
    expect((await reminders()).at(-1)).toMatchObject({ metadata: { reminder_count: 1 } })
  }
  expect(await reminders()).toHaveLength(2)
})

test('the reminder is posted by the assignee, after the account’s interval', async () => {
  await configure({ conversation_reminder_hours_interval: 1, max_num_conversation_reminders: 2 })
  const conversation = { assignee_id: world.ben.id }
  await server!.request('PUT', `/api/conversations/${conversation_id}`, {
    token: world.ada.token,
    body: { conversation },
  })
  await tick(2)
  expect(await reminders()).toMatchObject([{ user_id: world.ben.id, body: expect.stringContaining('sent in 1 hour.') }])
})

test('a server that was down for a month reminds once when it is back', async () => {
  await configure({})
  await tick(24 * 30)
  await tick(24 * 30)
  expect(await reminders()).toHaveLength(1)
})

test('an answered, closed, snoozed or archived conversation gets no reminder', async () => {
  await configure({})
  for (const conversation of [{ status: 'closed' }, { status: 'open', archived_at: new Date().toISOString() }]) {
    await server!.request('PUT', `/api/conversations/${conversation_id}`, {
      token: world.ada.token,
      body: { conversation },
    })
    await tick(100)
  }
  const body = { conversation: { archived_at: null, snoozed: { until: null } } }
  await server!.request('PUT', `/api/conversations/${conversation_id}`, { token: world.ada.token, body })
  await tick(100)
  await server!.request('PUT', `/api/conversations/${conversation_id}`, {
    token: world.ada.token,
    body: { conversation: { snoozed: null } },
  })
  await server!.request('POST', '/api/messages', {
    token: world.ada.token,
    body: { message: { conversation_id, body: 'Yes.' } },
  })
  await tick(100)
  expect(await reminders()).toEqual([])
})

test('outside working hours nobody is reminded, in the account’s time zone, also around a change of daylight saving time', async () => {
  await configure(
    {},
    {
      time_zone: 'Europe/Berlin',
      working_hours: toJson([{ day: 'everyday', start_minute: 9 * 60, end_minute: 10 * 60 }]),
    },
  )
  await server!.context.db
    .updateTable('messages')
    .set({ created_at: '2026-03-20T12:00:00Z' })
    .where('conversation_id', '=', conversation_id)
    .execute()
  const at = async (time: string) => {
    bystandersMayChange({ account_id: world.acme.id })
    await remindEverybody(server!.context, new Date(time))
    return (await reminders()).length
  }
  // Berlin is one hour ahead on the 28th, two from the 29th of March 2026 on.
  expect(await at('2026-03-28T07:30:00Z')).toBe(0)
  expect(await at('2026-03-29T08:30:00Z')).toBe(0)
  expect(await at('2026-03-29T07:30:00Z')).toBe(1)
})
