import { randomUUID } from 'node:crypto'
import { afterEach, describe } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { teams } from '#contract/accounts/teams.ts'
import { assignments } from '#contract/conversations/assignments.ts'
import type { ConversationAction, ConversationActionName } from '#contract/conversations/conversation-actions.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import type {
  RuleCondition,
  RuleConditions,
  RuleFieldName,
  RuleOperator,
} from '#contract/conversations/rule-conditions.ts'
import { attributes } from '#contract/customers/attributes.ts'
import { companies } from '#contract/customers/companies.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { tags } from '#contract/customers/tags.ts'
import { eventSubscriptions, WEBHOOK_CALLED } from '#contract/developers/webhooks.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import { createRule, deleteRules, eventsOf } from '#tests/support/rules.ts'
import { startVisitor, type World } from '#tests/support/world.ts'
import { prepareConditions } from './evaluate.ts'

// Each field, operator, trigger and action once. A new one does not compile, or fails, until it is here.

interface Scene {
  as: Callers
  world: World
  tag_id: string
  team_id: string
  /** The key of an attribute of conversations. */
  key: string
  webhook_id: string
  /** A conversation by mail of somebody at a company, with a subject and a tag. */
  conversation_id: string
}

let callers: Callers | undefined
const test = base.extend('scene', async ({ as, world, server }, { onCleanup }): Promise<Scene> => {
  callers = as
  const { data: company } = await as.ada(companies.create, { body: { company: { name: `Bäckerei ${randomUUID()}` } } })
  const { data: tag } = await as.ada(tags.create, { body: { tag: { name: randomUUID() } } })
  const email = `jose-${randomUUID()}@shop.example`
  const visitor = await startVisitor(server, world.acme.id, { name: 'José Müller', email, browser_language: 'de-AT' })
  const customer = { company_id: company.id, metadata: { plan: 'gold', orders: 12 } }
  await as.ada(customerProfiles.update, { params: { id: visitor.customer_id }, body: { customer } })
  const { customer_id } = visitor
  const start = { customer_id, inbox_id: world.billing.id, source: 'api' as const, subject: 'Broken lamp' }
  const { data } = await as.ada(conversations.create, { body: { conversation: start } })
  await as.ada(tags.addToConversation, { params: { id: data.id }, body: { tag_id: tag.id } })
  await as.ada(conversations.update, { params: { id: data.id }, body: { conversation: { assignee_id: world.ben.id } } })
  const { data: team } = await as.ada(teams.create, { body: { team: { name: randomUUID(), has_everybody: true } } })
  await as.ada(conversations.update, { params: { id: data.id }, body: { conversation: { team_id: team.id } } })
  const key = randomUUID()
  const attribute_definition = { subject: 'conversation' as const, key, name: key, kind: 'number' as const }
  const { data: attribute } = await as.ada(attributes.create, { body: { attribute_definition } })
  await as.ada(conversations.setAttributes, { params: { id: data.id }, body: { attributes: { [key]: 5 } } })
  const hook = { webhook_url: 'http://127.0.0.1:9/hook' }
  const { data: webhook } = await as.ada(eventSubscriptions.create, { body: { event_subscription: hook } })
  // Nothing listens there: only that it is called is seen here.
  await server.context.db
    .updateTable('event_subscriptions')
    .set({ verified: true })
    .where('id', '=', webhook.id)
    .execute()
  onCleanup(async () => {
    await as.ada(eventSubscriptions.remove, { params: { id: webhook.id } })
    await as.ada(attributes.remove, { params: { id: attribute.id } })
    await as.ada(assignments.disbandTeam, { params: { id: team.id } })
  })
  return { as, world, tag_id: tag.id, team_id: team.id, key, webhook_id: webhook.id, conversation_id: data.id }
})
afterEach(async () => {
  if (callers) await deleteRules(callers)
  callers = undefined
})

/** The customer writes. */
function write({ as, conversation_id }: Scene, body = 'The LÄMP is broken') {
  return as
    .ada(conversations.get, { params: { id: conversation_id } })
    .then(({ data: { customer_id } }) =>
      as.ada(messages.create, { body: { message: { conversation_id, customer_id, body } } }),
    )
}

type Case = Partial<RuleCondition> & Pick<RuleCondition, 'operator'>

/** For each field: a condition that holds in the scene, and one that does not. Those of deadlines have a test of their own. */
const FIELDS: Record<
  Exclude<RuleFieldName, `previous_${string}` | `${string}deadline${string}` | 'changed'>,
  (scene: Scene) => [Case, Case]
> = {
  inbox: ({ world }) => [is(world.billing.id), is(world.website.id)],
  channel: () => [is('email', 'api'), is('chat')],
  status: () => [is('open'), is('closed')],
  priority: () => [is('not_priority'), is('priority')],
  assignee: ({ world }) => [is(String(world.ben.id)), is('nobody')],
  team: ({ team_id }) => [is(team_id), is('nobody')],
  tags: ({ tag_id }) => [is(tag_id), { operator: 'is_not', values: [tag_id] }],
  subject: () => [text('starts_with', 'broken'), text('starts_with', 'lamp')],
  text: () => [text('contains', 'lamp is'), text('contains_none', 'LAMP')],
  is_first_message: () => [{ operator: 'is_true' }, { operator: 'is_false' }],
  assistant: () => [
    { operator: 'is_not', values: ['handed_over'] },
    { operator: 'is', values: ['handed_over'] },
  ],
  in_working_hours: () => [{ operator: 'is_false' }, { operator: 'is_true' }],
  customer_name: () => [text('is', 'jose muller'), text('is_not', 'jose muller')],
  customer_email: () => [text('starts_with', 'JOSE-'), text('contains', 'other.example')],
  customer_domain: () => [text('is', 'shop.example'), text('is', 'shop example')],
  customer_company: () => [text('contains', 'backerei'), { operator: 'is_not_set' }],
  customer_language: () => [text('is', 'de'), text('is', 'fr')],
  customer_metadata: () => [
    { operator: 'more_than', values: ['11.5'], key: 'orders' },
    { operator: 'less_than', values: ['12'], key: 'orders' },
  ],
  conversation_metadata: ({ key }) => [
    { operator: 'is', values: ['5.0'], key },
    { operator: 'is_not_set', key },
  ],
}

function is(...values: string[]): Case {
  return { operator: 'is', values }
}

function text(operator: RuleOperator, ...values: string[]): Case {
  return { operator, values }
}

describe('conditions', () => {
  const eachField = test.for(Object.entries(FIELDS))
  eachField('%s is compared with what the conversation says', async ([name, makeCases], { scene }) => {
    const field = name as RuleFieldName
    // Nobody works on Sundays and at no other time either: on every other day the minute before now.
    const now = new Date(Date.now() - 120_000)
    const minute = now.getUTCHours() * 60 + now.getUTCMinutes()
    const working_hours = [{ day: 'everyday' as const, start_minute: minute, end_minute: minute }]
    await scene.as.ada(accounts.update, { body: { account: { working_hours, time_zone: 'Etc/UTC' } } })
    const [holds, fails] = makeCases(scene)
    const conditions = (condition: Case): RuleConditions => [[{ values: [], ...condition, field }]]
    const actions: ConversationAction[] = [{ action: 'add_note', body: 'Seen' }]
    await createRule(scene.as, { name: 'holds', conditions: conditions(holds), actions })
    await createRule(scene.as, { name: 'fails', conditions: conditions(fails), actions })
    await write(scene)
    const [event] = await eventsOf(scene.as, scene.conversation_id)
    expect(event!.runs.map(({ rule_name }) => rule_name)).toEqual(['holds'])
    expect(event!.misses.map(({ rule_name }) => rule_name)).toEqual(['fails'])
    await scene.as.ada(accounts.update, { body: { account: { working_hours: [] } } })
  })
})

describe('operators', () => {
  const facts = (...values: string[]) => ({ read: () => values })
  const CASES: [RuleOperator, string[], holds: string[], fails: string[]][] = [
    ['contains', ['straße', 'road'], ['Große Straßen'], ['Allee']],
    ['contains_none', ['straße', 'road'], ['Allee'], ['the ROAD']],
    ['is', ['đà nẵng'], ['Da Nang!'], ['Da Nang City']],
    ['is_not', ['a', 'b'], ['c'], ['B']],
    ['starts_with', ['Re'], ['re: order'], ['order re']],
    ['is_set', [], ['x'], []],
    ['is_not_set', [], [], ['x']],
    ['more_than', ['10'], ['10.5'], ['10']],
    ['less_than', ['10'], ['-3'], ['many']],
  ]
  base.for(CASES)('%s compares texts without case, accents and punctuation', ([operator, values, holds, fails]) => {
    const evaluate = prepareConditions([[{ field: 'subject', operator, values }]])
    expect(evaluate(facts(...holds))).toBeNull()
    expect(evaluate(facts(...fails))).toHaveLength(1)
  })

  base('all lists must hold, and in each one condition is enough', () => {
    const is = (value: string): RuleCondition => ({ field: 'status', operator: 'is', values: [value] })
    expect(prepareConditions([])(facts('open'))).toBeNull()
    expect(prepareConditions([[is('open'), is('closed')], [is('open')]])(facts('open'))).toBeNull()
    expect(prepareConditions([[is('open')], [is('closed')]])(facts('open'))).toEqual([is('closed')])
  })
})

describe('changes', () => {
  test('what changed and what it was before can be asked for', async ({ scene }) => {
    const { as, world, conversation_id: id } = scene
    const when = (field: RuleFieldName, value: string): RuleConditions => [[{ field, operator: 'is', values: [value] }]]
    const make = (name: string, conditions: RuleConditions) =>
      createRule(as, {
        name,
        conditions,
        trigger: { on: 'conversation_changed' },
        actions: [{ action: 'add_note', body: name }],
      })
    await make('assignee changed', when('changed', 'assignee'))
    await make('status changed', when('changed', 'status'))
    await make('was with Ben', when('previous_assignee', String(world.ben.id)))
    await make('was open', when('previous_status', 'open'))
    await make('was in no hurry', when('previous_priority', 'not_priority'))
    const changes = { assignee_id: world.ada.id, priority: 'priority' as const }
    await as.ben(conversations.update, { params: { id }, body: { conversation: changes } })
    // What the scene did may be read only now, too.
    const names = async () => (await eventsOf(as, id))[0]!.runs.map(({ rule_name }) => rule_name)
    await expect.poll(names, { timeout: 15_000 }).toEqual(['assignee changed', 'was with Ben', 'was in no hurry'])
  })
})

describe('triggers', () => {
  const actions: ConversationAction[] = [{ action: 'add_note', body: 'Noticed' }]

  test('a new conversation is one, however it begins', async ({ as, world }) => {
    callers = as
    await createRule(as, { trigger: { on: 'conversation_created' }, actions })
    const start = { customer_id: world.carla.customer_id, source: 'api' as const }
    const { data } = await as.ben(conversations.create, { body: { conversation: start } })
    expect(await eventsOf(as, data.id)).toMatchObject([{ trigger: 'conversation_created', runs: [{ state: 'done' }] }])
  })

  test('an answer of the team is one, but neither notes nor automatic messages are', async ({ scene }) => {
    const { as, conversation_id } = scene
    await createRule(as, { trigger: { on: 'team_message' }, actions })
    await as.ben(messages.create, {
      body: { message: { conversation_id, body: 'A note', private: true, type: 'note' } },
    })
    await as.ben(messages.create, { body: { message: { conversation_id, body: 'An answer' } } })
    const events = await eventsOf(as, conversation_id)
    expect(events).toMatchObject([{ trigger: 'team_message', runs: [{ state: 'done' }] }])
  })
})

type Row = Awaited<ReturnType<typeof readRow>>

async function readRow({ as, conversation_id: id, webhook_id }: Scene) {
  const { data } = await as.ada(conversations.get, { params: { id } })
  const query = { event: WEBHOOK_CALLED }
  const { data: calls } = await as.ada(eventSubscriptions.deliveries, { params: { id: webhook_id }, query })
  const [newest] = data.messages.slice(-1)
  return { ...data, tag_ids: data.tags.map((tag) => tag.id), newest, calls: calls.length }
}

/** For each action: the action, and what the conversation must look like afterwards. */
const ACTIONS: Record<ConversationActionName, (scene: Scene) => [ConversationAction, (row: Row) => void]> = {
  assign: ({ world }) => [
    { action: 'assign', user_id: world.ada.id },
    ({ assignee_id }) => expect(assignee_id).toBe(world.ada.id),
  ],
  set_team: () => [{ action: 'set_team', team_id: null }, ({ team_id }) => expect(team_id).toBeNull()],
  set_attribute: ({ key }) => [
    { action: 'set_attribute', key, value: '7' },
    ({ metadata }) => expect(metadata).toEqual({ [key]: 7 }),
  ],
  add_tag: ({ tag_id }) => [{ action: 'add_tag', tag_id }, ({ tag_ids }) => expect(tag_ids).toEqual([tag_id])],
  remove_tag: ({ tag_id }) => [{ action: 'remove_tag', tag_id }, ({ tag_ids }) => expect(tag_ids).toEqual([])],
  set_priority: () => [
    { action: 'set_priority', priority: 'priority' },
    ({ priority }) => expect(priority).toBe('priority'),
  ],
  set_status: () => [{ action: 'set_status', status: 'closed' }, ({ status }) => expect(status).toBe('closed')],
  snooze: () => [{ action: 'snooze', minutes: 60 }, ({ snoozed_until }) => expect(snoozed_until).not.toBeNull()],
  add_note: () => [
    { action: 'add_note', body: 'By a rule' },
    ({ newest, read }) => {
      expect(newest).toMatchObject({ body: 'By a rule', private: true, type: 'bot' })
      expect(read, 'stays unread, because nobody has looked').toBe(false)
    },
  ],
  notify: ({ world }) => [
    { action: 'notify', user_ids: [world.ada.id], body: 'Please look' },
    ({ mentions, newest }) => {
      expect(newest).toMatchObject({ body: 'Please look', private: true })
      expect(mentions.map(({ user_id }) => user_id)).toEqual([world.ada.id])
    },
  ],
  call_webhook: ({ webhook_id }) => [{ action: 'call_webhook', webhook_id }, ({ calls }) => expect(calls).toBe(1)],
  answer: () => [
    { action: 'answer', body: 'We are on it' },
    ({ newest }) => expect(newest).toMatchObject({ body: 'We are on it', private: false, type: 'bot' }),
  ],
}

describe('actions', () => {
  const eachAction = test.for(Object.entries(ACTIONS))
  eachAction('%s is done once, and its result is an ordinary change', async ([, make], { scene }) => {
    const [action, check] = make(scene)
    await createRule(scene.as, { actions: [action] })
    await write(scene)
    const [event] = await eventsOf(scene.as, scene.conversation_id)
    const isSo = action.action === 'add_tag'
    expect(event!.runs[0]).toMatchObject({ state: 'done', effects: [{ outcome: isSo ? 'unneeded' : 'done' }] })
    check(await readRow(scene))
  })

  test('what is refused is named with its reason, and the other actions are done', async ({ scene }) => {
    const actions: ConversationAction[] = [
      { action: 'set_status', status: 'closed' },
      { action: 'snooze', minutes: 60 },
      { action: 'set_priority', priority: 'priority' },
    ]
    await createRule(scene.as, { actions })
    await write(scene)
    const [event] = await eventsOf(scene.as, scene.conversation_id)
    expect(event!.runs[0]).toMatchObject({
      state: 'failed',
      effects: [
        { outcome: 'done' },
        { outcome: 'refused', reason: 'snoozed requires an open conversation' },
        { outcome: 'done' },
      ],
    })
  })
})
