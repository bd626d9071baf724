import { vi } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { merging } from '#contract/conversations/merging.ts'
import { telegram as calls } from '#contract/integrations/telegram.ts'
import { BOT_TOKEN } from '#tests/emulators/telegram.ts'
import { expect, refusalOf } from '#tests/support/fixture.ts'
import {
  answer,
  connect,
  deliveriesOf,
  endTelegram,
  health,
  listOf,
  newPerson,
  sentTo,
  TIMEOUT,
  telegram,
  test,
  waitForThread,
} from '#tests/support/telegram.ts'

test.afterEach(({ as }) => endTelegram(as))

test('a bot is connected once Telegram has accepted its token, which is then masked and may be sent back', async ({
  as,
  world,
}) => {
  const wrong = { token: `${BOT_TOKEN.slice(0, -4)}9999`, inbox_id: world.billing.id }
  for (const token of ['nonsense', wrong.token]) {
    const refusal = await refusalOf(as.ada(calls.connect, { body: { connection: { ...wrong, token } } }))
    expect(JSON.stringify(refusal.body)).toMatch(/@BotFather/)
  }
  await connect(as, world)
  expect((await health(as)).state).toBe('waiting')
  const { data } = await as.ben(calls.get, { query: { inbox_id: world.billing.id } })
  expect(data).toMatchObject({ bot_name: 'Acme support', bot_username: 'acme_support_bot' })
  expect(data!.token).not.toContain('token_of_the_bot')
  await connect(as, world, { token: data!.token })
  const nina = newPerson('Nina')
  telegram.say(nina, 'Are you there?')
  await vi.waitFor(async () => expect((await health(as)).state).toBe('connected'), TIMEOUT)
})

test('signs that no database stores hold up neither their message nor the next ones', async ({ as, world }) => {
  await connect(as, world)
  const nina = newPerson('Nina')
  const typed = String.raw`Is it \u0000 or \\u0000, or \ud83d?`
  telegram.say(nina, typed)
  telegram.say(nina, 'A nul\u0000 and half a \ud83d')
  telegram.say(nina, 'Still there')
  const { thread } = await waitForThread(as, nina, 3)
  expect(thread.map(({ body }) => body)).toEqual([typed, 'A nul and half a \ufffd', 'Still there'])
})

test('another program that receives the messages is named first, and loses them only when an admin agrees', async ({
  as,
  world,
}) => {
  telegram.webhook = 'https://old-desk.example/hooks/1?secret=1'
  const connection = { token: BOT_TOKEN, inbox_id: world.billing.id }
  const { data } = await as.ada(calls.connect, { body: { connection } })
  expect(data).toEqual({ ok: false, webhook_host: 'old-desk.example' })
  expect(telegram.webhook).not.toBeNull()
  expect((await as.ada(integrations.list)).data).toEqual([])
  await connect(as, world, { removes_webhook: true })
  expect(telegram.webhook).toBeNull()
})

test('a message becomes a conversation, a reply is sent, and further messages stay in the conversation', async ({
  as,
  world,
}) => {
  await connect(as, world)
  const person = newPerson('Olivia', { last_name: 'Ng', username: 'olivia' })
  telegram.say(person, 'Do you sell desks?')
  const { conversation, thread } = await waitForThread(as, person)
  expect(conversation).toMatchObject({ inbox_id: world.billing.id, customer: { name: 'Olivia Ng' } })
  expect(thread).toMatchObject([{ body: 'Do you sell desks?', source: 'telegram' }])
  await answer(as, conversation.id, 'We **do**, see https://shop.example/a_b')
  await vi.waitFor(() => expect(sentTo(person)).toHaveLength(1), TIMEOUT)
  expect(sentTo(person)[0]).toMatchObject({
    text: 'We do, see https://shop.example/a_b',
    entities: [{ type: 'bold', offset: 3, length: 2 }],
  })
  telegram.say({ ...person, first_name: 'Olivia-Ann' }, 'Good')
  await waitForThread(as, person, 3)
  expect(await listOf(as, person)).toHaveLength(1)
})

test('replies in a conversation that was split reach the customer, too', async ({ as, world }) => {
  await connect(as, world)
  const person = newPerson('Sybil')
  telegram.say(person, 'My lamp is broken')
  telegram.say(person, 'And do you sell desks?')
  const { thread } = await waitForThread(as, person, 2)
  const message_id = thread[1]!.id
  const { data } = await as.ben(merging.split, { params: { id: message_id }, body: { range: 'one' } })
  await answer(as, data.id, 'We do')
  await vi.waitFor(() => expect(sentTo(person).map(({ text }) => text)).toEqual(['We do']), TIMEOUT)
})

test('two people of one name are two customers', async ({ as, world }) => {
  await connect(as, world)
  const [first, second] = [newPerson('Twin'), newPerson('Twin')]
  telegram.say(first, 'I am the first')
  telegram.say(second, 'I am the second')
  await vi.waitFor(async () => expect(await listOf(as, first)).toHaveLength(2), TIMEOUT)
  const customers = new Set((await listOf(as, first)).map(({ customer }) => customer.id))
  expect(customers.size).toBe(2)
})

test('notes and the customer’s own messages stay here, and Start alone begins a conversation', async ({
  as,
  world,
}) => {
  await connect(as, world)
  const person = newPerson('Petra')
  telegram.start(person)
  const { conversation, thread } = await waitForThread(as, person)
  expect(thread[0]!.body).toBe('/start')
  await answer(as, conversation.id, 'For us only', { private: true, type: 'note' })
  await answer(as, conversation.id, 'Hello!')
  await vi.waitFor(() => expect(sentTo(person).map(({ text }) => text)).toEqual(['Hello!']), TIMEOUT)
  await vi.waitFor(
    async () => expect(await deliveriesOf(as, conversation.id)).toMatchObject([{ state: 'sent' }]),
    TIMEOUT,
  )
})

test('a long reply is sent in parts, in order, each once', async ({ as, world }) => {
  await connect(as, world)
  const person = newPerson('Quentin')
  telegram.say(person, 'Tell me everything')
  const { conversation } = await waitForThread(as, person)
  const longText = Array.from({ length: 2_000 }, (_, at) => `word${at}`).join(' ')
  await answer(as, conversation.id, longText)
  await vi.waitFor(
    () =>
      expect(
        sentTo(person)
          .map(({ text }) => text)
          .join(' '),
      ).toBe(longText),
    TIMEOUT,
  )
  expect(sentTo(person).length).toBeGreaterThan(3)
})

test('in a group the bot says once that it answers in private, and leaves', async ({ as, world }) => {
  await connect(as, world)
  const person = newPerson('Rita')
  const chat = { id: -1_001_234, type: 'supergroup', title: 'Everybody' }
  for (const text of ['Hello bot', 'Are you there?'])
    telegram.update({ message: { message_id: 1, from: person, chat, date: 1, text } })
  await vi.waitFor(() => expect(telegram.leftGroups).toContain(String(chat.id)), TIMEOUT)
  telegram.say(person, 'Then here')
  await waitForThread(as, person)
  expect(telegram.groups.filter(({ chat_id }) => chat_id === String(chat.id))).toHaveLength(1)
  expect(await listOf(as, person)).toHaveLength(1)
})

test('an answer of Telegram that is lost comes again, and is stored once', async ({ as, world }) => {
  await connect(as, world)
  const person = newPerson('Sven')
  for (const _ of [1, 2]) telegram.lose(`POST /bot${BOT_TOKEN}/getUpdates`)
  telegram.say(person, 'First')
  telegram.say(person, 'Second')
  const { thread } = await waitForThread(as, person, 2)
  expect(thread.map(({ body }) => body)).toEqual(['First', 'Second'])
  await vi.waitFor(() => expect(telegram.pending()).toBe(0), TIMEOUT)
})
