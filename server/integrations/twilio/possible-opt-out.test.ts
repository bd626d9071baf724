import { vi } from 'vitest'
import { conversations } from '#contract/conversations/conversations.ts'
import { scheduledMessages } from '#contract/conversations/scheduled-messages.ts'
import { twilio as calls } from '#contract/integrations/twilio.ts'
import { sendAllDue } from '#server/features/conversations/scheduled-messages/sending.ts'
import { type Callers, expect, refusalOf } from '#tests/support/fixture.ts'
import { createRule, deleteRules, eventsOf } from '#tests/support/rules.ts'
import { answer, connect, endTwilio, sentTo, TIMEOUT, test, threadOf, write } from '#tests/support/twilio.ts'

test.afterEach(async ({ as }) => {
  await deleteRules(as)
  await endTwilio(as)
})

const MAYBE = 'Can you stop writing to me about hats?'
const REFUSED = { status: 422, reason: 'possible_opt_out' }
const SENTENCE = /may have asked for no more messages/

const since = async (as: Callers, id: string) =>
  (await as.ben(conversations.get, { params: { id } })).data.possible_opt_out_at

test('a text message to somebody who may have asked for no more of them needs a confirmation, once', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const from = '+12025550171'
  const { id } = await write(as, server, from, 'Hello')
  await answer(as, id, 'Hello to you')
  await write(as, server, from, MAYBE)
  expect(await since(as, id)).toBeTruthy()
  const refusal = await refusalOf(answer(as, id, 'Hats are on sale'))
  expect(refusal).toMatchObject({ ...REFUSED, message: expect.stringMatching(SENTENCE) })
  await refusalOf(answer(as, id, 'Not decided', { send_anyway: false }))
  await answer(as, id, 'What now?', { private: true, type: 'note', send_anyway: true })
  expect(await since(as, id)).toBeTruthy()
  await answer(as, id, 'Only about your order', { send_anyway: true })
  expect(await since(as, id)).toBe(null)
  await answer(as, id, 'It comes today')
  const sent = ['Hello to you', 'Only about your order', 'It comes today']
  await vi.waitFor(async () => expect(await sentTo(from)).toEqual(sent), TIMEOUT)
})

test('what the customer says next ends the doubt: START allows messages, STOP ends them', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const from = '+12025550172'
  const { id } = await write(as, server, from, MAYBE)
  await write(as, server, from, 'Did you read that?')
  await refusalOf(answer(as, id, 'Yes'))
  await write(as, server, from, 'START')
  await vi.waitFor(async () => expect(await since(as, id)).toBe(null), TIMEOUT)
  expect((await threadOf(as, id)).at(-1)?.body).toContain('accepts text messages again')
  await answer(as, id, 'Welcome back')
  await vi.waitFor(async () => expect(await sentTo(from)).toEqual(['Welcome back']), TIMEOUT)
  await write(as, server, from, MAYBE)
  await write(as, server, from, 'STOP')
  await vi.waitFor(async () => expect(await since(as, id)).toBe(null), TIMEOUT)
  await answer(as, id, 'Wait!')
  await vi.waitFor(async () => expect((await threadOf(as, id)).at(-1)?.body).toBe('Wait!'), TIMEOUT)
  expect(await sentTo(from)).toEqual(['Welcome back'])
})

test('rules do not answer somebody who may have asked for no more messages, and scheduled replies are held back', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const from = '+12025550173'
  const { id } = await write(as, server, from, 'Hello')
  const draft = { conversation_id: id, body: 'In a moment', undo_seconds: 30 }
  const { data: later } = await as.ben(scheduledMessages.create, { body: { scheduled_message: draft } })
  // Only to that message: rules read the log a moment later, perhaps with the first message still in it.
  const aboutHats = { field: 'text' as const, operator: 'contains' as const, values: ['hats'] }
  await createRule(as, { conditions: [[aboutHats]], actions: [{ action: 'answer', body: 'We are on it.' }] })
  await write(as, server, from, MAYBE)
  const effects = async () => (await eventsOf(as, id)).flatMap(({ runs }) => runs)[0]?.effects
  await expect
    .poll(effects, TIMEOUT)
    .toMatchObject([{ outcome: 'held_back', reason: 'The customer may have asked for no more messages.' }])
  await server.context.db
    .updateTable('scheduled_messages')
    .set({ send_at: new Date(Date.now() - 1000).toISOString() })
    .where('id', '=', later.id)
    .execute()
  await sendAllDue(server.context)
  const held = async () =>
    (await as.ben(scheduledMessages.list, { query: { conversation_id: id } })).data.find(
      (scheduled) => scheduled.id === later.id,
    )
  expect(await held()).toMatchObject({ held_reason: 'possible_opt_out' })
  const send = (query: object) => as.ben(scheduledMessages.send, { params: { id: later.id }, query })
  expect(await refusalOf(send({}))).toMatchObject({ ...REFUSED, message: expect.stringMatching(SENTENCE) })
  await send({ send_anyway: 'true' })
  await vi.waitFor(async () => expect(await sentTo(from)).toEqual(['In a moment']), TIMEOUT)
})

test('a reply that is scheduled, or can be taken back, is confirmed when it is written', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const from = '+12025550174'
  const { id } = await write(as, server, from, MAYBE)
  const schedule = (more: object) =>
    as.ben(scheduledMessages.create, {
      body: { scheduled_message: { conversation_id: id, body: 'Sorry', undo_seconds: 0, ...more } },
    })
  expect(await refusalOf(schedule({}))).toMatchObject(REFUSED)
  const suggestion = { conversation_id: id, body: 'Shall I?', last_seen_number: 99 }
  const { data: suggested } = await as.ben(scheduledMessages.suggest, { body: { suggestion } })
  expect(await refusalOf(as.ben(scheduledMessages.send, { params: { id: suggested.id }, query: {} }))).toMatchObject(
    REFUSED,
  )
  await schedule({ send_anyway: true })
  expect(await since(as, id)).toBe(null)
  await vi.waitFor(async () => expect(await sentTo(from)).toEqual(['Sorry']), TIMEOUT)
})

test('a text message outside of conversations is refused, too, until it is confirmed', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const to = '+12025550175'
  await write(as, server, to, MAYBE)
  const send = (more: object) => as.ben(calls.send, { body: { to, body: 'Hats!', ...more } })
  expect(await refusalOf(send({}))).toMatchObject({ ...REFUSED, message: expect.stringMatching(SENTENCE) })
  expect(await sentTo(to)).toEqual([])
  await send({ send_anyway: true })
  expect(await sentTo(to)).toEqual(['Hats!'])
})
