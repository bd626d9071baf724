import { vi } from 'vitest'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { customers } from '#contract/customers/customers.ts'
import { telegram as calls } from '#contract/integrations/telegram.ts'
import { type Callers, expect, refusalOf, statusOf } from '#tests/support/fixture.ts'
import {
  connect,
  endTelegram,
  newPerson,
  TIMEOUT,
  telegram,
  test,
  threadOf,
  waitForThread,
} from '#tests/support/telegram.ts'
import type { World } from '#tests/support/world.ts'

test.afterEach(({ as }) => endTelegram(as))

/** A customer of the website with a conversation, and the token of a link for them. */
async function invite(as: Callers, { billing }: World, name: string) {
  const { data: customer } = await as.ada(customers.create, {
    body: { customer: { name, email: `${name}@shop.test` } },
  })
  const conversation = { customer_id: customer.id, inbox_id: billing.id }
  const { data } = await as.ben(conversations.create, { body: { conversation } })
  const { data: invitation } = await as.ben(calls.invite, { params: { conversation_id: data.id } })
  const url = new URL(invitation.url)
  expect(url.origin + url.pathname).toBe('https://t.me/acme_support_bot')
  return { customer, conversation_id: data.id, token: url.searchParams.get('start')! }
}

/** The Telegram conversation of a customer. */
const conversationOf = (as: Callers, customer_id: string) =>
  vi.waitFor(async () => {
    const { data } = await as.ben(conversations.list, { query: { limit: 100 } as never })
    const conversation = data.find(({ source, customer }) => source === 'telegram' && customer.id === customer_id)
    expect(conversation).toBeDefined()
    return conversation!
  }, TIMEOUT)

test('who opens the link of an invitation is that customer, once; the token is stored as a hash', async ({
  as,
  world,
  server,
}) => {
  await connect(as, world)
  const { customer, conversation_id, token } = await invite(as, world, 'lina')
  const stored = await server.context.db.selectFrom('telegram_invitations').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(token)
  const person = newPerson('Linnet')
  telegram.start(person, token)
  const continued = await conversationOf(as, customer.id)
  expect((await threadOf(as, continued.id)).map(({ body }) => body)).toEqual(['/start'])
  expect((await threadOf(as, conversation_id)).at(-1)).toMatchObject({
    private: true,
    body: 'The customer continues in Telegram.',
  })
  const thief = newPerson('Thief')
  telegram.start(thief, token)
  const { conversation, thread } = await waitForThread(as, thief)
  expect(conversation.customer.id).not.toBe(customer.id)
  expect(thread.map(({ body }) => body)).toEqual(['/start'])
})

test('what somebody has written in Telegram before belongs to the customer, too', async ({ as, world }) => {
  await connect(as, world)
  const person = newPerson('Mona')
  telegram.say(person, 'It is me from the website')
  const { conversation } = await waitForThread(as, person)
  const { customer, token } = await invite(as, world, 'mona')
  telegram.start(person, token)
  await vi.waitFor(async () => {
    const { data } = await as.ben(messages.list, { query: { conversation_id: conversation.id } as never })
    expect(data.map(({ customer_id }) => customer_id)).toContain(customer.id)
  }, TIMEOUT)
  expect((await conversationOf(as, customer.id)).id).toBe(conversation.id)
})

test('a person whom the team knows as another customer stays who they are, and the team is told', async ({
  as,
  world,
}) => {
  await connect(as, world)
  const first = await invite(as, world, 'nora')
  const second = await invite(as, world, 'otto')
  const person = newPerson('Nora')
  telegram.start(person, first.token)
  await conversationOf(as, first.customer.id)
  telegram.start(person, second.token)
  await vi.waitFor(async () => {
    const last = (await threadOf(as, second.conversation_id)).at(-1)
    expect(last?.body).toMatch(/another customer/)
  }, TIMEOUT)
})

test('an invitation expires after an hour, and needs a bot', async ({ as, world, server }) => {
  await connect(as, world)
  const { customer, conversation_id, token } = await invite(as, world, 'pia')
  const past = new Date(Date.now() - 1_000).toISOString()
  await server.context.db.updateTable('telegram_invitations').set({ expires_at: past }).execute()
  const person = newPerson('Pia')
  telegram.start(person, token)
  const { conversation } = await waitForThread(as, person)
  expect(conversation.customer.id).not.toBe(customer.id)
  await endTelegram(as)
  const refusal = await refusalOf(as.ben(calls.invite, { params: { conversation_id } }))
  expect(JSON.stringify(refusal.body)).toMatch(/Connect a Telegram bot/)
  expect(await statusOf(as.olga(calls.invite, { params: { conversation_id } }))).toBe(404)
})
