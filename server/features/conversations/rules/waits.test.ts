import { sql } from 'kysely'
import { afterEach } from 'vitest'
import type { ConversationAction } from '#contract/conversations/conversation-actions.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import type { WaitTrigger } from '#contract/conversations/rule-triggers.ts'
import { bystandersMayChange } from '#tests/support/bystanders/watched.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import { createRule, deleteRules, eventsOf } from '#tests/support/rules.ts'
import { startConversation } from '#tests/support/world.ts'
import { sweepWaits } from './sweep.ts'

const MINUTE = 60_000
let callers: Callers | undefined
const test = base.extend('rulesOf', ({ as, world }) => {
  // Their customers wait, too.
  bystandersMayChange({ account_id: world.acme.id })
  callers = as
  return as
})
afterEach(async () => {
  if (callers) await deleteRules(callers)
  callers = undefined
})

const actions: ConversationAction[] = [{ action: 'add_note', body: 'It takes long' }]
const waiting = (on: WaitTrigger['on'], minutes = 120): WaitTrigger => ({ on, minutes, in_working_hours: false })

test('when it is first asked who waits, the database learns at once how many do', async ({
  rulesOf: as,
  server,
  world,
}) => {
  await startConversation(server, world.carla)
  const readEstimate = async () => {
    const { rows } = await sql<{ count: number }>`
      select reltuples::integer as count from pg_class where relname = 'conversation_waits'`.execute(server.context.db)
    return rows[0]?.count
  }
  expect(await readEstimate()).toBe(-1)
  await createRule(as, { trigger: waiting('waiting_for_team'), actions })
  expect(await readEstimate()).toBeGreaterThan(0)
})

test('a rule runs once for each wait, after its time, even if it is looked for twice', async ({
  rulesOf: as,
  server,
  world,
}) => {
  await createRule(as, { trigger: waiting('waiting_for_team'), actions })
  const { conversation_id } = await startConversation(server, world.carla)
  const sweep = (minutes: number) => sweepWaits(server.context, new Date(Date.now() + minutes * MINUTE))
  const since = server.context.db
    .selectFrom('conversation_waits')
    .select('waiting_for')
    .where('conversation_id', '=', conversation_id)
  await expect.poll(() => since.execute()).toEqual([{ waiting_for: 'team' }])
  await sweep(119)
  const events = server.context.db.selectFrom('rule_events').select('id').where('conversation_id', '=', conversation_id)
  expect(await events.execute()).toEqual([])
  await sweep(121)
  await server.context.db
    .updateTable('rules')
    .set({ swept_until: new Date(Date.now() - MINUTE).toISOString() })
    .where('swept_until', 'is not', null)
    .execute()
  await Promise.all([sweep(122), sweep(122)])
  expect(await eventsOf(as, conversation_id)).toMatchObject([
    { trigger: 'waiting_for_team', runs: [{ state: 'done', effects: [{ outcome: 'done' }] }] },
  ])
})

test('an answer in time ends the wait for the team and begins that for the customer', async ({
  rulesOf: as,
  server,
  world,
}) => {
  await createRule(as, { name: 'team', trigger: waiting('waiting_for_team'), actions })
  await createRule(as, { name: 'customer', trigger: waiting('waiting_for_customer'), actions })
  const { conversation_id } = await startConversation(server, world.carla)
  await as.ben(messages.create, { body: { message: { conversation_id, body: 'Which lamp?' } } })
  const since = server.context.db
    .selectFrom('conversation_waits')
    .select('waiting_for')
    .where('conversation_id', '=', conversation_id)
  await expect.poll(() => since.execute()).toEqual([{ waiting_for: 'customer' }])
  await sweepWaits(server.context, new Date(Date.now() + 121 * MINUTE))
  const [event] = await eventsOf(as, conversation_id)
  expect(event!.runs.map(({ rule_name }) => rule_name)).toEqual(['customer'])
})

test('closed and snoozed conversations wait for nobody', async ({ rulesOf: as, server, world }) => {
  await createRule(as, { trigger: waiting('open_since', 60), actions })
  const ids: string[] = []
  for (const conversation of [{ status: 'closed' as const }, { snoozed: { until: null } }, {}]) {
    const { conversation_id: id } = await startConversation(server, world.carla)
    await as.ben(conversations.update, { params: { id }, body: { conversation } })
    ids.push(id)
  }
  await sweepWaits(server.context, new Date(Date.now() + 61 * MINUTE))
  await eventsOf(as, ids[2]!)
  const rows = server.context.db.selectFrom('rule_events').select('conversation_id').where('conversation_id', 'in', ids)
  expect(await rows.execute()).toEqual([{ conversation_id: ids[2] }])
})

test('what waited longer already when the rule was switched on is left alone', async ({
  rulesOf: as,
  server,
  world,
}) => {
  const { conversation_id: old } = await startConversation(server, world.carla)
  const { conversation_id: recent } = await startConversation(server, world.carla)
  const ago = new Date(Date.now() - 180 * MINUTE).toISOString()
  await server.context.db.updateTable('messages').set({ created_at: ago }).where('conversation_id', '=', old).execute()
  await createRule(as, { trigger: waiting('waiting_for_team'), actions })
  await sweepWaits(server.context, new Date(Date.now() + 121 * MINUTE))
  await eventsOf(as, recent)
  const rows = server.context.db.selectFrom('rule_events').select('id').where('conversation_id', '=', old)
  expect(await rows.execute()).toEqual([])
})

test('who waits is read from the messages when the first such rule is switched on, not from what former rules knew', async ({
  rulesOf: as,
  server,
  world,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  await server.context.db
    .insertInto('conversation_waits')
    .values({ account_id: world.acme.id, conversation_id, waiting_for: 'customer', since: '2020-01-01T00:00:00Z' })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'conversation_id']).doUpdateSet({ waiting_for: 'customer' }),
    )
    .execute()
  await as.carla(messages.create, { body: { message: { conversation_id, body: 'Hello again?' } } })
  await createRule(as, { trigger: waiting('waiting_for_team'), actions })
  const { data } = await as.ben(messages.list, { query: { conversation_id } })
  const rows = server.context.db
    .selectFrom('conversation_waits')
    .select(['waiting_for', 'since'])
    .where('conversation_id', '=', conversation_id)
  expect(await rows.execute()).toEqual([{ waiting_for: 'team', since: data.at(-1)!.created_at }])
})
