import { randomUUID } from 'node:crypto'
import { team } from '#contract/accounts/team.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { type ScheduledMessage, scheduledMessages } from '#contract/conversations/scheduled-messages.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { erasure } from '#contract/customers/erasure.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { test as base, expect, refusalOf } from '#tests/support/fixture.ts'
import { register, renew, startConversation, startVisitor } from '#tests/support/world.ts'
import { destroyUnusedFiles } from '../files/files.ts'
import { sendAllDue } from './sending.ts'

type Draft = BodyInput<typeof scheduledMessages.create>['scheduled_message']

const HOUR = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()

const test = base
  .extend('start', ({ world, server }) => async () => {
    const visitor = await startVisitor(server, world.acme.id)
    const { conversation_id } = await startConversation(server, visitor, 'Where is my lamp?')
    return { conversation_id, visitor }
  })
  .extend(
    'schedule',
    ({ as }) =>
      async (conversation_id: string, draft: Partial<Draft> = {}, who = as.ben): Promise<ScheduledMessage> => {
        const time = draft.undo_seconds === undefined && { send_at: inHours(2) }
        const scheduled_message = { conversation_id, body: 'It arrives today.', ...time, ...draft }
        return (await who(scheduledMessages.create, { body: { scheduled_message } })).data
      },
  )
  /** Makes a scheduled message due so many minutes ago, and lets the schedule run. */
  .extend('letTimePass', ({ server }) => async (id: string, minutes = 1) => {
    await server.context.db
      .updateTable('scheduled_messages')
      .set({ send_at: new Date(Date.now() - minutes * 60_000).toISOString() })
      .where('id', '=', id)
      .execute()
    await sendAllDue(server.context)
  })
  .extend('listed', ({ as }) => async (conversation_id: string, who = as.ada) => {
    return (await who(scheduledMessages.list, { query: { conversation_id } })).data
  })
  .extend('bodies', ({ as }) => async (conversation_id: string) => {
    const { data } = await as.ada(messages.list, { query: { conversation_id } })
    return data.map(({ body }) => body).toReversed()
  })

test('a scheduled reply is known to the team alone until its time, and is then sent once by its author', async ({
  as,
  start,
  schedule,
  letTimePass,
  listed,
  bodies,
  server,
  world,
}) => {
  const { conversation_id, visitor } = await start()
  const before = (await as.ada(conversations.get, { params: { id: conversation_id } })).data
  const scheduled = await schedule(conversation_id)
  expect(scheduled).toMatchObject({ user_id: world.ben.id, if_answered: 'hold', held_reason: null, is_undo: false })
  expect(await listed(conversation_id)).toEqual([scheduled])
  expect((await as.ada(conversations.get, { params: { id: conversation_id } })).data).toEqual(before)
  const seen = await as.holder(visitor.token)(messages.list, { query: { conversation_id } })
  expect(seen.data.map(({ body }) => body)).toEqual(['Where is my lamp?'])
  await sendAllDue(server.context)
  expect(await bodies(conversation_id)).toEqual(['Where is my lamp?'])

  await letTimePass(scheduled.id)
  await sendAllDue(server.context)
  expect(await bodies(conversation_id)).toEqual(['Where is my lamp?', 'It arrives today.'])
  expect(await listed(conversation_id)).toEqual([])
  const { data } = await as.ada(messages.get, { params: { id: scheduled.id } })
  expect(data).toMatchObject({ user_id: world.ben.id, type: 'reply', private: false })
})

test('it is held back if its customer wrote first, unless it is to be sent nevertheless', async ({
  as,
  start,
  schedule,
  letTimePass,
  listed,
  bodies,
  openSocket,
  world,
}) => {
  const socket = openSocket({ token: world.ben.token })
  const received = await socket.join(`notification:${world.acme.id}`)
  const { conversation_id, visitor } = await start()
  const held = await schedule(conversation_id)
  const sent = await schedule(conversation_id, { body: 'We are closed tomorrow.', if_answered: 'send' })
  const reply = { conversation_id, body: 'Found it!' }
  await as.holder(visitor.token)(messages.create, { body: { message: reply } })
  await letTimePass(held.id)
  await letTimePass(sent.id)
  expect(await bodies(conversation_id)).toEqual(['Where is my lamp?', 'Found it!', 'We are closed tomorrow.'])
  expect(await listed(conversation_id)).toMatchObject([{ id: held.id, held_reason: 'answered' }])
  const event = await received.receive('scheduled_message:updated', ({ held_reason }) => held_reason)
  expect(event).toMatchObject({ id: held.id, held_reason: 'answered', user_id: world.ben.id })

  const changes = { send_at: inHours(1), body: 'Lovely!' }
  await as.ben(scheduledMessages.update, { params: { id: held.id }, body: { scheduled_message: changes } })
  await letTimePass(held.id)
  expect((await bodies(conversation_id)).at(-1), 'a new time releases it').toBe('Lovely!')
})

test('what nobody could send for two hours is held back, and a shorter delay is made up for', async ({
  start,
  schedule,
  letTimePass,
  listed,
  bodies,
}) => {
  const { conversation_id } = await start()
  const late = await schedule(conversation_id)
  const later = await schedule(conversation_id, { body: 'A little late.' })
  await letTimePass(late.id, 121)
  await letTimePass(later.id, 119)
  expect(await listed(conversation_id)).toMatchObject([{ id: late.id, held_reason: 'late' }])
  expect((await bodies(conversation_id)).at(-1)).toBe('A little late.')
})

test('it is held back once its author was disabled, its conversation deleted, or its customer blocked', async ({
  as,
  start,
  schedule,
  letTimePass,
  listed,
  world,
  server,
}) => {
  const invitation = await server.request('POST', '/api/user_invitations', { token: world.ada.token })
  const joined = await register(server, undefined, 'leaver@acme.test', invitation.body.data.id)
  const leaver = await renew(server, joined)
  const [one, other, third] = [await start(), await start(), await start()]
  const byLeaver = await schedule(one.conversation_id, {}, as.holder(leaver.token))
  const inDeleted = await schedule(other.conversation_id)
  const toBlocked = await schedule(third.conversation_id)
  await as.ada(team.disable, { params: { id: leaver.id } })
  await as.ada(conversations.archive, { params: { id: other.conversation_id } })
  await as.ada(customerProfiles.block, { params: { id: third.visitor.customer_id } })
  for (const { id } of [byLeaver, inDeleted, toBlocked]) await letTimePass(id)
  for (const [{ conversation_id }, held_reason] of [
    [one, 'author'],
    [other, 'deleted'],
    [third, 'blocked'],
  ] as const) {
    expect(await listed(conversation_id)).toMatchObject([{ held_reason }])
  }
  await expect(as.ada(scheduledMessages.send, { params: { id: inDeleted.id } })).rejects.toThrow(/Restore it first/)
  await as.ada(scheduledMessages.send, { params: { id: byLeaver.id } })
  const { data } = await as.ada(messages.get, { params: { id: byLeaver.id } })
  expect(data.user_id, 'whoever sends it is its author').toBe(world.ada.id)
})

test('nothing is sent for a suspended company', async ({ start, schedule, letTimePass, listed, world, server }) => {
  const { conversation_id } = await start()
  const { id } = await schedule(conversation_id)
  const suspend = (suspended_at: string | null) =>
    server.context.db.updateTable('accounts').set({ suspended_at }).where('id', '=', world.acme.id).execute()
  await suspend(new Date().toISOString())
  await letTimePass(id)
  await suspend(null)
  expect(await listed(conversation_id)).toMatchObject([{ id, held_reason: null }])
})

test('only its author and admins change, send or cancel it; members see the plans of others in a conversation only', async ({
  as,
  start,
  schedule,
  listed,
}) => {
  const { conversation_id } = await start()
  const { id } = await schedule(conversation_id, {}, as.ada)
  const change = { params: { id }, body: { scheduled_message: { body: 'Mine' } } }
  await expect(as.ben(scheduledMessages.update, change)).rejects.toMatchObject({ status: 403 })
  await expect(as.ben(scheduledMessages.send, { params: { id } })).rejects.toMatchObject({ status: 403 })
  await expect(as.ben(scheduledMessages.remove, { params: { id } })).rejects.toMatchObject({ status: 403 })
  await expect(as.olga(scheduledMessages.remove, { params: { id } })).rejects.toMatchObject({ status: 404 })
  await expect(as.ben(scheduledMessages.list, { query: { all: true } })).rejects.toMatchObject({ status: 403 })
  expect(await listed(conversation_id, as.ben)).toMatchObject([{ id }])
  expect(await listed(conversation_id, as.olga)).toEqual([])
  const mine = await as.ben(scheduledMessages.list)
  expect(mine.data.map((message) => message.id)).not.toContain(id)
  const bens = await schedule(conversation_id)
  const { data } = await as.ada(scheduledMessages.list, { query: { all: true } })
  expect(withoutBystanders(data).map((message) => message.id)).toEqual(expect.arrayContaining([id, bens.id]))
  const cancelled = await as.ada(scheduledMessages.remove, { params: { id: bens.id } })
  expect(cancelled.data).toMatchObject({ id: bens.id, body: 'It arrives today.' })
  await expect(as.ada(scheduledMessages.remove, { params: { id: bens.id } })).rejects.toMatchObject({ status: 404 })
})

test('a sent reply can be taken back for the chosen seconds; until then only its author knows of it', async ({
  as,
  start,
  schedule,
  listed,
  bodies,
}) => {
  const { conversation_id } = await start()
  const undone = await schedule(conversation_id, { body: 'Wrong window', undo_seconds: 30 })
  expect(undone).toMatchObject({ is_undo: true, if_answered: 'send' })
  expect(await listed(conversation_id, as.ben)).toMatchObject([{ id: undone.id }])
  expect(await listed(conversation_id, as.ada)).toEqual([])
  await expect(as.ada(scheduledMessages.remove, { params: { id: undone.id } })).rejects.toMatchObject({ status: 404 })
  const { data } = await as.ben(scheduledMessages.remove, { params: { id: undone.id } })
  expect(data.body).toBe('Wrong window')

  const sent = await schedule(conversation_id, { body: 'On its way.', undo_seconds: 1 })
  await expect.poll(() => bodies(conversation_id), { timeout: 20_000 }).toEqual(['Where is my lamp?', 'On its way.'])
  await expect(as.ben(scheduledMessages.remove, { params: { id: sent.id } })).rejects.toMatchObject({ status: 404 })
})

test('a call that is repeated because its answer was lost schedules nothing twice, not even after it was sent', async ({
  as,
  start,
  schedule,
  letTimePass,
  listed,
  bodies,
}) => {
  const { conversation_id } = await start()
  const id = randomUUID()
  const first = await schedule(conversation_id, { id, closes: true })
  expect(await schedule(conversation_id, { id, closes: true, send_at: first.send_at })).toEqual(first)
  const refusal = await refusalOf(schedule(conversation_id, { id }, as.ada))
  expect(refusal.errors).toEqual({ id: ['has already been taken'] })
  await letTimePass(id)
  await as.ada(conversations.update, { params: { id: conversation_id }, body: { conversation: { status: 'open' } } })
  await schedule(conversation_id, { id, closes: true })
  await letTimePass(id)
  expect(await bodies(conversation_id)).toEqual(['Where is my lamp?', 'It arrives today.'])
  expect(await listed(conversation_id)).toEqual([])
  expect((await as.ada(conversations.get, { params: { id: conversation_id } })).data.status).toBe('open')
})

test('a follow-up begins once the message was sent, and comes back to its author as unanswered', async ({
  as,
  start,
  schedule,
  letTimePass,
  world,
}) => {
  const { conversation_id: id, visitor } = await start()
  const scheduled = await schedule(id, { remind_minutes: 3 * 24 * 60 })
  await letTimePass(scheduled.id)
  const { data } = await as.ada(conversations.get, { params: { id } })
  expect(Date.parse(data.snoozed_until!) - Date.now()).toBeGreaterThan(71 * HOUR)
  expect(data).toMatchObject({
    follow_up: { user_id: world.ben.id, since: data.snoozed_at },
    assignee_id: world.ben.id,
  })
  const answer = { conversation_id: id, body: 'It has arrived, thank you.' }
  await as.holder(visitor.token)(messages.create, { body: { message: answer } })
  const answered = await as.ada(conversations.get, { params: { id } })
  expect(answered.data).toMatchObject({ snoozed_at: null, follow_up: null })
})

test('it closes the conversation if that was chosen, and one that was closed meanwhile stays closed', async ({
  as,
  start,
  schedule,
  letTimePass,
}) => {
  const status = async (id: string) => (await as.ada(conversations.get, { params: { id } })).data.status
  const [one, other] = [await start(), await start()]
  const closing = await schedule(one.conversation_id, { closes: true })
  const reminding = await schedule(other.conversation_id, { remind_minutes: 60 })
  await as.ada(conversations.update, {
    params: { id: other.conversation_id },
    body: { conversation: { status: 'closed' } },
  })
  for (const { id } of [closing, reminding]) await letTimePass(id)
  expect([await status(one.conversation_id), await status(other.conversation_id)]).toEqual(['closed', 'closed'])
})

test('what would be refused as a message is refused when it is scheduled, and so is a useless time', async ({
  as,
  start,
  schedule,
}) => {
  const { conversation_id, visitor } = await start()
  const refused = async (draft: Partial<Draft>) => (await refusalOf(schedule(conversation_id, draft))).errors
  expect(await refused({ body: ' ' })).toEqual({ body: ["can't be blank"] })
  expect(await refused({ file_ids: [randomUUID()] })).toEqual({ file_ids: ['does not exist'] })
  expect(await refused({ send_at: inHours(-1) })).toEqual({ send_at: ['must be in the future'] })
  expect(await refused({ send_at: inHours(24 * 367) })).toEqual({ send_at: ['must be within 366 days'] })
  expect(await refused({ undo_seconds: 5, send_at: inHours(1) })).toHaveProperty('send_at')
  expect(await refused({ undo_seconds: 31 })).toBeDefined()
  expect((await refusalOf(schedule(randomUUID()))).errors).toEqual({ conversation_id: ['does not exist'] })
  await expect(schedule(conversation_id, { mail: { to: ['a@b.test'] } })).rejects.toThrow(/Only replies by email/)
  const again = { conversation_id, body: 'And my table?' }
  await as.holder(visitor.token)(messages.create, { body: { message: again } })
  const outdated = await refusalOf(schedule(conversation_id, { last_seen_number: 1 }))
  expect(outdated).toMatchObject({ status: 409, reason: 'outdated_view' })
  await as.ada(conversations.archive, { params: { id: conversation_id } })
  await expect(schedule(conversation_id)).rejects.toThrow('This conversation was deleted. Restore it first.')
})

test('a conversation can have twenty scheduled messages', async ({ start, schedule }) => {
  const { conversation_id } = await start()
  for (let i = 0; i < 20; i++) await schedule(conversation_id)
  await expect(schedule(conversation_id)).rejects.toThrow(/can have 20 scheduled messages/)
})

test('its files stay until it is sent, and for a day after it was cancelled', async ({
  as,
  start,
  schedule,
  letTimePass,
  server,
  world,
}) => {
  const { conversation_id } = await start()
  const upload = async () => {
    const form = new FormData()
    form.append('file', new Blob(['lamp']), 'lamp.txt')
    const headers = { authorization: world.ben.token }
    const answer = await fetch(`${server.url}/api/upload`, { method: 'POST', headers, body: form })
    return (await answer.json()).data.id as string
  }
  const [sent_file, kept_file] = [await upload(), await upload()]
  const sent = await schedule(conversation_id, { body: '', file_ids: [sent_file] })
  const cancelled = await schedule(conversation_id, { file_ids: [kept_file] })
  await server.context.db
    .updateTable('files')
    .set({ created_at: '2026-01-01T00:00:00Z' })
    .where('id', 'in', [sent_file, kept_file])
    .execute()
  await destroyUnusedFiles(server.context)
  const { data } = await as.ben(scheduledMessages.remove, { params: { id: cancelled.id } })
  expect(data.files).toMatchObject([{ id: kept_file, filename: 'lamp.txt', size: 4 }])
  await destroyUnusedFiles(server.context)
  await schedule(conversation_id, { file_ids: [kept_file] })
  await letTimePass(sent.id)
  expect((await as.ada(messages.get, { params: { id: sent.id } })).data.attachments).toMatchObject([{ id: sent_file }])
})

test('a customer’s export contains what is not sent yet, and erasing the customer erases it', async ({
  as,
  start,
  schedule,
  server,
}) => {
  const { conversation_id, visitor } = await start()
  const { id } = await schedule(conversation_id)
  const params = { id: visitor.customer_id }
  const exported = JSON.stringify(await as.ada(erasure.export, { params }))
  expect(exported).toContain('It arrives today.')
  await as.ada(erasure.erase, { params })
  const rows = await server.context.db.selectFrom('scheduled_messages').select('id').where('id', '=', id).execute()
  expect(rows).toEqual([])
})
