import { vi } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { twilio as calls } from '#contract/integrations/twilio.ts'
import { pollAll } from '#server/features/connections/authorizations/polling.ts'
import { NUMBER, SECOND_NUMBER } from '#tests/emulators/twilio.ts'
import { type Callers, expect } from '#tests/support/fixture.ts'
import { passTime } from '#tests/support/pass-time.ts'
import type { TestServer } from '#tests/support/server.ts'
import {
  answer,
  connect,
  DETAILS,
  deliveriesOf,
  endTwilio,
  health,
  listSms,
  sendForm,
  TIMEOUT,
  test,
  threadOf,
  twilio,
} from '#tests/support/twilio.ts'

test.afterEach(async ({ as }) => {
  await endTwilio(as)
  await twilio.pool(SECOND_NUMBER, true)
})

const withService = () => ({ messaging_service_sid: twilio.service_sid })

/** Messages sent to somebody: the number they came from, and whether through the messaging service. */
const sentTo = async (number: string) =>
  (await twilio.sent())
    .filter(({ to }) => to === number)
    .map(({ body, from, messaging_service_sid }) => ({ body, from, isByService: !!messaging_service_sid }))

/** As JSON: among other things the numbers that the connections know. */
async function readCursors({ context: { db } }: TestServer): Promise<string> {
  const rows = await db.selectFrom('authorizations').select('cursor').where('integration', '=', 'twilio').execute()
  return JSON.stringify(rows)
}

const isSent = (number: string, message: object) =>
  vi.waitFor(async () => expect(await sentTo(number)).toContainEqual(message), TIMEOUT)

const messageFrom = (as: Callers, phone: string, body: string) =>
  vi.waitFor(async () => {
    const [conversation] = await listSms(as, phone)
    expect((await threadOf(as, conversation!.id)).map((message) => message.body)).toContain(body)
    return conversation!
  }, TIMEOUT)

test('a messaging service is connected once Twilio shows it with the number in its pool', async ({ as, world }) => {
  const connectWith = async (messaging_service_sid: string) => {
    const authorization = { ...DETAILS, inbox_id: world.billing.id, messaging_service_sid }
    return (await as.ada(calls.connect, { body: { authorization } })).data
  }
  for (const wrong of ['nonsense', `MG${'0'.repeat(32)}`]) {
    expect(await connectWith(wrong), wrong).toMatchObject({ ok: false, service_refusal: 'unknown' })
  }
  await twilio.pool(NUMBER, false)
  expect(await connectWith(twilio.service_sid)).toMatchObject({ ok: false, service_refusal: 'without_number' })
  await twilio.pool(NUMBER, true)
  const id = await connect(as, world, { ...withService(), sets_webhook: true })
  const read = async () => (await as.ben(calls.get, { query: { inbox_id: world.billing.id } })).data
  expect(await read()).toMatchObject({ id, from_phone_number: NUMBER, ...withService() })
  expect((await health(as)).way_in, 'Twilio is told to call for the whole service').toBe('called')
  expect((await as.ada(integrations.test, { params: { id } })).data.problem).toBeNull()
  const other = { ...DETAILS, ...withService(), from_phone_number: SECOND_NUMBER }
  expect((await as.ada(calls.connect, { body: { authorization: other } })).data).toMatchObject({
    service_refusal: 'connected_elsewhere',
  })
  await connect(as, world)
  expect(await read(), 'existing clients know of none').toMatchObject(withService())
  await connect(as, world, { messaging_service_sid: '' })
  expect(await read()).toMatchObject({ messaging_service_sid: null })
})

test('replies of a messaging service are sent from the number the customer last wrote to', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world, withService())
  const phone = '+12025550161'
  await sendForm(server, await twilio.receive(phone, { body: 'To the second', to: SECOND_NUMBER }))
  const { id } = await messageFrom(as, phone, 'To the second')
  await answer(as, id, 'From the second')
  await isSent(phone, { body: 'From the second', from: SECOND_NUMBER, isByService: true })
  await twilio.receive(phone, { body: 'To the first', to: NUMBER })
  await pollAll(server.context)
  expect((await messageFrom(as, phone, 'To the first')).id, 'one conversation').toBe(id)
  await answer(as, id, 'From the first')
  await isSent(phone, { body: 'From the first', from: NUMBER, isByService: true })
  const before = twilio.requestsTo('POST /2010').length
  await twilio.receive(phone, { body: 'To one that leaves', to: SECOND_NUMBER })
  await pollAll(server.context)
  await messageFrom(as, phone, 'To one that leaves')
  await twilio.pool(SECOND_NUMBER, false)
  await pollAll(server.context)
  await vi.waitFor(async () => expect(await readCursors(server)).not.toContain(SECOND_NUMBER), TIMEOUT)
  await answer(as, id, 'From whichever is left')
  await isSent(phone, { body: 'From whichever is left', from: NUMBER, isByService: true })
  expect(twilio.requestsTo('POST /2010')[before]!.body, 'Twilio chooses').not.toHaveProperty('From')
})

test('a first message is sent by the messaging service, which chooses the number, and failures are reported', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world, withService())
  const sent = (await as.ben(calls.send, { body: { to: '+12025550162', body: 'Out of the blue' } })).data
  await isSent('+12025550162', { body: 'Out of the blue', from: NUMBER, isByService: true })
  expect(twilio.requestsTo('POST /2010').at(-1)!.body).not.toHaveProperty('From')
  expect(sent.sid).toMatch(/^SM/)
  const phone = '+12025550163'
  await sendForm(server, await twilio.receive(phone, { body: 'Are you there?', to: SECOND_NUMBER }))
  const { id } = await messageFrom(as, phone, 'Are you there?')
  twilio.lose('POST /2010')
  await answer(as, id, 'Once only')
  await vi.waitFor(async () => expect((await deliveriesOf(as, id))[0]?.problem).toBeTruthy(), TIMEOUT)
  await passTime(server)
  await vi.waitFor(async () => expect((await deliveriesOf(as, id))[0]).toMatchObject({ state: 'sent' }), TIMEOUT)
  expect(await sentTo(phone)).toEqual([{ body: 'Once only', from: SECOND_NUMBER, isByService: true }])
  const [message] = (await twilio.sent()).filter(({ to }) => to === phone)
  await sendForm(server, await twilio.becomes(message!.sid, 'undelivered', 30005))
  await vi.waitFor(async () => expect((await deliveriesOf(as, id))[0]).toMatchObject({ state: 'failed' }), TIMEOUT)
})

test('messages to a separately connected number do not belong to the messaging service', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world, withService())
  await connect(as, world, { inbox_id: world.website.id, from_phone_number: SECOND_NUMBER })
  const phone = '+12025550164'
  await twilio.receive(phone, { body: 'For the website', to: SECOND_NUMBER })
  await pollAll(server.context)
  const { id } = await messageFrom(as, phone, 'For the website')
  await pollAll(server.context)
  expect((await as.ben(conversations.get, { params: { id } })).data).toMatchObject({ inbox_id: world.website.id })
  expect(await listSms(as, phone)).toHaveLength(1)
  const from = SECOND_NUMBER
  const echo = new URLSearchParams({ ...Object.fromEntries(await twilio.receive(from, { body: 'Echo' })) })
  expect((await sendForm(server, echo)).status).toBe(204)
  await pollAll(server.context)
  expect(await listSms(as, from), 'two numbers of our own do not answer each other').toEqual([])
})
