import { vi } from 'vitest'
import { deliveries } from '#contract/connections/deliveries.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { twilio as calls } from '#contract/integrations/twilio.ts'
import { mails } from '#contract/mail/mails.ts'
import { pollAll } from '#server/features/connections/authorizations/polling.ts'
import { expect, refusalOf } from '#tests/support/fixture.ts'
import { passTime } from '#tests/support/pass-time.ts'
import {
  answer,
  connect,
  deliveriesOf,
  endTwilio,
  health,
  sendForm,
  sentTo,
  TIMEOUT,
  test,
  threadOf,
  twilio,
  write,
} from '#tests/support/twilio.ts'
import { startVisitor } from '#tests/support/world.ts'
import { readOptOut } from '../../features/connections/opt-out/opt-out-words.ts'

test.afterEach(({ as }) => endTwilio(as))

test('a long reply is sent in parts of 1,600 characters, and only a failed part is retried', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const from = '+12025550127'
  const { id } = await write(as, server, from, 'Tell me everything')
  const longText = Array.from({ length: 700 }, (_, index) => `word${index}`).join(' ')
  await answer(as, id, longText)
  await vi.waitFor(async () => expect(await deliveriesOf(as, id)).toMatchObject([{ state: 'sent' }]), TIMEOUT)
  const parts = await sentTo(from)
  expect(parts.length).toBeGreaterThan(3)
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(1600)
  expect(parts.join(' ')).toBe(longText)

  const [, second] = (await twilio.sent()).filter(({ to }) => to === from)
  const form = await twilio.becomes(second!.sid, 'undelivered', 30003)
  for (const _ of [1, 2]) await sendForm(server, form)
  await sendForm(server, await twilio.becomes(second!.sid, 'sent'))
  const problem = 'The phone is switched off or unreachable.'
  await vi.waitFor(
    async () => expect(await deliveriesOf(as, id)).toMatchObject([{ state: 'failed', problem }]),
    TIMEOUT,
  )
  const [failed] = await deliveriesOf(as, id)
  await as.ben(deliveries.retry, { params: { id: failed!.id } })
  await vi.waitFor(async () => expect(await deliveriesOf(as, id)).toMatchObject([{ state: 'sent' }]), TIMEOUT)
  expect(await sentTo(from)).toEqual([...parts, parts[1]])
})

test('without calls of Twilio, failures are found by polling', async ({ as, server, world }) => {
  await connect(as, world)
  const from = '+12025550128'
  const { id } = await write(as, server, from, 'Hello')
  await answer(as, id, 'Hi')
  await vi.waitFor(async () => expect(await deliveriesOf(as, id)).toMatchObject([{ state: 'sent' }]), TIMEOUT)
  const sent = (await twilio.sent()).find(({ to }) => to === from)!
  await twilio.becomes(sent.sid, 'failed', 30007)
  await pollAll(server.context)
  await vi.waitFor(
    async () =>
      expect(await deliveriesOf(as, id)).toMatchObject([
        { state: 'failed', problem: 'A network took the message for spam and did not deliver it.' },
      ]),
    TIMEOUT,
  )
})

test('STOP marks the customer, and a reply fails with the reason; START ends it', async ({ as, server, world }) => {
  await connect(as, world)
  const from = '+12025550129'
  const { id, customer_id } = await write(as, server, from, 'Hello')
  await write(as, server, from, 'STOP')
  const marks = async () => (await as.ben(customerProfiles.get, { params: { id: customer_id } })).data.metadata
  await vi.waitFor(async () => expect(await marks()).toHaveProperty('sms_unsubscribed_at'), TIMEOUT)
  expect((await threadOf(as, id)).at(-1)).toMatchObject({ private: true, type: 'bot' })
  await answer(as, id, 'Wait!')
  const problem = 'The number has unsubscribed. It accepts messages again after it has sent START.'
  await vi.waitFor(
    async () => expect(await deliveriesOf(as, id)).toMatchObject([{ state: 'failed', problem }]),
    TIMEOUT,
  )
  await write(as, server, from, 'START')
  await vi.waitFor(async () => expect(await marks()).not.toHaveProperty('sms_unsubscribed_at'), TIMEOUT)
  await answer(as, id, 'Welcome back')
  await vi.waitFor(async () => expect(await sentTo(from)).toEqual(['Welcome back']), TIMEOUT)
})

test('who has unsubscribed gets no text messages as a part of another customer either', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const from = '+12025550139'
  const { id, customer_id } = await write(as, server, from, 'Hello')
  await write(as, server, from, 'STOP')
  const marks = async () => (await as.ben(customerProfiles.get, { params: { id: customer_id } })).data.metadata
  await vi.waitFor(async () => expect(await marks()).toHaveProperty('sms_unsubscribed_at'), TIMEOUT)
  const keeper = await startVisitor(server, world.acme.id, { name: 'Kim' })
  await as.ada(customerProfiles.merge, { params: { id: keeper.customer_id }, body: { customer_id } })
  await answer(as, id, 'Wait!')
  await vi.waitFor(async () => expect(await deliveriesOf(as, id)).toMatchObject([{ state: 'failed' }]), TIMEOUT)
  expect(await sentTo(from)).toEqual([])
})

test('“stop” is understood in many languages and shapes, with words of the number’s own, and not inside of sentences', () => {
  const stops = ['Stop.', 'stop please', '“STOP”', 'STOP!!! stop', 'OPT OUT', 'opt-out', 'ARRÊT', 'Arret svp', 'STOPP']
  const more = ['Bitte abmelden', 'BAJA', 'por favor baja', 'dừng', 'İPTAL', '退订。', 'หยุด', 'إيقاف', 'СТОП']
  for (const body of [...stops, ...more, 'stop texting me', 'cancel', 'END'])
    expect(readOptOut(body), body).toBe('stop')
  expect(readOptOut('No more pizza', ['no more pizza'])).toBe('stop')
  for (const body of ['start', 'Start please!', 'UNSTOP']) expect(readOptOut(body), body).toBe('start')
  for (const body of ['Can you stop writing to me?', 'I want to unsubscribe from this', '我想退订你们的短信']) {
    expect(readOptOut(body), body).toBe('maybe stop')
  }
  for (const body of [
    '',
    '?',
    'Please cancel my order',
    'the end of the day',
    'stopped at the shop',
    'No more pizza',
  ]) {
    expect(readOptOut(body), body).toBe(undefined)
  }
})

test('who unsubscribes in words that Twilio does not know gets nothing either; a sentence with one is noted for the team', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world, { stop_words: ['Kein Plausch'] })
  expect((await as.ada(calls.get, { query: { inbox_id: world.billing.id } })).data?.stop_words).toEqual([
    'Kein Plausch',
  ])
  // Clients that do not know them keep them.
  await connect(as, world)
  const problem = 'The number has unsubscribed. It accepts messages again after it has sent START.'
  for (const [from, body] of [
    ['+12025550141', 'Arrêt, s’il vous plaît'],
    ['+12025550142', 'kein plausch!'],
  ] as const) {
    const { id } = await write(as, server, from, 'Hello')
    await write(as, server, from, 'Please stop writing about hats')
    await vi.waitFor(async () => {
      const note = (await threadOf(as, id)).at(-1)
      expect(note).toMatchObject({ private: true, type: 'bot' })
      expect(note?.body).toContain('may ask you to send no more text messages')
    }, TIMEOUT)
    await answer(as, id, 'Sorry', { send_anyway: true })
    await vi.waitFor(async () => expect(await sentTo(from)).toEqual(['Sorry']), TIMEOUT)
    await write(as, server, from, body)
    await answer(as, id, 'Wait!')
    await vi.waitFor(async () => {
      expect((await deliveriesOf(as, id)).map((delivery) => [delivery.state, delivery.problem])).toContainEqual([
        'failed',
        problem,
      ])
    }, TIMEOUT)
    expect(await sentTo(from)).toEqual(['Sorry'])
    const refusal = await refusalOf(as.ben(calls.send, { body: { to: from, body: 'And now?' } }))
    expect(refusal.message).toBe(problem)
  }
})

test('rate limits of Twilio are respected, and everything arrives in order after its errors', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const from = '+12025550130'
  const { id } = await write(as, server, from, 'Hello')
  twilio.fail('POST /2010', { status: 429, headers: { 'retry-after': '120' }, body: { code: 20429 } })
  await answer(as, id, 'one')
  await answer(as, id, 'two')
  await vi.waitFor(async () => {
    const { state, paused_until, problem } = await health(as)
    expect({ state, problem }).toEqual({
      state: 'resting',
      problem: 'Twilio limits the number of requests. It will be retried later.',
    })
    expect(Date.parse(paused_until!) - Date.now()).toBeGreaterThan(60_000)
  }, TIMEOUT)
  twilio.fail('POST /2010', { status: 500 })
  await passTime(server)
  await vi.waitFor(
    async () =>
      expect((await deliveriesOf(as, id)).map(({ problem }) => problem)).toContain(
        'Twilio returned an error (500). It will be retried automatically.',
      ),
    TIMEOUT,
  )
  await passTime(server)
  await vi.waitFor(async () => expect(await sentTo(from)).toEqual(['one', 'two']), TIMEOUT)
})

const unknownOutcomes = {
  'whose answer was lost': () => twilio.lose('POST /2010'),
  'that was answered with a fault of Twilio': () => twilio.failAfter('POST /2010', { status: 502, body: {} }),
  'by an account on trial, whose answer was lost,': () => {
    twilio.onTrial(true)
    twilio.lose('POST /2010')
  },
}
test.for(Object.entries(unknownOutcomes))(
  'whether a message left %s is looked up there, so that it is sent once',
  async ([, goesWrong], { as, server, world }) => {
    await connect(as, world)
    const from = `+1202555${1300 + Object.values(unknownOutcomes).indexOf(goesWrong)}`
    const { id } = await write(as, server, from, 'Hello')
    goesWrong()
    await answer(as, id, 'Once')
    await vi.waitFor(
      async () => expect(await deliveriesOf(as, id)).toMatchObject([{ state: 'waiting', tries: 1 }]),
      TIMEOUT,
    )
    await vi.waitFor(async () => expect((await deliveriesOf(as, id))[0]!.problem).toBeTruthy(), TIMEOUT)
    await passTime(server)
    await vi.waitFor(async () => expect(await deliveriesOf(as, id)).toMatchObject([{ state: 'sent' }]), TIMEOUT)
    expect(await sentTo(from)).toEqual(['Once'])
    twilio.onTrial(false)
  },
)

test('a revoked token breaks the connection, notifies the admins, and waiting messages are sent after reconnecting', async ({
  as,
  server,
  world,
}) => {
  const id = await connect(as, world)
  const from = '+12025550132'
  const conversation = await write(as, server, from, 'Hello')
  twilio.revoke(true)
  await pollAll(server.context)
  await vi.waitFor(async () => expect(await health(as)).toMatchObject({ id, state: 'broken' }), TIMEOUT)
  expect((await health(as)).problem).toContain('Connect it again.')
  const written = (await as.ada(mails.list)).data.filter(({ kind }) => kind === 'integration_broken')
  expect(written.map(({ recipient }) => recipient)).toContain(world.ada.email)
  await answer(as, conversation.id, 'Kept')
  twilio.revoke(false)
  expect(await connect(as, world)).toBe(id)
  await vi.waitFor(async () => expect(await sentTo(from)).toEqual(['Kept']), TIMEOUT)
})
