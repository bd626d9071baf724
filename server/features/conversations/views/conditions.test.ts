import { teams } from '#contract/accounts/teams.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import {
  VIEW_FIELD_NAMES,
  type ViewCondition,
  type ViewConditions,
  viewOperatorsOf,
} from '#contract/conversations/view-conditions.ts'
import { conversationViews } from '#contract/conversations/views.ts'
import { companies } from '#contract/customers/companies.ts'
import { tags } from '#contract/customers/tags.ts'
import { bystandersMayChange } from '#tests/support/bystanders/watched.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { createView, deleteViews, idsOfView } from '#tests/support/views.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import { toJson } from '../../../platform/db/to-json.ts'

const MINUTE = 60_000
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString()

interface Scene {
  ids: { busy: string; quiet: string; other: string }
  tag: string
  team: string
  billing: string
  website: string
  ben: string
  ada: string
}

/** Metadata of the busy conversation and its customer: a value of each kind of attribute. */
const FITTING = {
  plan: 'Größe “Gold” – plus',
  seats: 12,
  balance: '-5.50',
  since: '2026-03-01T09:30:00Z',
  vip: true,
  site: 'https://umbrella.example/shop_1',
}
/** That of the quiet one: under the same keys, but nothing that fits. */
const UNFITTING = {
  plan: ['Gold'],
  seats: 'many',
  balance: { amount: -5.5 },
  since: '2026-02-30',
  vip: 'perhaps',
  site: null,
}

/** A busy conversation, to which every field applies, and a quiet one, to which none does. */
const test = base
  .extend('scene', { scope: 'file' }, async ({ as, world, server }): Promise<Scene> => {
    const { db } = server.context
    const { data: tag } = await as.ada(tags.create, { body: { tag: { name: 'Refunds' } } })
    const { data: company } = await as.ada(companies.create, { body: { company: { name: 'Umbrella Corp' } } })
    const members = [{ user_id: world.ben.id }, { user_id: world.ada.id }]
    const { data: team } = await as.ada(teams.create, { body: { team: { name: 'Billing people', members } } })
    const start = async (customer: object, text: string, inbox_id: string) => {
      const visitor = await startVisitor(server, world.acme.id, { ...customer })
      return { ...visitor, id: (await startConversation(server, visitor, text, inbox_id)).conversation_id }
    }
    const busy = await start(
      { name: 'Zoë Grün', browser_language: 'de-AT' },
      'Wo ist mein Rücksendeetikett 4e6a91?',
      world.billing.id,
    )
    const quiet = await start({ name: 'Paul', browser_language: 'en' }, 'Hello?', world.website.id)
    const update = (id: string, conversation: object) =>
      as.ada(conversations.update, { params: { id }, body: { conversation } })
    await update(busy.id, {
      priority: 'priority',
      assignee_id: world.ben.id,
      team_id: team.id,
      subject: 'Crème brûlée broken',
    })
    await as.ada(tags.addToConversation, { params: { id: busy.id }, body: { tag_id: tag.id } })
    await db.updateTable('customers').set({ company_id: company.id }).where('id', '=', busy.customer_id).execute()
    const note = {
      conversation_id: busy.id,
      body: 'Ask @Ben',
      type: 'note' as const,
      private: true,
      mentioned_user_ids: [world.ben.id],
    }
    await as.ada(messages.create, { body: { message: note } })
    await update(quiet.id, { status: 'closed', read: true })
    await update(busy.id, { read: false })
    const old = {
      created_at: inMinutes(-600),
      due_at: inMinutes(30),
      last_activity_at: inMinutes(-300),
      source: 'email' as const,
    }
    await db.updateTable('conversations').set(old).where('id', '=', busy.id).execute()
    for (const { id, customer_id, metadata } of [
      { ...busy, metadata: FITTING },
      { ...quiet, metadata: UNFITTING },
    ]) {
      await db
        .updateTable('conversations')
        .set({ metadata: toJson(metadata) })
        .where('id', '=', id)
        .execute()
      await db
        .updateTable('customers')
        .set({ metadata: toJson(metadata) })
        .where('id', '=', customer_id)
        .execute()
    }
    await db
      .updateTable('messages')
      .set({ created_at: inMinutes(-300) })
      .where('conversation_id', '=', busy.id)
      .where('customer_id', 'is not', null)
      .execute()
    const other = await startVisitor(server, world.other.id)
    return {
      ids: { busy: busy.id, quiet: quiet.id, other: (await startConversation(server, other)).conversation_id },
      ...{ tag: tag.id, team: team.id, billing: world.billing.id, website: world.website.id },
      ...{ ben: String(world.ben.id), ada: String(world.ada.id) },
    }
  })
  .extend('begin', ({ server, world }) => async () => {
    const visitor = await startVisitor(server, world.acme.id)
    return (await startConversation(server, visitor)).conversation_id
  })

type Case = [
  field: ViewCondition['field'],
  operator: ViewCondition['operator'],
  values: (scene: Scene) => string[],
  shows: ('busy' | 'quiet')[],
  key?: keyof typeof FITTING,
]

type AttributeCase = [key: keyof typeof FITTING, operator: ViewCondition['operator'], values: string[], shows: Case[3]]

/** The same for attributes of customers and of conversations. */
const ATTRIBUTE_CASES: AttributeCase[] = [
  ['plan', 'is', ['grosse gold plus'], ['busy']],
  ['plan', 'is', ['Gold'], []],
  ['plan', 'is_not', ['Silver', 'GRÖSSE GOLD PLUS'], ['quiet']],
  ['plan', 'contains', ['silver', 'gold'], ['busy']],
  ['plan', 'contains', ['o%d'], []],
  ['plan', 'contains_none', ['gold'], ['quiet']],
  ['plan', 'starts_with', ['größ'], ['busy']],
  ['plan', 'starts_with', ['gold'], []],
  ['plan', 'is_set', [], ['busy']],
  ['plan', 'is_not_set', [], ['quiet']],
  ['plan', 'more_than', ['0'], []],
  ['plan', 'before', ['2030-01-01'], []],
  ['seats', 'is', ['12.0'], ['busy']],
  ['seats', 'is', ['2', '12'], ['busy']],
  ['seats', 'is', ['many'], ['quiet']],
  ['seats', 'is_not', ['12'], ['quiet']],
  ['seats', 'more_than', ['11.5'], ['busy']],
  ['seats', 'more_than', ['12'], []],
  ['seats', 'less_than', ['100'], ['busy']],
  ['seats', 'is_set', [], ['busy', 'quiet']],
  ['balance', 'is', ['-5.5'], ['busy']],
  ['balance', 'is', ['5.5'], []],
  ['balance', 'less_than', ['-5'], ['busy']],
  ['since', 'before', ['2026-03-02'], ['busy']],
  ['since', 'before', ['2026-03-01'], []],
  ['since', 'after', ['2026-02-01'], ['busy']],
  ['since', 'is_set', [], ['busy', 'quiet']],
  ['vip', 'is_true', [], ['busy']],
  ['vip', 'is_false', [], ['quiet']],
  ['site', 'contains', ['umbrella.example'], ['busy']],
  ['site', 'is', ['https://umbrella.example/shop_1'], ['busy']],
  ['site', 'is_not_set', [], ['quiet']],
]

/** Seen by Ben. */
const CASES: Case[] = [
  ...(['customer_metadata', 'conversation_metadata'] as const).flatMap((field) =>
    ATTRIBUTE_CASES.map(([key, operator, values, shows]): Case => [field, operator, () => values, shows, key]),
  ),
  ['status', 'is', () => ['open'], ['busy']],
  ['status', 'is', () => ['closed', 'snoozed'], ['quiet']],
  ['status', 'is_not', () => ['open'], ['quiet']],
  ['unread', 'is_true', () => [], ['busy']],
  ['unread', 'is_false', () => [], ['quiet']],
  ['priority', 'is', () => ['priority'], ['busy']],
  ['priority', 'is_not', () => ['priority'], ['quiet']],
  ['assignee', 'is', ({ ben }) => [ben], ['busy']],
  ['assignee', 'is', () => ['me'], ['busy']],
  ['assignee', 'is', () => ['nobody'], ['quiet']],
  ['assignee', 'is', ({ ada }) => [ada], []],
  ['assignee', 'is', ({ ada }) => [ada, 'me', 'nobody'], ['busy', 'quiet']],
  ['assignee', 'is_not', () => ['me'], ['quiet']],
  ['assignee', 'is_not', () => ['nobody'], ['busy']],
  ['mentions', 'is', () => ['me'], ['busy']],
  ['mentions', 'is', ({ ada }) => [ada], []],
  ['mentions', 'is_not', ({ ben }) => [ben], ['quiet']],
  ['team', 'is', ({ team }) => [team], ['busy']],
  ['team', 'is', () => ['nobody'], ['quiet']],
  ['team', 'is', ({ team }) => [team, 'nobody'], ['busy', 'quiet']],
  ['team', 'is_not', ({ team }) => [team], ['quiet']],
  ['inbox', 'is', ({ billing }) => [billing], ['busy']],
  ['inbox', 'is', ({ billing, website }) => [billing, website], ['busy', 'quiet']],
  ['inbox', 'is_not', ({ billing }) => [billing], ['quiet']],
  ['channel', 'is', () => ['email'], ['busy']],
  ['channel', 'is', () => ['email', 'telegram', 'whatsapp'], ['busy']],
  ['channel', 'is_not', () => ['email', 'sms'], ['quiet']],
  ['tags', 'is', ({ tag }) => [tag], ['busy']],
  ['tags', 'is_not', ({ tag }) => [tag], ['quiet']],
  ['overdue', 'is_true', () => [], []],
  ['overdue', 'is_false', () => [], ['busy', 'quiet']],
  ['due_in', 'less_than', () => ['60'], ['busy']],
  ['due_in', 'less_than', () => ['10'], []],
  ['due_in', 'more_than', () => ['10'], ['busy']],
  ['waiting_for_team', 'more_than', () => ['240'], ['busy']],
  ['waiting_for_team', 'more_than', () => ['360'], []],
  ['waiting_for_team', 'less_than', () => ['360'], ['busy']],
  ['waiting_for_customer', 'more_than', () => ['0'], []],
  ['waiting_for_customer', 'less_than', () => ['360'], []],
  ['last_activity', 'more_than', () => ['240'], ['busy']],
  ['last_activity', 'less_than', () => ['240'], ['quiet']],
  ['created', 'more_than', () => ['500'], ['busy']],
  ['created', 'less_than', () => ['500'], ['quiet']],
  ['subject', 'contains', () => ['creme brul'], ['busy']],
  ['subject', 'contains', () => ['broken creme'], []],
  ['subject', 'contains_none', () => ['creme'], ['quiet']],
  ['text', 'contains', () => ['rucksende'], ['busy']],
  ['text', 'contains', () => ['4e6a91'], ['busy']],
  ['text', 'contains', () => ['nothing', 'Hello'], ['quiet']],
  ['text', 'contains_none', () => ['Hello'], ['busy']],
  ['customer', 'contains', () => ['zoe grun'], ['busy']],
  ['customer', 'contains_none', () => ['zoe'], ['quiet']],
  ['customer_company', 'contains', () => ['umbrella'], ['busy']],
  ['customer_company', 'contains', () => ['umb_ella'], []],
  ['customer_company', 'contains_none', () => ['umbrella'], ['quiet']],
  ['customer_language', 'is', () => ['de'], ['busy']],
  ['customer_language', 'is', () => ['DE-at', 'fr'], ['busy']],
  ['customer_language', 'is_not', () => ['de'], ['quiet']],
]

const named = CASES.map((example, at): [string, Case] => [
  `${at} ${example[0]} ${example[1]} ${example[4] ?? ''}`,
  example,
])

test.for(named)('condition %s', async ([, [field, operator, values, shows, key]], { as, scene, world }) => {
  bystandersMayChange({ account_id: world.acme.id, tables: ['conversation_waits'] })
  const view = await createView(as.ben, [[{ field, operator, values: values(scene), key }]])
  const ids = await idsOfView(as.ben, view.id)
  const mine = Object.entries(scene.ids).filter(([, id]) => ids.includes(id))
  expect(mine.map(([name]) => name)).toEqual(shows)
  const { data } = await as.ben(conversationViews.counts)
  expect(data.find(({ id }) => id === view.id)?.count).toBe(ids.length)
  await deleteViews(as.ben)
})

test('every operator of every field is tried', () => {
  const tried = new Set(CASES.map(([field, operator]) => `${field} ${operator}`))
  const all = VIEW_FIELD_NAMES.flatMap((field) => viewOperatorsOf(field).map((operator) => `${field} ${operator}`))
  expect(all.filter((pair) => !tried.has(pair))).toEqual([])
})

test('the lists of a view all hold, and in each of them one condition is enough', async ({ as, scene }) => {
  const condition = (field: ViewCondition['field'], value: string): ViewCondition => ({
    field,
    operator: 'is',
    values: [value],
  })
  const shows = async (conditions: ViewConditions) => {
    const ids = await idsOfView(as.ben, (await createView(as.ben, conditions)).id)
    return [scene.ids.busy, scene.ids.quiet].map((id) => ids.includes(id))
  }
  const closed = condition('status', 'closed')
  const urgent = condition('priority', 'priority')
  expect(await shows([[closed], [urgent]])).toEqual([false, false])
  expect(await shows([[closed, urgent]])).toEqual([true, true])
  expect(await shows([[closed, urgent], [condition('tags', scene.tag)]])).toEqual([true, false])
  expect(await shows([])).toEqual([true, true])
  await deleteViews(as.ben)
})

test('a view by deadline shows open conversations with one, the most urgent first', async ({
  as,
  scene,
  server,
  begin,
}) => {
  const [first, second] = [await begin(), await begin()]
  const due = (id: string, minutes: number) =>
    server.context.db
      .updateTable('conversations')
      .set({ due_at: inMinutes(minutes) })
      .where('id', '=', id)
      .execute()
  await due(first, -10)
  await due(second, 90)
  await due(scene.ids.quiet, 5)
  const view = await createView(as.ben, [], { sort: 'due' })
  expect(await idsOfView(as.ben, view.id, 1)).toEqual([first, scene.ids.busy, second])
  expect((await as.ben(conversationViews.counts)).data).toContainEqual({ id: view.id, count: 3 })
  const overdue = await createView(as.ben, [[{ field: 'overdue', operator: 'is_true', values: [] }]], { sort: 'due' })
  expect(await idsOfView(as.ben, overdue.id)).toEqual([first])
  await server.context.db
    .updateTable('conversations')
    .set({ due_at: null })
    .where('id', 'in', [first, second, scene.ids.quiet])
    .execute()
  await deleteViews(as.ben)
})

test('a view about waiting follows who writes, and what is answered', async ({ as, begin, world }) => {
  bystandersMayChange({ account_id: world.acme.id, tables: ['conversation_waits'] })
  const waiting = (field: 'waiting_for_team' | 'waiting_for_customer') =>
    createView(as.ben, [[{ field, operator: 'less_than', values: ['60'] }]])
  const [team, customer] = [await waiting('waiting_for_team'), await waiting('waiting_for_customer')]
  const id = await begin()
  const shows = async () => [
    (await idsOfView(as.ben, team.id)).includes(id),
    (await idsOfView(as.ben, customer.id)).includes(id),
  ]
  await expect.poll(shows, { timeout: 15_000 }).toEqual([true, false])
  await as.ben(messages.create, { body: { message: { conversation_id: id, body: 'Which lamp?' } } })
  await expect.poll(shows, { timeout: 15_000 }).toEqual([false, true])
  await as.ben(conversations.update, { params: { id }, body: { conversation: { status: 'closed' } } })
  expect(await shows()).toEqual([false, false])
  await deleteViews(as.ben)
})
