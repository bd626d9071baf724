import { vi } from 'vitest'
import { deliveries } from '#contract/connections/deliveries.ts'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import { twilio as calls } from '#contract/integrations/twilio.ts'
import { whatsapp } from '#contract/integrations/whatsapp.ts'
import type { Context } from '#server/context.ts'
import { pollAll } from '#server/features/connections/authorizations/polling.ts'
import { storeFile } from '#server/features/conversations/files/files.ts'
import { NUMBER, SANDBOX, SECOND_NUMBER } from '#tests/emulators/twilio.ts'
import { type Callers, expect, refusalOf } from '#tests/support/fixture.ts'
import { passTime } from '#tests/support/pass-time.ts'
import {
  answer,
  BASE_URL,
  connect,
  DETAILS,
  deliveriesOf,
  endTwilio,
  health,
  listSms,
  sendForm,
  sentTo,
  TIMEOUT,
  test,
  threadOf,
  twilio,
  WEBHOOK,
  write as writeSms,
} from '#tests/support/twilio.ts'

test.afterEach(async ({ as }) => {
  twilio.senders.clear()
  twilio.senders.set(NUMBER, 'ONLINE')
  await endTwilio(as)
})

const OWN = `whatsapp:${NUMBER}`
const SENDER = { whatsapp_number: NUMBER }
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function listChats(as: Callers, phone: string) {
  const { data } = await as.ben(conversations.list, { query: { limit: 100, source: 'whatsapp' } as never })
  return data.filter(({ customer }) => customer.phone === phone)
}

/** Somebody writes over WhatsApp, and Twilio is polled. */
async function write(as: Callers, context: Context, phone: string, body: string) {
  await twilio.receive(`whatsapp:${phone}`, { body })
  await pollAll(context)
  await vi.waitFor(async () => {
    const [conversation] = await listChats(as, phone)
    expect((await threadOf(as, conversation!.id)).map((message) => message.body)).toContain(body)
  }, TIMEOUT)
  return (await listChats(as, phone))[0]!
}

/** Waits until so many replies of a conversation were sent. */
const expectSent = (as: Callers, id: string, count = 1) =>
  vi.waitFor(
    async () =>
      expect((await deliveriesOf(as, id)).map(({ state }) => state)).toEqual(
        Array.from({ length: count }, () => 'sent'),
      ),
    TIMEOUT,
  )

test('a WhatsApp sender is connected beside the number after Twilio confirmed it, and clients that do not know it keep it', async ({
  as,
  world,
}) => {
  const inbox_id = world.billing.id
  const save = async (more: object) =>
    (await as.ada(calls.connect, { body: { authorization: { ...DETAILS, inbox_id, ...more } } })).data
  const stored = async () => (await as.ben(calls.get, { query: { inbox_id } })).data?.whatsapp_number
  for (const whatsapp_number of [SECOND_NUMBER, 'support'])
    expect(await save({ whatsapp_number })).toMatchObject({ ok: false, whatsapp_refusal: 'unknown' })
  twilio.senders.set(SECOND_NUMBER, 'PENDING_VERIFICATION')
  expect(await save({ whatsapp_number: SECOND_NUMBER })).toMatchObject({ ok: false, whatsapp_refusal: 'unknown' })
  twilio.senders.delete(SECOND_NUMBER)
  expect(await stored()).toBeUndefined()
  expect(await save({ whatsapp_number: OWN })).toMatchObject({ ok: true })
  expect(await stored()).toBe(NUMBER)
  const { id } = await health(as)
  expect((await as.ada(integrations.test, { params: { id } })).data.problem).toBeNull()
  expect(await save({})).toMatchObject({ ok: true })
  expect(await stored()).toBe(NUMBER)
  const elsewhere = { inbox_id: world.website.id, from_phone_number: SECOND_NUMBER, whatsapp_number: NUMBER }
  expect(await save(elsewhere)).toMatchObject({ ok: false, whatsapp_refusal: 'connected_elsewhere' })
  expect(await save({ whatsapp_number: SANDBOX })).toMatchObject({ ok: true })
  expect(await save({ whatsapp_number: '' })).toMatchObject({ ok: true })
  expect(await stored()).toBeNull()
  await save(SENDER)
  twilio.senders.delete(NUMBER)
  const { message } = await refusalOf(as.ada(integrations.test, { params: { id } }))
  expect(message).toContain('Twilio shows no WhatsApp sender')
})

test('messages over WhatsApp are polled, answered from the sender, and posted once if Twilio calls as well', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world, { ...SENDER, messaging_service_sid: twilio.service_sid })
  const phone = '+12025550151'
  const form = await twilio.receive(`whatsapp:${phone}`, { body: 'Is the oak desk still there?' })
  await pollAll(server.context)
  expect((await sendForm(server, form)).status).toBe(204)
  await pollAll(server.context)
  const [conversation] = await vi.waitFor(async () => {
    const all = await listChats(as, phone)
    expect(all).toMatchObject([{ inbox_id: world.billing.id, status: 'open', source: 'whatsapp' }])
    return all
  }, TIMEOUT)
  await answer(as, conversation!.id, '**It is**, until Friday.')
  await expectSent(as, conversation!.id)
  expect(await sentTo(`whatsapp:${phone}`)).toEqual(['It is, until Friday.'])
  const [sent] = twilio.requestsTo('POST /2010-04-01').slice(-1)
  expect(sent!.body).toMatchObject({ From: OWN, StatusCallback: BASE_URL + WEBHOOK })
  expect(sent!.body).not.toHaveProperty('MessagingServiceSid')
  const called = await twilio.receive(`whatsapp:${phone}`, { body: 'I take it.' })
  expect((await sendForm(server, called)).status).toBe(204)
  await pollAll(server.context)
  await vi.waitFor(
    async () =>
      expect((await threadOf(as, conversation!.id)).map(({ body, source }) => [body, source])).toEqual([
        ['Is the oak desk still there?', 'whatsapp'],
        ['**It is**, until Friday.', 'chat'],
        ['I take it.', 'whatsapp'],
      ]),
    TIMEOUT,
  )
})

test('one person by SMS and over WhatsApp is one customer with two conversations, each answered where it came from', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world, SENDER)
  for (const [phone, isSmsFirst] of [
    ['+12025550152', true],
    ['+12025550153', false],
  ] as const) {
    const byText = () => writeSms(as, server, phone, 'By text')
    const sms = isSmsFirst ? await byText() : undefined
    const chat = await write(as, server.context, phone, 'Over WhatsApp')
    const text = sms ?? (await byText())
    expect(text.customer_id).toBe(chat.customer_id)
    expect(text.id).not.toBe(chat.id)
    await answer(as, chat.id, 'To WhatsApp')
    await answer(as, text.id, 'To SMS')
    await expectSent(as, chat.id)
    await expectSent(as, text.id)
    expect([await sentTo(`whatsapp:${phone}`), await sentTo(phone)]).toEqual([['To WhatsApp'], ['To SMS']])
  }
  const { data: nora } = await as.ben(customers.create, {
    body: { customer: { account_id: world.acme.id, phone: '(202) 555-0154', name: 'Nora' } },
  } as never)
  await twilio.receive('whatsapp:+12025550154', { body: 'Me' })
  await pollAll(server.context)
  await vi.waitFor(async () => {
    const { data } = await as.ben(conversations.list, { query: { limit: 100, source: 'whatsapp' } as never })
    expect(data.map(({ customer_id }) => customer_id)).toContain(nora.id)
  }, TIMEOUT)
})

test('24 hours after the last message a sender of Twilio takes no free text; a reply that the window overtook says what to do', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world, SENDER)
  const phone = '+12025550155'
  const { id, reply_until } = await write(as, server.context, phone, 'Hello')
  const hours = (Date.parse(reply_until!) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23.9)
  expect(hours).toBeLessThanOrEqual(24)
  const templates = await refusalOf(as.ben(whatsapp.templates, { params: { conversation_id: id }, query: {} }))
  expect(templates).toMatchObject({ status: 422, message: expect.stringContaining('console of Twilio') })
  twilio.closeWindow(`whatsapp:${phone}`)
  await answer(as, id, 'Refused at once')
  const tooOld = { state: 'failed', problem: expect.stringContaining("The customer's last message is too old") }
  await vi.waitFor(async () => expect(await deliveriesOf(as, id)).toMatchObject([tooOld]), TIMEOUT)
  twilio.closeWindow(`whatsapp:${phone}`, false)
  await as.ben(deliveries.retry, { params: { id: (await deliveriesOf(as, id))[0]!.id } })
  await expectSent(as, id)
  const sent = (await twilio.sent()).find(({ to }) => to === `whatsapp:${phone}`)!
  await twilio.becomes(sent.sid, 'undelivered', 63016)
  await pollAll(server.context)
  await vi.waitFor(async () => expect(await deliveriesOf(as, id)).toMatchObject([tooOld]), TIMEOUT)
  await server.context.db
    .updateTable('conversations')
    .set({ reply_until: new Date(Date.now() - 60_000).toISOString() })
    .where('account_id', '=', world.acme.id)
    .where('id', '=', id)
    .execute()
  expect((await refusalOf(answer(as, id, 'Too late'))).status).toBe(422)
  await write(as, server.context, phone, 'Still there?')
  await answer(as, id, 'Yes')
  await vi.waitFor(async () => expect((await sentTo(`whatsapp:${phone}`)).at(-1)).toBe('Yes'), TIMEOUT)
})

const REFUSALS = [
  [63015, 'has not joined the sandbox'],
  [63024, 'does not deliver to this number'],
] as const
const testEach = test.for(REFUSALS)

testEach('error %s is told below the message', async ([code, sentence], { as, server, world }) => {
  await connect(as, world, SENDER)
  const phone = `+120255501${code - 63000 + 45}`
  const { id } = await write(as, server.context, phone, 'Hello')
  twilio.fail('POST /2010-04-01', { status: 400, body: { code, message: 'No', status: 400 } })
  await answer(as, id, 'Hi')
  const failed = { state: 'failed', problem: expect.stringContaining(sentence) }
  await vi.waitFor(async () => expect(await deliveriesOf(as, id)).toMatchObject([failed]), TIMEOUT)
})

test('a reply that is too fast for WhatsApp is sent later', async ({ as, server, world }) => {
  await connect(as, world, SENDER)
  const phone = '+12025550156'
  const { id } = await write(as, server.context, phone, 'Hello')
  twilio.fail('POST /2010-04-01', { status: 400, body: { code: 63018, message: 'Rate limit exceeded', status: 400 } })
  await answer(as, id, 'Hi')
  const waiting = { state: 'waiting', problem: expect.stringContaining('how fast') }
  await vi.waitFor(async () => expect(await deliveriesOf(as, id)).toMatchObject([waiting]), TIMEOUT)
  await passTime(server)
  await expectSent(as, id)
  expect(await sentTo(`whatsapp:${phone}`)).toEqual(['Hi'])
})

test('files come in, and go out over WhatsApp one to a message; what it does not take is a link', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world, SENDER)
  const phone = '+12025550157'
  const file = { type: 'text/plain', bytes: Buffer.alloc(9_000_000, 'a') }
  await twilio.receive(`whatsapp:${phone}`, { body: 'Look', media: [file] })
  await pollAll(server.context)
  await vi.waitFor(async () => expect(await listChats(as, phone)).toHaveLength(1), TIMEOUT)
  const [{ id } = { id: '' }] = await listChats(as, phone)
  expect((await threadOf(as, id))[0]!.attachments).toMatchObject([{ filename: 'whatsapp.plain' }])
  const keep = (filename: string, bytes: Buffer) =>
    storeFile(server.context, world.acme.id, { kind: 'anonymous', address: '' }, { filename, bytes })
  const files = [await keep('one.png', PNG), await keep('two.png', PNG), await keep('three.gif', GIF)]
  await answer(as, id, 'Like this', { file_ids: files.map((file) => file.id) })
  await expectSent(as, id)
  const sent = twilio.requestsTo('POST /2010-04-01').slice(-3)
  expect(sent.map(({ body }) => [body.Body, body.MediaUrl])).toEqual([
    [`Like this\n${files[2]!.file_url}`, undefined],
    ['', files[0]!.file_url],
    ['', files[1]!.file_url],
  ])
})

test('a message over WhatsApp whose answer was lost is found at Twilio, and sent once', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world, SENDER)
  const phone = '+12025550158'
  const { id } = await write(as, server.context, phone, 'Hello')
  const picture = await storeFile(
    server.context,
    world.acme.id,
    { kind: 'anonymous', address: '' },
    { filename: 'one.png', bytes: PNG },
  )
  for (const [index, file_ids] of [[], [picture.id]].entries()) {
    twilio.lose('POST /2010-04-01')
    await answer(as, id, index === 0 ? 'Only once' : '', { file_ids })
    await vi.waitFor(
      async () => expect((await deliveriesOf(as, id))[0]).toMatchObject({ state: 'waiting', tries: 1 }),
      TIMEOUT,
    )
    await passTime(server)
    await expectSent(as, id, index + 1)
  }
  expect(await sentTo(`whatsapp:${phone}`)).toEqual(['Only once', ''])
})

test('STOP over WhatsApp ends messages there, not text messages; START begins them again', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world, SENDER)
  const phone = '+12025550159'
  const { id, customer_id } = await write(as, server.context, phone, 'Hello')
  await writeSms(as, server, phone, 'Also here')
  await write(as, server.context, phone, 'STOP')
  const marks = async () => (await as.ben(customerProfiles.get, { params: { id: customer_id } })).data.metadata ?? {}
  await vi.waitFor(async () => expect(Object.keys(await marks())).toEqual(['whatsapp_unsubscribed_at']), TIMEOUT)
  await answer(as, id, 'Wait!')
  const problem = 'The number has unsubscribed. It accepts messages again after it has sent START.'
  await vi.waitFor(
    async () => expect(await deliveriesOf(as, id)).toMatchObject([{ state: 'failed', problem }]),
    TIMEOUT,
  )
  const [sms] = await listSms(as, phone)
  await answer(as, sms!.id, 'By text')
  await expectSent(as, sms!.id)
  await write(as, server.context, phone, 'START')
  await vi.waitFor(async () => expect(await marks()).toEqual({}), TIMEOUT)
  await answer(as, id, 'Welcome back')
  await vi.waitFor(async () => expect(await sentTo(`whatsapp:${phone}`)).toEqual(['Welcome back']), TIMEOUT)
})

test('with a revoked token replies over WhatsApp wait, and leave once Twilio is connected again', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world, SENDER)
  const phone = '+12025550162'
  const { id } = await write(as, server.context, phone, 'Hello')
  twilio.revoke(true)
  await answer(as, id, 'Wait for it')
  await vi.waitFor(
    async () => expect(await deliveriesOf(as, id)).toMatchObject([{ state: 'waiting', needs_connection: true }]),
    TIMEOUT,
  )
  twilio.revoke(false)
  await connect(as, world)
  await expectSent(as, id)
  expect(await sentTo(`whatsapp:${phone}`)).toEqual(['Wait for it'])
})

test('a message of one connected sender to another is not posted', async ({ as, server, world }) => {
  await connect(as, world, SENDER)
  await twilio.receive(OWN, { body: 'Round and round' })
  await pollAll(server.context)
  await write(as, server.context, '+12025550163', 'Hello')
  expect(await listChats(as, NUMBER)).toEqual([])
})
