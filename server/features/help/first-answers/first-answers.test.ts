import { accounts } from '#contract/accounts/accounts.ts'
import { availability } from '#contract/accounts/availability.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { firstAnswers } from '#contract/help/first-answers.ts'
import { type FirstAnswers, inboxes } from '#contract/widget/inboxes.ts'
import type { WorkingHours } from '#contract/widget/working-hours.ts'
import { HANDED_OVER, test } from '#tests/support/first-answers.ts'
import { expect, statusOf } from '#tests/support/fixture.ts'
import { answerMessage, handOverLate } from './answering.ts'
import { sweepLate } from './sweeping.ts'

test('without a model the assistant names the best articles as links, and hands over', async ({
  ask,
  ended,
  written,
}) => {
  const { conversation_id } = await ask('How do I send a lamp back?')
  const { read, status, first_replied_at, assignee_id } = await ended(conversation_id, 'handed_over')
  expect({ read, status, first_replied_at, assignee_id }).toEqual({
    read: false,
    status: 'open',
    first_replied_at: null,
    assignee_id: null,
  })
  const [answer, note] = await written(conversation_id)
  expect(answer).toMatchObject({ type: 'bot', private: false, user: null, user_id: null })
  expect(answer!.body).toContain('[Returning a lamp](http')
  expect(answer!.body).toContain(HANDED_OVER)
  expect(answer!.template?.buttons?.map(({ text }) => text)).toEqual(['That helped'])
  expect(note).toMatchObject({ private: true, type: 'bot' })
  expect(note!.body).toContain('> How do I send a lamp back?')
  expect(note!.body).toContain('- Returning a lamp')
})

test('the assistant answers nothing where it is switched off', async ({ ask, conversation, written, server }) => {
  const { conversation_id, message_id } = await ask('How do I send a lamp back?', false)
  await answerMessage.run(server.context, { account_id: (await conversation(conversation_id)).account_id, message_id })
  expect(await conversation(conversation_id)).toMatchObject({ assistant: null, read: false })
  expect(await written(conversation_id)).toEqual([])
})

test('of a question that no article answers the assistant says that it does not know, and hands over', async ({
  ask,
  ended,
  written,
}) => {
  const { conversation_id } = await ask('Xylophone quartz?')
  await ended(conversation_id, 'handed_over')
  const [answer] = await written(conversation_id)
  expect(answer!.body).toBe(`I do not know the answer to that. ${HANDED_OVER}`)
  expect(answer!.template).toBe(null)
})

test.for([
  ['asked_for_person', 'I want a person'],
  ['asked_for_person', 'Kann ich bitte mit einem Mitarbeiter sprechen?'],
  ['angry', 'WHERE IS MY LAMP YOU PEOPLE'],
] as const)('the assistant hands over at once (%s): %s', async ([reason, question], { ask, ended, written, as }) => {
  const { conversation_id, message_id } = await ask(question)
  await ended(conversation_id, 'handed_over')
  expect((await written(conversation_id))[0]!.body).toBe(HANDED_OVER)
  const { data } = await as.ben(firstAnswers.list)
  expect(data.find(({ id }) => id === message_id)).toMatchObject({
    reason,
    kind: 'handed_over',
    question,
    articles: [],
  })
})

test('“That helped” closes the conversation; if its customer writes again, a person answers', async ({
  ask,
  ended,
  write,
  conversation,
  as,
}) => {
  const { visitor, conversation_id, message_id } = await ask('How do I send a lamp back?')
  await ended(conversation_id, 'handed_over')
  await write(visitor, conversation_id, 'That helped')
  expect(await ended(conversation_id, 'helped')).toMatchObject({ status: 'closed', read: true, closed_by_id: null })
  const outcome = async () => (await as.ben(firstAnswers.list)).data.find(({ id }) => id === message_id)?.outcome
  expect(await outcome()).toBe('helped')
  await write(visitor, conversation_id, 'It does not fit into its box.')
  expect(await conversation(conversation_id)).toMatchObject({ status: 'open', read: false, assistant: 'reopened' })
  expect(await outcome()).toBe('reopened')
})

test('nobody of the team is rung while the assistant holds a chat, and a person who replies ends that for good', async ({
  begin,
  as,
  conversation,
  write,
  written,
  server,
}) => {
  const { visitor, conversation_id } = await begin()
  expect(await conversation(conversation_id)).toMatchObject({ assistant: 'answering', read: true })
  await as.ben(messages.create, { body: { message: { conversation_id, body: 'I am Ben.' } } })
  expect(await conversation(conversation_id)).toMatchObject({ assistant: 'handed_over', read: true })
  const message_id = await write(visitor, conversation_id, 'How do I send a lamp back?')
  const { account_id, read } = await conversation(conversation_id)
  expect(read).toBe(false)
  await answerMessage.run(server.context, { account_id, message_id })
  expect(await written(conversation_id)).toEqual([])
})

test('whoever is given the chat by hand has taken it from the assistant', async ({
  begin,
  as,
  conversation,
  world,
}) => {
  const { conversation_id: id } = await begin()
  await as.ada(conversations.update, { params: { id }, body: { conversation: { assignee_id: world.ben.id } } })
  expect(await conversation(id)).toMatchObject({ assistant: 'handed_over', assignee_id: world.ben.id })
})

test('a message is answered once, however often and at the same time its job runs', async ({
  ask,
  ended,
  written,
  server,
  world,
}) => {
  const { conversation_id, message_id } = await ask('How do I send a lamp back?')
  const job = { account_id: world.acme.id, message_id }
  await Promise.all(Array.from({ length: 5 }, () => answerMessage.run(server.context, job)))
  await ended(conversation_id, 'handed_over')
  await answerMessage.run(server.context, job)
  await handOverLate(server.context, world.acme.id, message_id)
  expect((await written(conversation_id)).filter((message) => !message.private)).toHaveLength(1)
})

test('what no job has answered in time is handed over by the schedule', async ({ ask, ended, written, server }) => {
  const { conversation_id, message_id } = await ask('How do I send a lamp back?')
  await ended(conversation_id, 'handed_over')
  const { db } = server.context
  await db.deleteFrom('first_answers').where('message_id', '=', message_id).execute()
  await db.deleteFrom('messages').where('conversation_id', '=', conversation_id).where('type', '=', 'bot').execute()
  const last_activity_at = new Date(Date.now() - 600_000).toISOString()
  const held = { assistant: 'answering' as const, read: true, last_activity_at }
  await db.updateTable('conversations').set(held).where('id', '=', conversation_id).execute()
  await sweepLate(server.context)
  expect(await ended(conversation_id, 'handed_over')).toMatchObject({ read: false })
  expect((await written(conversation_id))[0]!.body).toBe(HANDED_OVER)
})

test('trying a question out shows the answer and its articles, and stores nothing', async ({ as, ask, articleIds }) => {
  await ask('Hello?', false)
  const before = (await as.ada(firstAnswers.figures)).data
  const { data } = await as.ada(firstAnswers.tryOut, { body: { question: 'Sending a lamp back' } })
  expect(data).toMatchObject({ kind: 'handed_over', reason: 'no_model', articles: [{ id: articleIds[0] }] })
  expect((await as.ada(firstAnswers.figures)).data).toEqual(before)
  const refused = as.ben(firstAnswers.tryOut, { body: { question: 'Sending a lamp back' } })
  expect(await statusOf(refused)).toBe(401)
})

test('the assistant begins outside working hours, or when nobody is there, as the inbox says', async ({
  as,
  begin,
  conversation,
  openSocket,
  server,
  setFirstAnswers,
  world,
}) => {
  const beginsWhen = async (first_answers: FirstAnswers) => {
    const { conversation_id } = await begin(first_answers)
    return (await conversation(conversation_id)).assistant === 'answering'
  }
  const isNow = (working_hours: WorkingHours[]) =>
    as.ada(inboxes.update, { params: { id: world.website.id }, body: { inbox: { working_hours } } })
  await as.ada(accounts.update, { body: { account: { time_zone: 'Europe/Vienna' } } })
  await isNow([{ day: 'everyday', start_minute: 0, end_minute: 1439 }])
  expect(await beginsWhen('outside_working_hours')).toBe(false)
  await isNow([])
  expect(await beginsWhen('outside_working_hours')).toBe(true)
  const { db } = server.context
  await db.updateTable('user_availability').set({ last_present_at: null }).where('user_id', '=', world.ben.id).execute()
  expect(await beginsWhen('nobody_there')).toBe(true)
  const socket = await openSocket({ token: world.ben.token }).join(`notification:${world.acme.id}`)
  await socket.push('present', {})
  expect(await beginsWhen('nobody_there')).toBe(false)
  await as.ben(availability.update, { body: { availability: { away: true } } })
  expect(await beginsWhen('nobody_there')).toBe(true)
  await as.ben(availability.update, { body: { availability: { away: false } } })
  await setFirstAnswers('never')
})
