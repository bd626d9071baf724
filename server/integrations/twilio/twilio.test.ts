import { vi } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { customers } from '#contract/customers/customers.ts'
import { events } from '#contract/events.ts'
import { twilio as calls } from '#contract/integrations/twilio.ts'
import { connectAuthorization } from '#server/features/connections/authorizations/connect.ts'
import { pollAll } from '#server/features/connections/authorizations/polling.ts'
import { storeFile } from '#server/features/conversations/files/files.ts'
import { ACCOUNT_SID, NUMBER } from '#tests/emulators/twilio.ts'
import { expectBeginning } from '#tests/support/beginning.ts'
import { expect } from '#tests/support/fixture.ts'
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
  write,
} from '#tests/support/twilio.ts'
import { signTwilio } from './signature.ts'

test.afterEach(({ as }) => endTwilio(as))

/** A picture of one pixel. */
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

test('a number is connected after Twilio confirmed it; wrong details are returned as existing clients expect', async ({
  as,
  world,
}) => {
  const inbox_id = world.billing.id
  const refused = { ok: false, error: 'Invalid Twilio authorization details.' }
  for (const wrong of [
    { twilio_auth_token: 'wrong' },
    { twilio_account_sid: 'AC1/../x' },
    { from_phone_number: '+12025550199' },
    { from_phone_number: 'support' },
  ]) {
    const body = { authorization: { ...DETAILS, inbox_id, ...wrong } }
    expect((await as.ada(calls.connect, { body })).data, JSON.stringify(wrong)).toEqual(refused)
  }
  expect((await as.ben(calls.get, { query: { inbox_id } })).data).toBeNull()
  const id = await connect(as, world)
  expect((await as.ben(calls.get, { query: { inbox_id } })).data).toMatchObject({
    ...DETAILS,
    id,
    inbox_id,
    account_id: world.acme.id,
    twilio_auth_token: '••••ilio',
  })
  expect((await as.ben(calls.get)).data, 'of the primary inbox').toBeNull()
  expect((await health(as)).way_in).toBe('polled')
  const masked = { twilio_auth_token: '••••ilio', sets_webhook: true }
  expect(await connect(as, world, masked), 'a masked token keeps the stored one').toBe(id)
  expect((await health(as)).way_in).toBe('called')
  expect((await as.ada(integrations.test, { params: { id } })).data.problem).toBeNull()
  await expect(as.olga(calls.connect, { body: { authorization: DETAILS } })).rejects.toMatchObject({ status: 409 })
  await expect(as.olga(calls.remove, { params: { id } })).rejects.toMatchObject({ status: 404 })
  await as.ada(calls.remove, { params: { id } })
})

test('an outage of Twilio is not reported as wrong details', async ({ as, world }) => {
  const body = { authorization: { ...DETAILS, inbox_id: world.billing.id } }
  twilio.fail('GET /2010', { status: 503 })
  expect((await as.ada(calls.connect, { body })).data).toMatchObject({
    ok: false,
    error: 'Twilio returned an error (503). It will be retried automatically.',
  })
})

test('a signature is that of Twilio over the public address and the sorted fields', () => {
  const fields = new URLSearchParams({
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675310',
    Digits: '1234',
    From: '+14158675310',
    To: '+18005551212',
  })
  // The example of Twilio's documentation.
  expect(signTwilio('12345', 'https://mycompany.com/myapp.php?foo=1&bar=2', fields)).toBe(
    'GvWf1cFY/Q7PnoempGyD5oXAezc=',
  )
})

test('a call is accepted only with the signature of the account it names', async ({ as, server, world }) => {
  await connect(as, world)
  const form = await twilio.receive('+12025550111', { body: 'Forged' })
  const other = twilio.sign(BASE_URL + WEBHOOK, form, 'the token of somebody else')
  expect((await sendForm(server, form, other)).status).toBe(401)
  expect((await sendForm(server, form, '')).status).toBe(401)
  const address = twilio.sign(`http://localhost${WEBHOOK}`, form)
  expect((await sendForm(server, form, address)).status, 'not the public address').toBe(401)
  const changed = new URLSearchParams([...form, ['Body', 'More']])
  expect((await sendForm(server, changed, twilio.sign(BASE_URL + WEBHOOK, form))).status).toBe(401)
  const stranger = new URLSearchParams({ ...Object.fromEntries(form), AccountSid: `AC${'2'.repeat(32)}` })
  expect((await sendForm(server, stranger)).status, 'nobody has connected it').toBe(401)
  form.delete('MessageSid')
  form.delete('SmsSid')
  expect((await sendForm(server, form)).status).toBe(400)
  expect(await listSms(as, '+12025550111')).toEqual([])
})

test('a token entered by another account for the same Twilio account is valid only for that account', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const token = 'the token of Olga'
  const { context } = server
  const inbox = await context.db
    .selectFrom('inboxes')
    .select('id')
    .where('account_id', '=', world.other.id)
    .executeTakeFirstOrThrow()
  const caller = { kind: 'user', account_id: world.other.id, user_id: world.olga.id, role: 'admin' } as never
  const { id } = await context.change((tx) =>
    connectAuthorization(context, tx, caller, {
      integration: 'twilio',
      inbox_id: inbox.id,
      label: '+12025550177',
      address: `${ACCOUNT_SID}/+12025550177`,
      settings: { phone_number: '+12025550177', number_sid: 'PN1' },
      credentials: { account_sid: ACCOUNT_SID, auth_token: token },
    }),
  )
  const form = await twilio.receive('+12025550112', { body: 'From Olga' })
  expect((await sendForm(server, form, twilio.sign(BASE_URL + WEBHOOK, form, token))).status).toBe(204)
  const stored = await context.db
    .selectFrom('inbound_events')
    .select('id')
    .where('account_id', '=', world.acme.id)
    .where('key', '=', `message ${form.get('MessageSid')}`)
    .execute()
  expect(stored).toEqual([])
  await as.olga(integrations.remove, { params: { id }, query: { discard: 'true' } })
})

test('a message becomes a conversation, is stored once if repeated or polled, and a reply is sent', async ({
  as,
  server,
  world,
}) => {
  const id = await connect(as, world)
  const from = '+12025550121'
  const { cursor } = await as.ben(events.after)
  const form = await twilio.receive(from, { body: 'Is the oak desk still there?' })
  for (const _ of [1, 2, 3]) expect((await sendForm(server, form)).status).toBe(204)
  await pollAll(server.context)
  const [conversation] = await vi.waitFor(async () => {
    const all = await listSms(as, from)
    expect(all).toMatchObject([{ inbox_id: world.billing.id, status: 'open', read: false }])
    return all
  }, TIMEOUT)
  await expectBeginning(as, cursor, conversation!.id)
  await answer(as, conversation!.id, 'It is, until Friday.')
  await answer(as, conversation!.id, 'Between us.', { private: true, type: 'note' })
  await vi.waitFor(
    async () => expect(await deliveriesOf(as, conversation!.id)).toMatchObject([{ state: 'sent' }]),
    TIMEOUT,
  )
  expect(await sentTo(from)).toEqual(['It is, until Friday.'])
  const [sent] = twilio.requestsTo('POST /2010-04-01').slice(-1)
  expect(sent!.body).toMatchObject({ From: NUMBER, StatusCallback: BASE_URL + WEBHOOK })
  await pollAll(server.context)
  await write(as, server, from, 'I take it.')
  expect((await threadOf(as, conversation!.id)).map(({ body, source }) => [body, source])).toEqual([
    ['Is the oak desk still there?', 'sms'],
    ['It is, until Friday.', 'chat'],
    ['Between us.', 'chat'],
    ['I take it.', 'sms'],
  ])
  expect(await health(as)).toMatchObject({ id, state: 'connected' })
})

test('without calls the number is polled each minute', async ({ as, server, world }) => {
  await connect(as, world)
  await twilio.receive('+12025550122', { body: 'Nobody called' })
  await pollAll(server.context)
  await vi.waitFor(async () => expect(await listSms(as, '+12025550122')).toHaveLength(1), TIMEOUT)
})

test('a message reopens a closed conversation; one closed for over 30 days stays closed, and is mentioned', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const from = '+12025550123'
  const first = await write(as, server, from, 'One')
  const close = () =>
    as.ben(conversations.update, { params: { id: first.id }, body: { conversation: { status: 'closed' } } as never })
  await close()
  expect(await write(as, server, from, 'Two')).toMatchObject({ id: first.id, status: 'open' })
  await close()
  await server.context.db
    .updateTable('conversations')
    .set({ closed_at: new Date(Date.now() - 31 * 86_400_000).toISOString() })
    .where('account_id', '=', world.acme.id)
    .where('id', '=', first.id)
    .execute()
  await sendForm(server, await twilio.receive(from, { body: 'Three' }))
  await vi.waitFor(async () => expect(await listSms(as, from)).toHaveLength(2), TIMEOUT)
  const later = (await listSms(as, from)).find(({ id }) => id !== first.id)
  expect(later).toMatchObject({ status: 'open', metadata: { previous_conversation_id: first.id } })
})

test('senders are recognised by numbers the team entered, in any notation, and not by claims of a browser', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const body = { customer: { account_id: world.acme.id, phone: '(202) 555-0124', name: 'Nora' } }
  const { data: nora } = await as.ben(customers.create, { body } as never)
  await as.anybody(customers.create, {
    body: { customer: { account_id: world.acme.id, phone: '+12025550125' } },
  } as never)
  for (const from of ['+12025550124', '+12025550125'])
    await sendForm(server, await twilio.receive(from, { body: 'Me' }))
  await vi.waitFor(async () => {
    const { data } = await as.ben(conversations.list, { query: { limit: 100 } as never })
    const matches = data.filter(({ customer_id, source }) => source === 'sms' && customer_id === nora.id)
    expect(matches).toHaveLength(1)
  }, TIMEOUT)
  await vi.waitFor(async () => expect(await listSms(as, '+12025550125')).toHaveLength(1), TIMEOUT)
  const [conversation] = await listSms(as, '+12025550125')
  expect(conversation!.customer.field_sources, 'a customer of its own').toMatchObject({ phone: 'mail' })
})

test('pictures are imported, and the token is not sent to the host of their content', async ({ as, server, world }) => {
  await connect(as, world)
  const from = '+12025550126'
  const picture = { type: 'text/plain', bytes: Buffer.from('not a picture, but bytes') }
  await sendForm(server, await twilio.receive(from, { media: [picture, picture] }))
  await vi.waitFor(async () => expect(await listSms(as, from)).toHaveLength(1), TIMEOUT)
  const [conversation] = await listSms(as, from)
  const [message] = await threadOf(as, conversation!.id)
  expect(message!.attachments).toHaveLength(2)
  expect(twilio.leaked).toEqual([])
  twilio.fail('GET /cdn', { status: 404 })
  await sendForm(server, await twilio.receive(from, { body: 'Look', media: [picture] }))
  await vi.waitFor(
    async () =>
      expect((await threadOf(as, conversation!.id)).at(-1)!.body).toBe('Look\n(1 of its files could not be stored.)'),
    TIMEOUT,
  )
})

test('a picture is sent with the message, and any other file as a link', async ({ as, server, world }) => {
  await connect(as, world)
  const from = '+12025550134'
  const { id } = await write(as, server, from, 'How does it look?')
  const keep = (filename: string, bytes: Buffer) =>
    storeFile(server.context, world.acme.id, { kind: 'anonymous', address: '' }, { filename, bytes })
  const [picture, text] = [
    await keep('desk.gif', Buffer.from(GIF, 'base64')),
    await keep('desk.txt', Buffer.from('Oak')),
  ]
  await answer(as, id, 'Like this', { file_ids: [picture.id, text.id] })
  await vi.waitFor(async () => expect(await deliveriesOf(as, id)).toMatchObject([{ state: 'sent' }]), TIMEOUT)
  expect(await sentTo(from)).toEqual([`Like this\n${text.file_url}`])
  expect(twilio.requestsTo('POST /2010-04-01').at(-1)!.body).toMatchObject({ MediaUrl: picture.file_url })
})

test('a program sends a message from the number connected last', async ({ as, world }) => {
  const body = { to: '(202) 555-0133', body: 'Your desk is ready.' }
  await expect(as.ben(calls.send, { body })).rejects.toMatchObject({ status: 403, message: 'Authorization required' })
  await connect(as, world)
  expect((await as.ben(calls.send, { body })).data).toMatchObject({
    sid: expect.stringMatching(/^SM/),
    status: 'queued',
  })
  expect(await sentTo('+12025550133')).toEqual(['Your desk is ready.'])
  twilio.optOut('+12025550133', true)
  await expect(as.ben(calls.send, { body })).rejects.toMatchObject({
    status: 422,
    message: 'The number has unsubscribed. It accepts messages again after it has sent START.',
  })
  await expect(as.ben(calls.send, { body: { ...body, to: 'nobody' } })).rejects.toMatchObject({ status: 422 })
})

test('formatted replies reach the phone as plain text, with the addresses of links', async ({ as, server, world }) => {
  await connect(as, world)
  const { id } = await write(as, server, '+12025550119', 'Which colour?')
  await answer(as, id, '**Red**, or [blue](https://shop.test/blue)')
  await expect.poll(() => sentTo('+12025550119'), TIMEOUT).toEqual(['Red, or blue (https://shop.test/blue)'])
})
