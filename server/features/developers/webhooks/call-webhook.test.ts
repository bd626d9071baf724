import { Webhook } from 'standardwebhooks'
import { afterAll, vi } from 'vitest'
import { macros } from '#contract/conversations/macros.ts'
import { messages } from '#contract/conversations/messages.ts'
import { rules } from '#contract/conversations/rules.ts'
import { eventSubscriptions } from '#contract/developers/webhooks.ts'
import { expect, refusalOf } from '#tests/support/fixture.ts'
import { createRule, deleteRules, eventsOf } from '#tests/support/rules.ts'
import {
  closeReceivers,
  passTime,
  receiver,
  removeWebhooks,
  renewReceiver,
  subscribe,
  TIMEOUT,
  test,
  writeAsVisitor,
} from '#tests/support/webhooks.ts'

test.beforeEach(renewReceiver)
test.afterEach(async ({ as }) => {
  await deleteRules(as)
  await removeWebhooks(as)
})
afterAll(closeReceivers)

/** The calls of a rule or macro that arrived, without other events. */
const calls = () => receiver.received.filter(({ body }) => body.event === 'webhook:called')

test('a rule sends the conversation to a webhook of the team, signed, and again until it is taken', async ({
  as,
  server,
  world,
}) => {
  const { id } = await subscribe(as.ada, { events: ['conversation:rated'] })
  const { secret } = (await as.ada(eventSubscriptions.reveal, { params: { id } })).data
  await createRule(as, { actions: [{ action: 'call_webhook', webhook_id: id }] })
  receiver.answer((_call, response) => void response.writeHead(503).end())
  const { conversation_id } = await writeAsVisitor(server, world, 'My lamp is broken')
  await vi.waitFor(() => expect(calls()).toHaveLength(1), TIMEOUT)
  receiver.answer((_call, response) => void response.end())
  // The first try is recorded before it is due again.
  await vi.waitFor(async () => {
    const { data } = await as.ada(eventSubscriptions.deliveries, { params: { id } })
    expect(data.map(({ event, attempts }) => [event, attempts])).toEqual([['webhook:called', 1]])
  }, TIMEOUT)
  await passTime(server)
  await vi.waitFor(() => expect(calls()).toHaveLength(2), TIMEOUT)
  const [first, second] = calls()
  expect(second?.body).toMatchObject({
    event: 'webhook:called',
    payload: { id: conversation_id, object: 'conversation' },
  })
  expect(second?.text).toBe(first?.text)
  const headers = second!.headers as Record<string, string>
  expect(headers['webhook-id']).toBe((first!.headers as Record<string, string>)['webhook-id'])
  expect(new Webhook(secret).verify(second!.text, headers)).toEqual(second?.body)
  const [event] = await eventsOf(as, conversation_id)
  expect(event?.runs[0]?.effects).toMatchObject([{ outcome: 'done' }])
})

test('a macro calls a webhook, too', async ({ as, server, world }) => {
  const { id } = await subscribe(as.ada, { events: ['conversation:rated'] })
  const draft = { name: 'Call', actions: [{ action: 'call_webhook' as const, webhook_id: id }] }
  const { data: macro } = await as.ada(macros.create, { body: { macro: draft } })
  const { conversation_id } = await writeAsVisitor(server, world, 'Please call')
  await as.ada(macros.run, { params: { id: macro.id }, body: { conversation_id } })
  await vi.waitFor(() => expect(calls()).toHaveLength(1), TIMEOUT)
  await as.ada(macros.remove, { params: { id: macro.id } })
})

test('a rule whose webhook was deleted is switched off and says so; one that never was verified cannot be chosen', async ({
  as,
  server,
  world,
}) => {
  const { id } = await subscribe(as.ada)
  const rule = await createRule(as, { actions: [{ action: 'call_webhook', webhook_id: id }] })
  await as.ada(eventSubscriptions.remove, { params: { id } })
  const { conversation_id } = await writeAsVisitor(server, world, 'Anybody there?')
  const [event] = await eventsOf(as, conversation_id)
  expect(event?.runs[0]).toMatchObject({ state: 'failed', effects: [{ outcome: 'refused' }] })
  const { data } = await as.ada(rules.get, { params: { id: rule.id } })
  expect(data).toMatchObject({ is_on: false, problem: 'target' })

  const unverified = await subscribe(as.ada, { webhook_url: `${receiver.url}/nobody` })
  const actions = [{ action: 'call_webhook' as const, webhook_id: unverified.id }]
  const refusal = await refusalOf(createRule(as, { actions }))
  expect(refusal.status).toBe(422)
  await as.ada(messages.create, { body: { message: { conversation_id, body: 'Yes' } } })
  expect(calls()).toEqual([])
})
