import { vi } from 'vitest'
import { deliveries } from '#contract/connections/deliveries.ts'
import { integrations } from '#contract/connections/integrations.ts'
import { SECOND_NUMBER } from '#tests/emulators/twilio.ts'
import { expect } from '#tests/support/fixture.ts'
import { answer, connect, endTwilio, health, sentTo, TIMEOUT, test, twilio, write } from '#tests/support/twilio.ts'

test.afterEach(({ as }) => endTwilio(as))

const WAITS = 'Twilio is disconnected. Reconnect it under Integrations → Twilio.'

test('replies to a disconnected channel wait with a reason and are sent in order, once, when it is connected again', async ({
  as,
  server,
  world,
}) => {
  const id = await connect(as, world)
  const phone = '+12025550121'
  const { id: conversation_id } = await write(as, server, phone, 'Is anybody there?')
  const channel = async () => (await as.ben(deliveries.channel, { params: { conversation_id } })).data
  const list = async () => (await as.ben(deliveries.ofConversation, { params: { conversation_id } })).data.toReversed()
  expect(await channel()).toBeNull()
  await as.ada(integrations.remove, { params: { id } })
  expect(await channel()).toEqual({ integration: 'twilio', inbox_id: world.billing.id, waits: true, problem: WAITS })
  await expect(as.olga(deliveries.channel, { params: { conversation_id } })).rejects.toMatchObject({ status: 404 })
  await answer(as, conversation_id, 'one')
  await answer(as, conversation_id, 'two')
  const waiting = { state: 'waiting', problem: WAITS, next_try_at: null }
  await vi.waitFor(async () => expect(await list()).toMatchObject([waiting, waiting]), TIMEOUT)
  const [first] = await list()
  await expect(as.ben(deliveries.retry, { params: { id: first!.id } })).rejects.toThrow(WAITS)
  expect(await sentTo(phone)).toEqual([])
  expect(await connect(as, world)).toBe(id)
  await vi.waitFor(async () => expect(await sentTo(phone)).toEqual(['one', 'two']), TIMEOUT)
  await vi.waitFor(
    async () =>
      expect((await list()).map(({ state, problem }) => [state, problem])).toEqual([
        ['sent', null],
        ['sent', null],
      ]),
    TIMEOUT,
  )
  expect(await channel()).toBeNull()
})

test('what waits for a disconnected number is sent from the one that is connected instead', async ({
  as,
  server,
  world,
}) => {
  const id = await connect(as, world)
  const phone = '+12025550122'
  const { id: conversation_id } = await write(as, server, phone, 'Hello')
  await as.ada(integrations.remove, { params: { id } })
  await answer(as, conversation_id, 'from the old number')
  await vi.waitFor(
    async () =>
      expect((await as.ben(deliveries.ofConversation, { params: { conversation_id } })).data).toMatchObject([
        { problem: WAITS },
      ]),
    TIMEOUT,
  )
  expect(await connect(as, world, { from_phone_number: SECOND_NUMBER })).not.toBe(id)
  await answer(as, conversation_id, 'from the new number')
  await vi.waitFor(
    async () => expect(await sentTo(phone)).toEqual(['from the old number', 'from the new number']),
    TIMEOUT,
  )
})

test('a test that succeeds ends the state “Action required”, and sends what waited, each of which showed the reason', async ({
  as,
  server,
  world,
}) => {
  const id = await connect(as, world)
  const phone = '+12025550123'
  const { id: conversation_id } = await write(as, server, phone, 'Hello')
  twilio.revoke(true)
  const list = async () => (await as.ben(deliveries.ofConversation, { params: { conversation_id } })).data.toReversed()
  await answer(as, conversation_id, 'one')
  await vi.waitFor(async () => expect((await health(as)).state).toBe('broken'), TIMEOUT)
  const { problem } = await health(as)
  await answer(as, conversation_id, 'two')
  const waiting = { state: 'waiting', problem }
  await vi.waitFor(async () => expect(await list()).toMatchObject([waiting, waiting]), TIMEOUT)
  const channel = (await as.ben(deliveries.channel, { params: { conversation_id } })).data
  expect(channel).toMatchObject({ integration: 'twilio', problem, waits: true })
  await expect(as.ben(deliveries.retry, { params: { id: (await list())[1]!.id } })).rejects.toThrow(problem!)
  await expect(as.ada(integrations.test, { params: { id } })).rejects.toThrow()
  expect((await health(as)).state).toBe('broken')
  twilio.revoke(false)
  expect((await as.ada(integrations.test, { params: { id } })).data).toMatchObject({
    state: 'connected',
    problem: null,
  })
  await vi.waitFor(async () => expect(await sentTo(phone)).toEqual(['one', 'two']), TIMEOUT)
})
