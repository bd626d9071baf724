import { afterAll } from 'vitest'
import { messages } from '#contract/conversations/messages.ts'
import { expect, test } from '#tests/support/fixture.ts'
import { createRule, eventsOf } from '#tests/support/rules.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { startConversation } from '#tests/support/world.ts'
import { applyRules } from './apply-runs.ts'

let second: TestServer | undefined
afterAll(() => second?.close())

test('a rule runs once for each event, on two servers and after a job that was done but not recorded', async ({
  as,
  server,
  world,
}) => {
  second = await startTestServer({}, undefined, server.database)
  const actions = [{ action: 'add_note' as const, body: 'Once' }]
  await createRule(as, { actions })
  const started = await Promise.all(Array.from({ length: 8 }, () => startConversation(server, world.carla)))
  for (const { conversation_id } of started) {
    const [event] = await eventsOf(as, conversation_id)
    const payload = { account_id: world.acme.id, event_id: event!.id, conversation_id }
    // As after a process that died between doing its work and saying so.
    await Promise.all([applyRules.run(server.context, payload), applyRules.run(second.context, payload)])
    const { data } = await as.ben(messages.list, { query: { conversation_id } })
    expect(data.filter(({ body }) => body === 'Once')).toHaveLength(1)
  }
})

test('work that is interrupted changes nothing, and is done by the next try', async ({ as, server, world }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const [event] = await eventsOf(as, conversation_id)
  const { db } = server.context
  await db.deleteFrom('messages').where('conversation_id', '=', conversation_id).where('type', '=', 'bot').execute()
  await db.updateTable('rule_runs').set({ state: 'waiting' }).where('event_id', '=', event!.id).execute()
  const payload = { account_id: world.acme.id, event_id: event!.id, conversation_id }
  const change: typeof server.context.change = (work) =>
    server.context.change(async (tx) => {
      await work(tx)
      throw new Error('killed')
    })
  await expect(applyRules.run({ ...server.context, change }, payload)).rejects.toThrow('killed')
  const notes = async () =>
    (await as.ben(messages.list, { query: { conversation_id } })).data.filter(({ type }) => type === 'bot')
  expect(await notes()).toEqual([])
  await applyRules.run(server.context, payload)
  expect(await notes()).toHaveLength(1)
})
