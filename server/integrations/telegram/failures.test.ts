import { vi } from 'vitest'
import { deliveries } from '#contract/connections/deliveries.ts'
import { integrations } from '#contract/connections/integrations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { BOT_ID, BOT_TOKEN, refused } from '#tests/emulators/telegram.ts'
import { type Callers, expect } from '#tests/support/fixture.ts'
import {
  answer,
  connect,
  deliveriesOf,
  endTelegram,
  health,
  newPerson,
  sentTo,
  TIMEOUT,
  telegram,
  test,
  waitForThread,
} from '#tests/support/telegram.ts'
import { toJson } from '../../platform/db/to-json.ts'

test.beforeEach(async ({ as, world }) => void (await connect(as, world)))
test.afterEach(({ as }) => endTelegram(as))

const SEND = `POST /bot${BOT_TOKEN}/sendMessage`

/** A person who has written, with their conversation. */
async function begin(as: Callers, name: string) {
  const person = newPerson(name)
  telegram.say(person, 'Hello')
  const { conversation } = await waitForThread(as, person)
  return { person, conversation_id: conversation.id }
}

const stateOf = (as: Callers, conversation_id: string, state: string) =>
  vi.waitFor(async () => {
    const [newest] = await deliveriesOf(as, conversation_id)
    expect(newest).toMatchObject({ state })
    return newest!
  }, TIMEOUT)

test('a reply that may have arrived is never repeated by itself; a person may send it again', async ({ as }) => {
  const { person, conversation_id } = await begin(as, 'Ina')
  telegram.lose(SEND)
  await answer(as, conversation_id, 'Did you get it?')
  const failed = await stateOf(as, conversation_id, 'failed')
  expect(failed.problem).toMatch(/may have arrived/)
  expect(sentTo(person)).toHaveLength(1)
  await as.ben(deliveries.retry, { params: { id: failed.id } })
  await stateOf(as, conversation_id, 'sent')
  expect(sentTo(person)).toHaveLength(2)
})

test('a proxy’s error leaves open whether it arrived; an error of Telegram itself does not', async ({ as }) => {
  const { person, conversation_id } = await begin(as, 'Jana')
  telegram.failAfter(SEND, { status: 502, body: '<html>Bad Gateway</html>' })
  await answer(as, conversation_id, 'First')
  await stateOf(as, conversation_id, 'failed')
  telegram.fail(SEND, refused(500, 'Internal Server Error'))
  await answer(as, conversation_id, 'Second')
  await stateOf(as, conversation_id, 'sent')
  expect(sentTo(person).map(({ text }) => text)).toEqual(['First', 'Second'])
})

test('when Telegram asks for a pause all chats of the bot wait, and then each message leaves once', async ({ as }) => {
  const [karl, kora] = [await begin(as, 'Karl'), await begin(as, 'Kora')]
  telegram.fail(SEND, refused(429, 'Too Many Requests: retry after 2', { retry_after: 2 }))
  await answer(as, karl.conversation_id, 'One')
  await vi.waitFor(async () => expect((await health(as)).state).toBe('resting'), TIMEOUT)
  await answer(as, kora.conversation_id, 'Other')
  await stateOf(as, karl.conversation_id, 'sent')
  await stateOf(as, kora.conversation_id, 'sent')
  expect([...sentTo(karl.person), ...sentTo(kora.person)].map(({ text }) => text)).toEqual(['One', 'Other'])
})

test('who blocks the bot is marked by a note, replies fail with a sentence, and reach them once they are back', async ({
  as,
}) => {
  const { person, conversation_id } = await begin(as, 'Lena')
  telegram.block(person)
  await waitForThread(as, person, 2)
  await answer(as, conversation_id, 'Hello?')
  const failed = await stateOf(as, conversation_id, 'failed')
  expect(failed.problem).toMatch(/blocked the bot/)
  telegram.unblock(person)
  const { thread } = await waitForThread(as, person, 4)
  expect(thread.filter((message) => message.private).map(({ body }) => body)).toEqual([
    expect.stringContaining('has blocked the bot'),
    expect.stringContaining('has unblocked the bot'),
  ])
  await as.ben(deliveries.retry, { params: { id: failed.id } })
  await stateOf(as, conversation_id, 'sent')
})

test('a revoked token breaks the connection with a sentence, and everything waits for a new one', async ({
  as,
  world,
}) => {
  const { person, conversation_id } = await begin(as, 'Mara')
  telegram.isRevoked = true
  await vi.waitFor(async () => expect(await health(as)).toMatchObject({ state: 'broken' }), TIMEOUT)
  expect((await health(as)).problem).toMatch(/@BotFather/)
  await answer(as, conversation_id, 'Later')
  telegram.isRevoked = false
  telegram.say(person, 'Meanwhile')
  await connect(as, world)
  await stateOf(as, conversation_id, 'sent')
  const { thread } = await waitForThread(as, person, 3)
  expect(thread.map(({ body }) => body)).toEqual(['Hello', 'Later', 'Meanwhile'])
})

test('a second program with the same token is named after it has refused three times, a webhook at once', async ({
  as,
  world,
}) => {
  telegram.isPolledElsewhere = true
  await vi.waitFor(async () => expect((await health(as)).problem).toMatch(/same token/), TIMEOUT)
  telegram.isPolledElsewhere = false
  await connect(as, world)
  telegram.webhook = 'https://elsewhere.example/'
  await vi.waitFor(async () => expect((await health(as)).problem).toMatch(/another program has told/i), TIMEOUT)
})

test('a connection outlives many polls that end without anything, and one that Telegram never answers', async ({
  as,
}) => {
  const before = telegram.requestsTo(`POST /bot${BOT_TOKEN}/getUpdates`).length
  telegram.hang(`POST /bot${BOT_TOKEN}/getUpdates`)
  await vi.waitFor(
    () => expect(telegram.requestsTo(`POST /bot${BOT_TOKEN}/getUpdates`).length).toBeGreaterThan(before + 4),
    TIMEOUT,
  )
  await begin(as, 'Nils')
  await vi.waitFor(async () => expect((await health(as)).state).toBe('connected'), TIMEOUT)
})

test('after more than a day without asking, a notice says which time is missing', async ({ as, world, server }) => {
  const id = (await as.ada(integrations.list)).data[0]!.id
  await as.ada(integrations.remove, { params: { id } })
  const read_at = new Date(Date.now() - 30 * 3_600_000).toISOString()
  await server.context.db
    .updateTable('authorizations')
    .set({ cursor: toJson({ bot_id: String(BOT_ID), read_at }) })
    .where('id', '=', id)
    .execute()
  await connect(as, world)
  await vi.waitFor(async () => expect((await health(as)).notice).toMatch(/keeps messages for 24 hours/), TIMEOUT)
})

test('numbers of updates may begin anew: a smaller one after a confirmed larger one is stored', async ({ as }) => {
  const { person } = await begin(as, 'Otto')
  await vi.waitFor(() => expect(telegram.pending()).toBe(0), TIMEOUT)
  telegram.restartNumbers()
  telegram.say(person, 'A week later')
  await waitForThread(as, person, 2)
})

test('a changed reply changes in Telegram, a deleted one disappears; after two days a note says that they stay', async ({
  as,
}) => {
  const { person, conversation_id } = await begin(as, 'Paul')
  const { data: first } = await answer(as, conversation_id, 'We opne at nine')
  await stateOf(as, conversation_id, 'sent')
  await as.ben(messages.update, { params: { id: first.id }, body: { message: { body: 'We open at **nine**' } } })
  await vi.waitFor(() => expect(sentTo(person)[0]).toMatchObject({ text: 'We open at nine' }), TIMEOUT)
  telegram.editableMs = -1
  await as.ben(messages.update, { params: { id: first.id }, body: { message: { body: 'We open at ten' } } })
  const { thread } = await waitForThread(as, person, 3)
  expect(thread.at(-1)).toMatchObject({ private: true, body: expect.stringContaining('48 hours') })
  telegram.editableMs = 48 * 3_600_000
  await as.ben(messages.remove, { params: { id: first.id } })
  await vi.waitFor(() => expect(sentTo(person)).toEqual([]), TIMEOUT)
})
