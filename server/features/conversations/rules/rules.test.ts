import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { audit } from '#contract/accounts/audit.ts'
import type { ConversationAction } from '#contract/conversations/conversation-actions.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { rules } from '#contract/conversations/rules.ts'
import { tags } from '#contract/customers/tags.ts'
import { inboxes } from '#contract/widget/inboxes.ts'
import type { WorkingHours } from '#contract/widget/working-hours.ts'
import { bystandersMayChange } from '#tests/support/bystanders/watched.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import { createRule, deleteRules, eventsOf, listRules } from '#tests/support/rules.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

let callers: Callers | undefined
const test = base.extend('rulesOf', ({ as }) => {
  callers = as
  return as
})
afterEach(async () => {
  if (callers) await deleteRules(callers)
  callers = undefined
})

async function createTag(as: Callers, name = randomUUID()) {
  return (await as.ada(tags.create, { body: { tag: { name } } })).data.id
}

const note = (body = 'Look at this'): ConversationAction => ({ action: 'add_note', body })

test('a rule tags what a customer writes, and the conversation says which rule did it', async ({
  rulesOf: as,
  server,
  world,
}) => {
  const tag_id = await createTag(as)
  const contains = { field: 'text' as const, operator: 'contains' as const, values: ['remboursé', 'refund'] }
  const rule = await createRule(as, {
    name: 'Refunds',
    conditions: [[contains]],
    actions: [{ action: 'add_tag', tag_id }],
  })
  const { conversation_id: id } = await startConversation(server, world.carla, 'May I get a REFUND, please?')
  const [event] = await eventsOf(as, id)
  expect(event).toMatchObject({
    trigger: 'customer_message',
    runs: [{ rule_id: rule.id, rule_name: 'Refunds', state: 'done', effects: [{ outcome: 'done' }] }],
  })
  const { data } = await as.ben(conversations.get, { params: { id } })
  expect(data.tags.map((tag) => tag.id)).toEqual([tag_id])
  expect((await as.ada(rules.get, { params: { id: rule.id } })).data).toMatchObject({ run_count: 1 })
})

test('a rule is not applied to what happened before it was switched on', async ({ rulesOf: as, server, world }) => {
  const off = await createRule(as, { name: 'Switched on later', actions: [note()], is_on: false })
  const before = await server.context.db.transaction().execute(async (trx) => {
    // An open transaction holds the log up: none of this is read before both rules are on.
    await sql`select pg_current_xact_id()`.execute(trx)
    const started = await startConversation(server, world.carla)
    await createRule(as, { name: 'Created later', actions: [note()] })
    await as.ada(rules.update, { params: { id: off.id }, body: { rule: { is_on: true } } })
    return started
  })
  const after = await startConversation(server, world.carla)
  const [event] = await eventsOf(as, after.conversation_id)
  expect(event?.runs.map(({ rule_name }) => rule_name)).toEqual(['Switched on later', 'Created later'])
  expect(await eventsOf(as, before.conversation_id, 0)).toEqual([])
})

test('a rule that did not run says which conditions failed', async ({ rulesOf: as, server, world }) => {
  const contains = { field: 'text' as const, operator: 'contains' as const, values: ['refund'] }
  const rule = await createRule(as, { name: 'Refunds', conditions: [[contains]], actions: [note()] })
  const { conversation_id } = await startConversation(server, world.carla, 'Where are you?')
  const [event] = await eventsOf(as, conversation_id)
  expect(event).toMatchObject({ runs: [], misses: [{ rule_id: rule.id, rule_name: 'Refunds', failed: [contains] }] })
})

test('rules run in their order, and none behind one that stops', async ({ rulesOf: as, server, world }) => {
  await createRule(as, { name: 'second', actions: [note('second')], stops: true })
  await createRule(as, { name: 'third', actions: [note('third')] })
  const { id } = await createRule(as, { name: 'first', actions: [note('first')] })
  // All rules have a position.
  bystandersMayChange({ account_id: world.acme.id })
  const { data: ordered } = await as.ada(rules.reorder, { body: { ids: [id] } })
  expect(ordered.map(({ name }) => name).filter((name) => !name.startsWith('Bystander'))).toEqual([
    'first',
    'second',
    'third',
  ])
  const { conversation_id } = await startConversation(server, world.carla)
  const [event] = await eventsOf(as, conversation_id)
  expect(event!.runs.map(({ rule_name }) => rule_name)).toEqual(['first', 'second'])
  expect(event!.misses).toMatchObject([{ rule_name: 'third', failed: null }])
})

test('a rule is switched off until somebody switches it on, and members see and change none', async ({
  rulesOf: as,
  server,
  world,
}) => {
  const { id } = await createRule(as, { actions: [note()], is_on: false })
  await createRule(as, { name: 'witness', actions: [note('witness')] })
  const { conversation_id } = await startConversation(server, world.carla)
  const [event] = await eventsOf(as, conversation_id)
  expect(event!.runs.map(({ rule_name }) => rule_name)).toEqual(['witness'])
  await expect(as.ben(rules.list)).rejects.toMatchObject({ status: 401 })
  await expect(as.ben(rules.update, { params: { id }, body: { rule: { is_on: true } } })).rejects.toMatchObject({
    status: 401,
  })
  await expect(as.olga(rules.get, { params: { id } })).rejects.toMatchObject({ status: 404 })
  await as.ada(rules.update, { params: { id }, body: { rule: { is_on: true } } })
  const { data } = await as.ada(audit.list, { query: { action: 'rule' } })
  expect(data.map(({ action }) => action)).toEqual(expect.arrayContaining(['rule.created', 'rule.updated']))
})

test('two rules that undo each other stop and both say so', async ({ rulesOf: as, server, world }) => {
  const on = { on: 'conversation_changed' as const }
  const is = (values: string[]) => [[{ field: 'priority' as const, operator: 'is' as const, values }]]
  const set = (priority: 'priority' | 'not_priority'): ConversationAction[] => [{ action: 'set_priority', priority }]
  await createRule(as, { name: 'up', trigger: on, conditions: is(['not_priority']), actions: set('priority') })
  await createRule(as, { name: 'down', trigger: on, conditions: is(['priority']), actions: set('not_priority') })
  const { conversation_id: id } = await startConversation(server, world.carla)
  await as.ben(conversations.update, { params: { id }, body: { conversation: { priority: 'priority' } } })
  const states = async () => (await listRules(as)).map(({ is_on, problem }) => ({ is_on, problem }))
  const stopped = { is_on: false, problem: 'loop' }
  await expect.poll(states, { timeout: 15_000 }).toEqual([stopped, stopped])
  expect((await eventsOf(as, id, 3)).length).toBeLessThanOrEqual(4)
})

test('rules that lead to each other without undoing anything are no loop', async ({ rulesOf: as, server, world }) => {
  const on = { on: 'conversation_changed' as const }
  const tag_id = await createTag(as)
  await createRule(as, { name: 'tag', trigger: on, actions: [{ action: 'add_tag', tag_id }] })
  await createRule(as, { name: 'hurry', trigger: on, actions: [{ action: 'set_priority', priority: 'priority' }] })
  const { conversation_id: id } = await startConversation(server, world.carla)
  await as.ben(conversations.update, { params: { id }, body: { conversation: { assignee_id: world.ben.id } } })
  await eventsOf(as, id, 3)
  expect((await listRules(as)).map(({ is_on, problem }) => ({ is_on, problem }))).toEqual([
    { is_on: true, problem: null },
    { is_on: true, problem: null },
  ])
})

test('a rule whose tag is deleted is switched off, and cannot be switched on before it is changed', async ({
  rulesOf: as,
  world,
}) => {
  const tag_id = await createTag(as)
  const { id } = await createRule(as, { actions: [{ action: 'add_tag', tag_id }] })
  const { id: other_id } = await createRule(as, { actions: [{ action: 'assign', user_id: world.ben.id }] })
  await as.ada(tags.remove, { params: { id: tag_id } })
  const read = async (params: { id: string }) => (await as.ada(rules.get, { params })).data
  await expect.poll(() => read({ id }), { timeout: 15_000 }).toMatchObject({ is_on: false, problem: 'target' })
  expect(await read({ id: other_id })).toMatchObject({ is_on: true, problem: null })
  const on = { params: { id }, body: { rule: { is_on: true } } }
  await expect(as.ada(rules.update, on)).rejects.toMatchObject({ status: 422 })
  const repaired = { params: { id }, body: { rule: { is_on: true, actions: [note()] } } }
  expect((await as.ada(rules.update, repaired)).data).toMatchObject({ is_on: true, problem: null })
})

test('a customer gets one automatic answer at a time, however many rules and conversations there are', async ({
  rulesOf: as,
  server,
  world,
}) => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Hasty' })
  const answer = (body: string): ConversationAction[] => [{ action: 'answer', body }]
  await createRule(as, { name: 'one', actions: answer('We are on it.') })
  await createRule(as, { name: 'two', actions: answer('We are on it, too.') })
  const { conversation_id } = await startConversation(server, visitor)
  const [event] = await eventsOf(as, conversation_id)
  expect(event!.runs.map(({ effects }) => effects[0])).toMatchObject([
    { outcome: 'done' },
    { outcome: 'held_back', reason: 'Another rule has answered already.' },
  ])
  const again = await startConversation(server, visitor, 'Hello again?')
  const [later] = await eventsOf(as, again.conversation_id)
  expect(later!.runs[0]!.effects).toMatchObject([
    { outcome: 'held_back', reason: expect.stringContaining('10 minutes') },
  ])
  const { data } = await as.ben(messages.list, { query: { conversation_id } })
  expect(data.map(({ body, type }) => ({ body, type }))).toEqual([
    { body: 'We are on it.', type: 'bot' },
    { body: 'Hello?', type: 'reply' },
  ])
})

test('no rule answers an automatic mail, or a customer who has marked a mail as spam', async ({
  rulesOf: as,
  server,
  world,
}) => {
  const { db } = server.context
  const account_id = world.acme.id
  const trigger = { on: 'conversation_changed' as const }
  await createRule(as, { trigger, actions: [{ action: 'answer', body: 'We are on it.' }] })
  const reasonFor = async (id: string) => {
    await as.ben(conversations.update, { params: { id }, body: { conversation: { priority: 'priority' } } })
    return (await eventsOf(as, id))[0]!.runs[0]!.effects[0]!.reason
  }
  const robot = await startVisitor(server, account_id, { name: 'Robot' })
  const { conversation_id, message } = await startConversation(server, robot)
  const mail = {
    account_id,
    conversation_id,
    message_id: message.id,
    direction: 'in' as const,
    subject: 'Out of office',
  }
  await db
    .insertInto('message_mails')
    .values({ ...mail, verdict: 'automatic' })
    .execute()
  expect(await reasonFor(conversation_id)).toBe('The newest message is an automatic mail.')
  const annoyed = await startVisitor(server, account_id, { name: 'Annoyed' })
  const { conversation_id: other } = await startConversation(server, annoyed)
  const complained_at = new Date().toISOString()
  await db.updateTable('customers').set({ complained_at }).where('id', '=', annoyed.customer_id).execute()
  expect(await reasonFor(other)).toContain('marked one as spam')
})

test('trying a rule shows which conversations would have matched, and changes nothing', async ({
  rulesOf: as,
  server,
  world,
}) => {
  const { conversation_id: matching } = await startConversation(server, world.carla, 'My parcel is broken')
  const { conversation_id: other } = await startConversation(server, world.carla, 'Opening hours?')
  const condition = { field: 'text' as const, operator: 'contains' as const, values: ['broken'] }
  const body = { rule: { trigger: { on: 'customer_message' as const }, conditions: [[condition]] } }
  const { data } = await as.ada(rules.tryOut, { body })
  const trialOf = (id: string) => data.find(({ conversation_id }) => conversation_id === id)
  expect(trialOf(matching)).toMatchObject({ matches: true, failed: null, preview: 'My parcel is broken' })
  expect(trialOf(other)).toMatchObject({ matches: false, failed: [condition] })
  expect((await as.ada(rules.ofConversation, { params: { id: matching } })).data).toEqual([])
})

test('within working hours means those of the inbox, if it has its own', async ({ rulesOf: as, server, world }) => {
  const setZone = (time_zone: string | null) => as.ada(accounts.update, { body: { account: { time_zone } } })
  const setHours = (working_hours: WorkingHours[] | null) =>
    as.ada(inboxes.update, { params: { id: world.billing.id }, body: { inbox: { working_hours } } })
  await setZone('Etc/UTC')
  await setHours([{ day: 'everyday', start_minute: 0, end_minute: 1439 }])
  const { conversation_id: open } = await startConversation(server, world.carla, 'Open?', world.billing.id)
  const { conversation_id: closed } = await startConversation(server, world.carla, 'Closed?', world.website.id)
  const condition = { field: 'in_working_hours' as const, operator: 'is_true' as const, values: [] }
  const body = { rule: { trigger: { on: 'customer_message' as const }, conditions: [[condition]] } }
  const { data } = await as.ada(rules.tryOut, { body })
  const matches = (id: string) => data.find(({ conversation_id }) => conversation_id === id)?.matches
  await setZone(null)
  await setHours(null)
  expect([matches(open), matches(closed)]).toEqual([true, false])
})

test('conditions that fit neither field nor trigger are refused, and so is what does not exist', async ({
  rulesOf: as,
  world,
}) => {
  const refused = (rule: object) => as.ada(rules.create, { body: { rule: { name: 'x', ...rule } } } as never)
  const trigger = { on: 'conversation_created' }
  const actions = [note()]
  const conditions = (condition: object) => [[{ values: [], ...condition }]]
  for (const rule of [
    { trigger, actions: [] },
    { trigger, actions, conditions: conditions({ field: 'text', operator: 'contains', values: ['x'] }) },
    { trigger, actions, conditions: conditions({ field: 'inbox', operator: 'contains', values: ['x'] }) },
    { trigger, actions, conditions: conditions({ field: 'status', operator: 'is', values: ['ajar'] }) },
    { trigger, actions, conditions: conditions({ field: 'customer_metadata', operator: 'is', values: ['x'] }) },
    { trigger, actions, conditions: conditions({ field: 'subject', operator: 'contains', values: ['!!'] }) },
    { trigger, actions, conditions: conditions({ field: 'subject', operator: 'more_than', values: ['many'] }) },
    { trigger, actions: [{ action: 'add_tag', tag_id: randomUUID() }] },
    { trigger, actions: [{ action: 'assign', user_id: world.olga.id }] },
    { trigger: { on: 'waiting_for_team', minutes: 0, in_working_hours: false }, actions },
  ])
    await expect(refused(rule), JSON.stringify(rule)).rejects.toMatchObject({ status: 422 })
})

test('what happened to a conversation is deleted with it', async ({ rulesOf: as, server, world }) => {
  await createRule(as, { actions: [note()] })
  const { conversation_id } = await startConversation(server, world.carla)
  await eventsOf(as, conversation_id)
  await server.context.db.deleteFrom('conversations').where('id', '=', conversation_id).execute()
  const rows = server.context.db
    .selectFrom('rule_runs')
    .select('rule_id')
    .where('conversation_id', '=', conversation_id)
  expect(await rows.execute()).toEqual([])
})
