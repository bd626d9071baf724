import { vi } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import { whatsapp as calls } from '#contract/integrations/whatsapp.ts'
import { ACCESS_TOKEN, inOneCall, SECOND_PHONE_ID, WABA_ID } from '#tests/emulators/whatsapp.ts'
import { expect, refusalOf } from '#tests/support/fixture.ts'
import { passTime } from '#tests/support/pass-time.ts'
import { PIXEL, upload } from '#tests/support/uploads.ts'
import {
  answer,
  BASE_URL,
  callAsMeta,
  connect,
  DETAILS,
  deliveriesOf,
  endWhatsapp,
  findWith,
  listOf,
  sentTo,
  TIMEOUT,
  test,
  textsTo,
  threadOf,
  whatsapp,
  write,
} from '#tests/support/whatsapp.ts'

test.afterEach(({ as }) => endWhatsapp(as))

test('a WhatsApp number is connected after Meta confirmed number, token and secret, and Meta is told where to call', async ({
  as,
  server,
  world,
}) => {
  const attempt = (more: object) =>
    refusalOf(as.ada(calls.connect, { body: { authorization: { ...DETAILS, inbox_id: world.billing.id, ...more } } }))
  expect((await attempt({ access_token: 'wrong' })).message).toContain('Meta refused the token')
  expect((await attempt({ app_secret: 'wrong' })).message).toContain('appsecret_proof')
  expect((await attempt({ phone_number_id: '11111111' })).message).toContain('no number with this phone number ID')
  expect((await attempt({ business_account_id: '22222222' })).status).toBe(422)
  await connect(as, world)
  const { data } = await as.ben(calls.get, { query: { inbox_id: world.billing.id } })
  expect(data.authorization).toMatchObject({ phone_number: '+1 555-078-3881', verified_name: 'Acme', quality: 'GREEN' })
  expect(JSON.stringify(data)).not.toContain(ACCESS_TOKEN)
  const { override_callback_uri, verify_token } = whatsapp.subscribed.get(WABA_ID)!
  expect(override_callback_uri).toBe(data.webhook_url)
  const check = (token: string) => {
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.verify_token': token,
      'hub.challenge': '1158201444',
    })
    return server.request('GET', `${override_callback_uri.slice(BASE_URL.length)}&${query}`)
  }
  expect(await check(verify_token)).toMatchObject({ status: 200, body: 1158201444 })
  expect((await check(`${verify_token}x`)).status).toBe(403)
  // The masks keep the secrets, and the connection stays the same one.
  const { id, app_secret, access_token } = data.authorization!
  expect(await connect(as, world, { app_secret, access_token })).toBe(id)
  await as.ada(integrations.test, { params: { id } })
})

test('what is not signed by the app of the account is refused, and so is a number of another account', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const person = { number: '4915700000001', user_id: 'DE.1', name: 'Hostile' }
  const call = whatsapp.say(person, { type: 'text', text: { body: 'Hello' } })
  expect((await callAsMeta(server, world, call, 'another secret')).status).toBe(401)
  expect((await callAsMeta(server, { ...world, acme: world.other }, call)).status).toBe(401)
  const elsewhere = whatsapp.say(person, { type: 'text', text: { body: 'Hello' } }, '999999')
  expect((await callAsMeta(server, world, elsewhere)).status).toBe(200)
  for (const body of [{}, { entry: 1 }, { entry: [{ changes: [{ field: 'messages', value: { messages: [1] } }] }] }]) {
    expect((await callAsMeta(server, world, body as never)).status).toBe(200)
  }
  await write(as, server, world, { ...person, name: 'Honest' }, 'It’s me')
  expect(await listOf(as, 'Hostile')).toEqual([])
})

test('messages in one call, in any order and more than once are posted once each, and answers go where they came from', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const kim = { number: '4915700000002', user_id: 'DE.2', name: 'Kim Two' }
  const nameless = { user_id: 'US.AbC', name: 'Nameless' }
  const say = (person: object, body: string) => whatsapp.say(person, { type: 'text', text: { body } })
  const [one, two, three] = [say(kim, 'one – ünïcödé 🦆'), say(nameless, 'two'), say(kim, 'three')]
  for (const _ of [1, 2]) expect((await callAsMeta(server, world, inOneCall(three, two, one))).status).toBe(200)
  const { id, reply_until, customer } = await findWith(as, 'Kim Two', 'one – ünïcödé 🦆')
  const other = await findWith(as, 'Nameless', 'two')
  expect((await threadOf(as, id)).map(({ body }) => body).sort()).toEqual(['one – ünïcödé 🦆', 'three'])
  expect(customer.phone).toBe('+4915700000002')
  expect(other.customer.phone).toBeNull()
  expect(Date.parse(reply_until!)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  await answer(as, id, 'A **bold** [link](https://acme.example/) and *more*')
  await answer(as, other.id, 'Hello you')
  await vi.waitFor(
    () => expect(textsTo('4915700000002')).toEqual(['A *bold* link (https://acme.example/) and _more_']),
    TIMEOUT,
  )
  await vi.waitFor(() => expect(textsTo('US.AbC')).toEqual(['Hello you']), TIMEOUT)
})

test('somebody is the same customer by user id, by both spellings of a number, and after changing either', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const name = 'Ana Brazil'
  const { data: ana } = await as.ben(customers.create, {
    body: { customer: { name, phone: '+55 11 98765-4321' } as never },
  })
  const call = whatsapp.say({ number: '551187654321', name: 'ana' }, { type: 'text', text: { body: 'Olá' } })
  await callAsMeta(server, world, call)
  const first = await findWith(as, name, 'Olá')
  expect(first.customer_id).toBe(ana.id)
  const again = { number: '551187654321', user_id: 'BR.7', name }
  expect((await write(as, server, world, again, 'Now with an id')).customer_id).toBe(ana.id)
  expect((await write(as, server, world, { user_id: 'BR.7', name }, 'Without a number')).customer_id).toBe(ana.id)
  const system = { type: 'user_changed_number', body: 'Ana changed', wa_id: '5511912345678' }
  const changed = whatsapp.say(again, { type: 'system', system })
  for (const _ of [1, 2]) await callAsMeta(server, world, changed)
  const { id } = await findWith(as, name, 'The customer has a new number: +5511912345678')
  whatsapp.say({ number: '5511912345678' }, {})
  await answer(as, id, 'To the new number')
  await vi.waitFor(() => expect(textsTo('5511912345678')).toEqual(['To the new number']), TIMEOUT)
  const moved = whatsapp.say(again, { type: 'system', system: { type: 'user_changed_user_id', user_id: 'BR.8' } })
  await callAsMeta(server, world, moved)
  await findWith(as, name, 'The customer has a new WhatsApp ID.')
  expect((await write(as, server, world, { user_id: 'BR.8', name }, 'Still me')).customer_id).toBe(ana.id)
  // A number that passed to somebody else is no proof.
  const stranger = await write(as, server, world, { number: '551187654321', user_id: 'BR.99', name: 'Stranger' }, 'Oi')
  expect(stranger.customer_id).not.toBe(ana.id)
})

const location = { latitude: 52.5, longitude: 13.4, name: 'Acme', address: 'Street 1' }
const kinds: Record<string, [message: Record<string, unknown>, shown: string]> = {
  'a location': [{ type: 'location', location }, 'Acme\nStreet 1\nhttps://www.openstreetmap.org/?mlat=52.5&mlon=13.4'],
  'a contact': [
    { type: 'contacts', contacts: [{ name: { formatted_name: 'Lee' }, phones: [{ phone: '+1 555' }] }] },
    'Lee, +1 555',
  ],
  'a pressed button': [{ type: 'button', button: { text: 'Yes please', payload: 'x' } }, 'Yes please'],
  'a chosen row': [
    {
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: '1', title: 'Red', description: 'Large' } },
    },
    'Red\nLarge',
  ],
  'a forwarded text': [{ type: 'text', text: { body: 'Look' }, context: { forwarded: true } }, '(Forwarded)\nLook'],
  'an order': [{ type: 'order', order: { product_items: [] } }, '[order not shown]'],
  'a poll': [
    { type: 'unsupported', unsupported: { type: 'poll_creation' }, errors: [{ code: 131051 }] },
    '[poll_creation not shown]',
  ],
  'a damaged text': [{ type: 'text', text: 7 }, '[text not shown]'],
  'an unknown kind': [{ type: 'hologram' }, '[hologram not shown]'],
  'a text after an advertisement': [
    { type: 'text', text: { body: 'I saw it' }, referral: { headline: 'Sale', source_url: 'https://fb.me/1' } },
    'The customer came from an advertisement: Sale – https://fb.me/1',
  ],
}

test.for(Object.entries(kinds))('over WhatsApp, %s is shown', async ([, [message, shown]], { as, server, world }) => {
  await connect(as, world)
  const name = `Kind ${Object.values(kinds).findIndex(([candidate]) => candidate === message)}`
  await callAsMeta(server, world, whatsapp.say({ user_id: `DE.${name}`, name }, message))
  await findWith(as, name, shown)
})

test('an answer to a message quotes it, and a reaction is a note that changes nothing else', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const person = { number: '4915700000003', name: 'Rea' }
  const { id } = await write(as, server, world, person, 'Question')
  await answer(as, id, 'The answer is *42*')
  await vi.waitFor(() => expect(sentTo(person.number)).toHaveLength(1), TIMEOUT)
  const [{ id: external_id } = { id: '' }] = sentTo(person.number)
  await as.ben(conversations.update, { params: { id }, body: { conversation: { status: 'closed' } } })
  const react = (emoji: string) =>
    callAsMeta(server, world, whatsapp.say(person, { type: 'reaction', reaction: { message_id: external_id, emoji } }))
  await react('👍')
  await findWith(as, 'Rea', 'Reacted with 👍 to “The answer is 42”')
  await react('')
  await findWith(as, 'Rea', 'Took back the reaction')
  expect((await threadOf(as, id)).at(-1)).toMatchObject({ private: true, type: 'bot' })
  expect((await as.ben(conversations.get, { params: { id } })).data.status).toBe('closed')
  const quoting = { type: 'text', text: { body: 'Why?' }, context: { id: external_id } }
  await callAsMeta(server, world, whatsapp.say(person, quoting))
  await findWith(as, 'Rea', '> The answer is 42\nWhy?')
})

test('two numbers of one app have conversations of their own', async ({ as, server, world }) => {
  await connect(as, world)
  await connect(as, world, { phone_number_id: SECOND_PHONE_ID, inbox_id: world.website.id })
  const person = { number: '4915700000004', name: 'Two Numbers' }
  const first = await write(as, server, world, person, 'To support')
  const call = whatsapp.say(person, { type: 'text', text: { body: 'To sales' } }, SECOND_PHONE_ID)
  await callAsMeta(server, world, call)
  const second = await findWith(as, 'Two Numbers', 'To sales')
  expect(second.id).not.toBe(first.id)
  expect(second.customer_id).toBe(first.customer_id)
  await answer(as, second.id, 'From sales')
  await vi.waitFor(() => expect(textsTo(person.number)).toEqual(['From sales']), TIMEOUT)
  expect(whatsapp.requestsTo(`POST /v24.0/${SECOND_PHONE_ID}/messages`)).toHaveLength(1)
})

test('states of a sent message arrive in any order: delivered, read, and failed for good', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const person = { number: '4915700000005', name: 'States' }
  const { id } = await write(as, server, world, person, 'Hello')
  await answer(as, id, 'One')
  await vi.waitFor(() => expect(sentTo(person.number)).toHaveLength(1), TIMEOUT)
  const [first] = sentTo(person.number)
  await callAsMeta(server, world, inOneCall(whatsapp.becomes(first!, 'delivered'), whatsapp.becomes(first!, 'sent')))
  await vi.waitFor(async () => {
    expect(await deliveriesOf(as, id)).toMatchObject([{ state: 'sent', delivered_at: expect.any(String) }])
  }, TIMEOUT)
  expect((await threadOf(as, id)).at(-1)!.seen_at).toBeNull()
  await answer(as, id, 'Two')
  await vi.waitFor(() => expect(sentTo(person.number)).toHaveLength(2), TIMEOUT)
  await callAsMeta(server, world, whatsapp.becomes(first!, 'read'))
  await vi.waitFor(async () => {
    const seen = (await threadOf(as, id)).slice(-2).map(({ body, seen_at }) => [body, seen_at !== null])
    expect(seen).toEqual([
      ['One', true],
      ['Two', false],
    ])
  }, TIMEOUT)
  const two = sentTo(person.number)[1]!
  await callAsMeta(server, world, whatsapp.becomes(two, 'failed', 131026))
  const isFailed = async () => {
    const [newest] = await deliveriesOf(as, id)
    expect(newest).toMatchObject({ state: 'failed', problem: expect.stringContaining('cannot be delivered') })
  }
  await vi.waitFor(isFailed, TIMEOUT)
  await callAsMeta(server, world, whatsapp.becomes(two, 'sent'))
  await callAsMeta(server, world, whatsapp.becomes(two, 'delivered'))
  await write(as, server, world, person, 'After that')
  await isFailed()
})

test('whether a message left whose answer was lost is known by its states, so that it is sent once', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const person = { number: '4915700000006', name: 'Lost' }
  const { id } = await write(as, server, world, person, 'Hello')
  whatsapp.lose('POST /v24.0')
  await answer(as, id, 'Once')
  await vi.waitFor(async () => expect((await deliveriesOf(as, id))[0]!.problem).toBeTruthy(), TIMEOUT)
  const [{ next_try_at } = { next_try_at: null }] = await deliveriesOf(as, id)
  expect(Date.parse(next_try_at!) - Date.now()).toBeGreaterThan(40_000)
  const [sent] = sentTo(person.number)
  await callAsMeta(server, world, whatsapp.becomes(sent!, 'sent'))
  await write(as, server, world, person, 'Still there?')
  await passTime(server)
  await vi.waitFor(async () => expect(await deliveriesOf(as, id)).toMatchObject([{ state: 'sent' }]), TIMEOUT)
  expect(textsTo(person.number)).toEqual(['Once'])
  // Without any state it never left.
  whatsapp.fail('POST /v24.0', { status: 502, body: {} })
  await answer(as, id, 'Twice tried')
  await vi.waitFor(async () => expect((await deliveriesOf(as, id))[0]!.problem).toBeTruthy(), TIMEOUT)
  await passTime(server)
  await vi.waitFor(() => expect(textsTo(person.number)).toEqual(['Once', 'Twice tried']), TIMEOUT)
})

test('who has unsubscribed gets nothing by a further id or a new number either', async ({ as, server, world }) => {
  await connect(as, world)
  const name = 'Mover'
  const person = { number: '4915700000009', name }
  const { id } = await write(as, server, world, person, 'STOP')
  await findWith(as, name, 'has unsubscribed from messages over WhatsApp')
  const isRefused = async () => {
    await answer(as, id, 'Hello?')
    await vi.waitFor(async () => {
      const [newest] = await deliveriesOf(as, id)
      expect(newest).toMatchObject({ state: 'failed', problem: expect.stringContaining('unsubscribed') })
    }, TIMEOUT)
  }
  await write(as, server, world, { ...person, user_id: 'DE.9' }, 'Now with an id')
  await write(as, server, world, { user_id: 'DE.9', name }, 'Now without a number')
  await isRefused()
  const system = { type: 'user_changed_number', wa_id: '4915700000010' }
  await callAsMeta(server, world, whatsapp.say({ ...person, user_id: 'DE.9' }, { type: 'system', system }))
  await findWith(as, name, 'The customer has a new number')
  await isRefused()
  expect(['DE.9', '4915700000009', '4915700000010'].flatMap(textsTo)).toEqual([])
})

test('files come in and go out as files, and what WhatsApp does not take goes as a link', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const person = { number: '4915700000007', name: 'Files' }
  const image = { id: whatsapp.addMedia('image/png', PIXEL), mime_type: 'image/png', caption: 'My duck' }
  await callAsMeta(server, world, whatsapp.say(person, { type: 'image', image }))
  const { id } = await findWith(as, 'Files', 'My duck')
  expect((await threadOf(as, id))[0]!.attachments).toMatchObject([{ content_type: 'image/png' }])
  const missing = { type: 'document', document: { id: '12345', filename: 'gone.pdf', caption: 'A letter' } }
  await callAsMeta(server, world, whatsapp.say(person, missing))
  await findWith(as, 'Files', 'A letter\n(A file could not be stored.)')
  const pdf = whatsapp.addMedia('application/pdf', PIXEL, 20_000_001)
  const large = { type: 'document', document: { id: pdf, filename: 'plans.pdf', caption: 'The plans' } }
  await callAsMeta(server, world, whatsapp.say(person, large))
  await findWith(as, 'Files', 'The plans\n(plans.pdf is larger than 20 MB and was not stored.)')
  const file_ids = [
    await upload(server, world, 'duck.png', PIXEL),
    await upload(server, world, 'data.bin', Buffer.from([0, 1, 2, 255, 254])),
  ]
  await answer(as, id, 'Here', { file_ids })
  await vi.waitFor(() => expect(sentTo(person.number)).toHaveLength(1), TIMEOUT)
  const [{ json } = { json: {} }] = sentTo(person.number)
  expect(json).toMatchObject({ type: 'image', image: { caption: expect.stringMatching(/^Here\n.*data\.bin$/) } })
  expect([...whatsapp.uploaded.values()].at(-1)!.type).toBe('image/png')
})

test('STOP ends messages over WhatsApp by number and by id, START begins them again; a preference is noted', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const person = { number: '4915700000008', user_id: 'DE.8', name: 'Stopper' }
  const { id, customer_id } = await write(as, server, world, person, 'STOP')
  await findWith(as, 'Stopper', 'has unsubscribed from messages over WhatsApp')
  const { data } = await as.ben(customerProfiles.get, { params: { id: customer_id } })
  expect(data.metadata).toHaveProperty('whatsapp_unsubscribed_at')
  await answer(as, id, 'Wait!')
  const isFailed = async () =>
    expect((await deliveriesOf(as, id))[0]).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('unsubscribed'),
    })
  await vi.waitFor(isFailed, TIMEOUT)
  expect(textsTo(person.number)).toEqual([])
  await write(as, server, world, { user_id: 'DE.8', name: 'Stopper' }, 'Start')
  await findWith(as, 'Stopper', 'accepts messages over WhatsApp again')
  await answer(as, id, 'Welcome back')
  await vi.waitFor(() => expect(textsTo('DE.8')).toEqual(['Welcome back']), TIMEOUT)
  const call = whatsapp.say(person, {})
  const value = call.entry[0]!.changes[0]!.value
  const preference = {
    wa_id: person.number,
    user_id: 'DE.8',
    category: 'marketing_messages',
    value: 'stop',
    timestamp: 1750000000,
  }
  call.entry[0]!.changes = [
    { field: 'user_preferences', value: { metadata: value.metadata, user_preferences: [preference] } },
  ]
  for (const _ of [1, 2]) await callAsMeta(server, world, call)
  await findWith(as, 'Stopper', 'wants no more marketing messages')
  expect((await threadOf(as, id)).filter(({ body }) => body?.includes('no more marketing'))).toHaveLength(1)
})

const refusals: Record<number, { state: string; problem: string; health?: string }> = {
  4: { state: 'waiting', problem: 'limits how fast', health: 'resting' },
  131056: { state: 'waiting', problem: 'Too many messages were sent to this customer' },
  131016: { state: 'waiting', problem: 'has a problem at the moment' },
  131026: { state: 'failed', problem: 'cannot be delivered' },
  131047: { state: 'failed', problem: 'Send a template' },
  131053: { state: 'failed', problem: 'refused the file' },
  132015: { state: 'failed', problem: 'paused the template' },
  133010: { state: 'failed', problem: 'not registered' },
  131042: { state: 'waiting', problem: 'payment method', health: 'broken' },
  200: { state: 'waiting', problem: 'lacks a right', health: 'broken' },
}

const testEach = test.for(Object.entries(refusals))

testEach('error %s is answered by what it means', async ([code, expected], { as, server, world }) => {
  await connect(as, world)
  const name = `Refused ${code}`
  const { id } = await write(as, server, world, { user_id: `DE.${name}`, name }, 'Hello')
  const body = { error: { code: Number(code), message: 'Some title', error_data: { details: 'Some details' } } }
  whatsapp.fail('POST /v24.0', { status: 400, body })
  const { data: message } = await answer(as, id, 'Hi')
  await vi.waitFor(async () => {
    expect(await deliveriesOf(as, id)).toMatchObject([
      { state: expected.state, problem: expect.stringContaining(expected.problem) },
    ])
  }, TIMEOUT)
  const [{ state } = { state: '' }] = (await as.ada(integrations.list)).data
  expect(state).toBe(expected.health ?? 'connected')
  expect(message.id).toBeTruthy()
  if (expected.health === 'broken') return
  await passTime(server)
  if (expected.state === 'waiting') await vi.waitFor(() => expect(textsTo(`DE.${name}`)).toEqual(['Hi']), TIMEOUT)
})
