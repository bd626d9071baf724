import { randomUUID } from 'node:crypto'
import { afterEach } from 'vitest'
import { teams } from '#contract/accounts/teams.ts'
import { assignments } from '#contract/conversations/assignments.ts'
import type { ConversationAction } from '#contract/conversations/conversation-actions.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { deadlines } from '#contract/conversations/deadlines.ts'
import { macros } from '#contract/conversations/macros.ts'
import { messages } from '#contract/conversations/messages.ts'
import type { RuleCondition } from '#contract/conversations/rule-conditions.ts'
import { attributes } from '#contract/customers/attributes.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { test as base, type Callers, expect, statusOf } from '#tests/support/fixture.ts'
import { createRule, deleteRules, eventsOf, listRules } from '#tests/support/rules.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import { checkDeadlines } from '../deadlines/checking.ts'

const POLL = { timeout: 20_000, interval: 50 }

let callers: Callers | undefined
const test = base
  .extend('team', async ({ as }, { onCleanup }) => {
    const { data } = await as.ada(teams.create, { body: { team: { name: `Escalations ${randomUUID()}` } } })
    onCleanup(async () => {
      await as.ada(assignments.disbandTeam, { params: { id: data.id } }).catch(() => undefined)
    })
    return data
  })
  .extend('attribute', async ({ as }, { onCleanup }) => {
    const attribute_definition = { subject: 'conversation' as const, key: randomUUID(), name: `Area ${randomUUID()}` }
    const { data } = await as.ada(attributes.create, {
      body: { attribute_definition: { ...attribute_definition, kind: 'choice', choices: ['Billing', 'Shipping'] } },
    })
    onCleanup(async () => {
      await as.ada(attributes.remove, { params: { id: data.id } }).catch(() => undefined)
    })
    return data
  })
  .extend('begin', ({ as, server, world }) => async () => {
    callers = as
    const visitor = await startVisitor(server, world.acme.id, { name: 'Vera' })
    return (await startConversation(server, visitor, 'Hello?')).conversation_id
  })
afterEach(async () => {
  if (callers) await deleteRules(callers)
  callers = undefined
})

const note: ConversationAction[] = [{ action: 'add_note', body: 'Seen' }]

test('a missed deadline escalates: another team, priority and an attribute', async ({
  as,
  server,
  begin,
  team,
  attribute,
}) => {
  const policy = { name: 'Escalated', first_reply_minutes: 60, warn_minutes: 10, in_working_hours: false }
  const { data: created } = await as.ada(deadlines.createPolicy, { body: { policy } })
  const id = await begin()
  const row = async () => (await as.ben(conversations.get, { params: { id } })).data
  await expect.poll(async () => (await row()).due_kind, POLL).toBe('first_reply')
  const when = (condition: Omit<RuleCondition, 'values'> & { values?: string[] }) => [[{ values: [], ...condition }]]
  const actions: ConversationAction[] = [
    { action: 'set_team', team_id: team.id },
    { action: 'set_priority', priority: 'priority' },
    { action: 'set_attribute', key: attribute.key, value: 'billing' },
  ]
  const trigger = { on: 'deadline_broken' as const }
  const overdue = when({ field: 'deadline_overdue', operator: 'is_true' })
  await createRule(as, { name: 'escalate', trigger, conditions: overdue, actions })
  const far = when({ field: 'minutes_to_deadline', operator: 'more_than', values: ['0'] })
  await createRule(as, { name: 'too early', trigger, conditions: far, actions: note })
  const soon = when({ field: 'minutes_to_deadline', operator: 'less_than', values: ['60'] })
  await createRule(as, { name: 'warned', trigger: { on: 'deadline_warned' }, conditions: soon, actions: note })
  const none = when({ field: 'minutes_to_deadline', operator: 'is_not_set' })
  await createRule(as, { name: 'has none', trigger: { on: 'deadline_warned' }, conditions: none, actions: note })
  const { due_at } = await row()
  // Other events may not have been read yet; until then nobody knows whether the deadline was kept.
  const check = async (now: Date) => {
    await checkDeadlines(server.context, now)
    return (await as.ben(deadlines.ofConversation, { params: { id } })).data[0]
  }
  const isWarned = { warned_at: expect.any(String), broken_at: null }
  await expect.poll(() => check(new Date(Date.parse(due_at!) - 60_000)), POLL).toMatchObject(isWarned)
  const [warned] = await eventsOf(as, id)
  expect(warned).toMatchObject({ trigger: 'deadline_warned', runs: [{ rule_name: 'warned' }] })
  // An hour later, which nobody has to wait for here; again before each try, because events that are read meanwhile set it anew.
  const checkLater = async () => {
    const past = new Date(Date.now() - 60_000).toISOString()
    const { db } = server.context
    await db.updateTable('deadlines').set({ due_at: past }).where('conversation_id', '=', id).execute()
    await db.updateTable('conversations').set({ due_at: past }).where('id', '=', id).execute()
    return check(new Date())
  }
  await expect.poll(checkLater, POLL).toMatchObject({ broken_at: expect.any(String) })
  const [broken] = await eventsOf(as, id, 2)
  expect(broken).toMatchObject({ trigger: 'deadline_broken', runs: [{ rule_name: 'escalate', state: 'done' }] })
  expect(broken!.misses.map(({ rule_name }) => rule_name)).toEqual(['too early'])
  expect(await row()).toMatchObject({
    team_id: team.id,
    priority: 'priority',
    metadata: { [attribute.key]: 'Billing' },
  })
  await as.ada(deadlines.removePolicy, { params: { id: created.id } })
})

test('being given to somebody starts rules, and being given back does not', async ({ as, world, begin }) => {
  const id = await begin()
  await createRule(as, { trigger: { on: 'conversation_assigned' }, actions: note })
  for (const assignee_id of [world.ben.id, null])
    await as.ada(conversations.update, { params: { id }, body: { conversation: { assignee_id } } })
  expect(await eventsOf(as, id)).toMatchObject([{ trigger: 'conversation_assigned', runs: [{ state: 'done' }] }])
})

test('a change of the team can be asked for with the team before', async ({ as, begin, team }) => {
  const id = await begin()
  const was = (values: string[]): RuleCondition[][] => [
    [{ field: 'changed', operator: 'is', values: ['team'] }],
    [{ field: 'previous_team', operator: 'is', values }],
  ]
  const trigger = { on: 'conversation_changed' as const }
  await createRule(as, { name: 'had none', trigger, conditions: was(['nobody']), actions: note })
  await createRule(as, { name: 'had this', trigger, conditions: was([team.id]), actions: note })
  await as.ada(conversations.update, { params: { id }, body: { conversation: { team_id: team.id } } })
  const names = async () => (await eventsOf(as, id))[0]!.runs.map(({ rule_name }) => rule_name)
  await expect.poll(names, POLL).toEqual(['had none'])
})

test('a rule that names a team or an attribute that was deleted is switched off and says so', async ({
  as,
  begin,
  team,
  attribute,
}) => {
  await begin()
  const named: ConversationAction[][] = [
    [{ action: 'set_team', team_id: team.id }],
    [{ action: 'set_attribute', key: attribute.key, value: 'Billing' }],
  ]
  for (const actions of named) await createRule(as, { actions })
  await createRule(as, { conditions: [[{ field: 'team', operator: 'is_not', values: [team.id] }]], actions: note })
  await as.ada(assignments.disbandTeam, { params: { id: team.id } })
  await as.ada(attributes.remove, { params: { id: attribute.id } })
  const problems = async () => (await listRules(as)).map(({ is_on, problem }) => [is_on, problem])
  await expect.poll(problems, POLL).toEqual([
    [false, 'target'],
    [false, 'target'],
    [false, 'target'],
  ])
  for (const actions of named) expect(await statusOf(createRule(as, { actions }))).toBe(422)
})

test('an attribute is compared by its kind, and what does not fit holds for nothing but texts', async ({
  as,
  begin,
}) => {
  const id = await begin()
  const metadata = { seats: 12, renewal: '2026-03-01', vip: true, plan: 'Gold', odd: [1], below: -5 }
  await as.ben(conversations.update, { params: { id }, body: { conversation: { metadata } } })
  type Asked = [key: string, operator: RuleCondition['operator'], ...values: string[]]
  const holds: Asked[] = [
    ['seats', 'is', '12.0'],
    ['seats', 'more_than', '11'],
    ['renewal', 'before', '2026-03-02'],
    ['renewal', 'after', '2026-02-28'],
    ['renewal', 'is', '2026-03-01'],
    ['vip', 'is_true'],
    ['unknown', 'is_false'],
    ['plan', 'is', 'silver', 'gold'],
    ['odd', 'is_not_set'],
    ['below', 'is_not', '5'],
  ]
  const fails: Asked[] = [
    ['seats', 'before', '2026-03-02'],
    ['renewal', 'before', '2026-03-01'],
    ['plan', 'after', '2026-02-28'],
    ['plan', 'is_true'],
    ['constructor', 'is_set'],
  ]
  const conditionOf = ([key, operator, ...values]: Asked) => ({
    field: 'conversation_metadata' as const,
    key,
    operator,
    values,
  })
  const actions = note
  for (const asked of [...holds, ...fails])
    await createRule(as, { name: asked.join(' '), conditions: [[conditionOf(asked)]], actions })
  const { customer_id } = (await as.ben(conversations.get, { params: { id } })).data
  await as.ben(messages.create, { body: { message: { conversation_id: id, customer_id, body: 'And?' } } })
  // The first message may be read only now, when some of the rules exist.
  const newest = async () => {
    const [event] = await eventsOf(as, id)
    return {
      runs: event!.runs.map(({ rule_name }) => rule_name),
      misses: event!.misses.map(({ rule_name }) => rule_name),
    }
  }
  const names = (asked: Asked[]) => asked.map((condition) => condition.join(' '))
  await expect.poll(newest, POLL).toEqual({ runs: names(holds), misses: names(fails) })
  const wrong = { ...conditionOf(['renewal', 'before', 'soon']) }
  expect(await statusOf(createRule(as, { conditions: [[wrong]], actions }))).toBe(422)
})

test('a macro sets team and attribute, and tells what was there before', async ({ as, begin, team, attribute }) => {
  const id = await begin()
  const body = { attributes: { [attribute.key]: 'Shipping' } }
  await as.ben(conversations.setAttributes, { params: { id }, body })
  const actions: ConversationAction[] = [
    { action: 'set_team', team_id: team.id },
    { action: 'set_attribute', key: attribute.key, value: null },
  ]
  const { data: macro } = await as.ada(macros.create, { body: { macro: { name: 'Escalate', actions } } })
  const { data } = await as.ben(macros.run, { params: { id: macro.id }, body: { conversation_id: id } })
  expect(data.conversation).toMatchObject({ team_id: team.id, metadata: {} })
  expect(data.before).toMatchObject({ team_id: null, attributes: { [attribute.key]: 'Shipping' } })
  for (const { id: macro_id } of withoutBystanders((await as.ada(macros.list)).data))
    await as.ada(macros.remove, { params: { id: macro_id } })
})
