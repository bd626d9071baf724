import { sql } from 'kysely'
import { vi } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { twilio as calls } from '#contract/integrations/twilio.ts'
import { pollAll } from '#server/features/connections/authorizations/polling.ts'
import { NUMBER, SECOND_NUMBER } from '#tests/emulators/twilio.ts'
import { expect } from '#tests/support/fixture.ts'
import type { TestServer } from '#tests/support/server.ts'
import {
  answer,
  connect,
  DETAILS,
  deliveriesOf,
  endTwilio,
  listSms,
  sendForm,
  sentTo,
  TIMEOUT,
  test,
  threadOf,
  twilio,
  write,
} from '#tests/support/twilio.ts'

test.afterEach(async ({ as }) => {
  await endTwilio(as)
  for (const { id } of (await as.olga(integrations.list)).data) {
    await as.olga(integrations.remove, { params: { id }, query: { discard: 'true' } })
  }
})

test('messages between two numbers of an account are not from customers', async ({ as, server, world }) => {
  await connect(as, world)
  await connect(as, world, { inbox_id: world.website.id, from_phone_number: SECOND_NUMBER })
  const form = await twilio.receive(SECOND_NUMBER, { body: 'From ourselves', to: NUMBER })
  for (const _ of [1, 2]) expect((await sendForm(server, form)).status).toBe(204)
  await pollBoth(server)
  await vi.waitFor(async () => {
    const { data } = await as.ada(integrations.inboundEvents, {})
    expect(data).toMatchObject([{ state: 'ignored', reason: 'It came from a connected number.' }])
  }, TIMEOUT)
  expect(await listSms(as, SECOND_NUMBER)).toEqual([])
})

/** Polls both connections until there is nothing left. */
async function pollBoth({ context }: TestServer): Promise<void> {
  const begun = new Date().toISOString()
  await pollAll(context)
  await vi.waitFor(async () => {
    const read = await context.db
      .selectFrom('authorizations')
      .select('id')
      .where('integration', '=', 'twilio')
      .where('removed_at', 'is', null)
      .where(sql<boolean>`cursor ->> 'synced_at' >= ${begun}`)
      .execute()
    expect(read).toHaveLength(2)
  }, TIMEOUT)
}

test('two accounts that write to each other from their numbers have each message once, and nothing is echoed', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const authorization = { ...DETAILS, from_phone_number: SECOND_NUMBER }
  expect((await as.olga(calls.connect, { body: { authorization } })).data).toMatchObject({ ok: true })
  const ours = await write(as, server, SECOND_NUMBER, 'Do you sell desks?')
  await answer(as, ours.id, 'We do')
  await vi.waitFor(async () => expect(await deliveriesOf(as, ours.id)).toMatchObject([{ state: 'sent' }]), TIMEOUT)
  const form = await twilio.receive(NUMBER, { body: 'We do', to: SECOND_NUMBER })
  for (const _ of [1, 2]) expect((await sendForm(server, form)).status).toBe(204)
  const theirs = await vi.waitFor(async () => {
    const { data } = await as.olga(conversations.list, { query: { limit: 100 } as never })
    const conversation = data.find(({ source, customer }) => source === 'sms' && customer.phone === NUMBER)
    expect(conversation).toBeDefined()
    return conversation!
  }, TIMEOUT)
  // Polling both numbers: each also lists what the other has sent.
  await pollBoth(server)
  await write(as, server, SECOND_NUMBER, 'Good')
  expect((await threadOf(as, ours.id)).map(({ body }) => body)).toEqual(['Do you sell desks?', 'We do', 'Good'])
  const { data } = await as.olga(messages.list, { query: { conversation_id: theirs.id } as never })
  expect(data.map(({ body }) => body)).toEqual(['We do'])
  expect([await sentTo(SECOND_NUMBER), await sentTo(NUMBER)]).toEqual([['We do'], []])
})
