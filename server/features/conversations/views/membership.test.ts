import fc from 'fast-check'
import { sql } from 'kysely'
import { teams } from '#contract/accounts/teams.ts'
import { DATED, NUMERIC, VALUELESS } from '#contract/conversations/attribute-conditions.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import {
  isViewConditionValid,
  VIEW_FIELD_NAMES,
  type ViewCondition,
  type ViewFieldName,
  type ViewOperator,
  viewField,
  viewOperatorsOf,
} from '#contract/conversations/view-conditions.ts'
import { isInView, needsServer } from '#contract/conversations/view-membership.ts'
import { conversationViews } from '#contract/conversations/views.ts'
import { tags } from '#contract/customers/tags.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { createView, idsOfView } from '#tests/support/views.ts'
import { startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { compileConditions } from './conditions.ts'

const MINUTE = 60_000
const COUNT = 12
/** Half a minute beside whole minutes, so that it does not matter when exactly the server looks. */
const inMinutes = (minutes: number) => new Date(Date.now() + (minutes + 0.5) * MINUTE).toISOString()

const KEY = 'a "key"'
/** What may be stored under a key: nothing, values of each kind, and what only looks like one. */
const STORED = [
  ...[undefined, null, '', ' \t', [], ['5'], { is: 5 }, 0, -5, 5, 12.5, 9_007_199_254_740_991, true, false],
  ...['5', ' 5.0 ', '+5', '5.', '.5', '5,5', '1e3', '0x10', '٥', '9007199254740993', '12345678901234567890123', '#5'],
  ...['Yes', 'true ', 'no', '1', 'Größe', 'groesse gold', 'GROSSE', 'Ḡ_%', '漢字', 'a漢 字'],
  ...[
    '2026-01-31',
    '2026-01-31T23:59:59Z',
    '2026-02-30',
    '2026-2-3',
    '0000-01-01',
    '2026-13-01',
    '2024-02-29 10:00 +01',
  ],
]
/** What a view may ask for. */
const WANTED = [
  '5',
  '5.0',
  '-5',
  '#5',
  '0',
  '9007199254740993',
  'true',
  'größe',
  'GROSSE',
  'g',
  '漢',
  '漢字',
  '_g',
  '1e3',
]
const WANTED_NUMBERS = ['5', '-5.5', '0.5', '1e3', '0x10', '12345678901234567890']
const WANTED_DAYS = ['2026-01-31', '2026-02-28', '2024-02-29', '0001-01-01']

interface Scene {
  ids: string[]
  tag: string
  team: string
}

const test = base.extend('scene', { scope: 'file' }, async ({ as, server, world }): Promise<Scene> => {
  const { data: tag } = await as.ada(tags.create, { body: { tag: { name: 'Random' } } })
  const { data: team } = await as.ada(teams.create, { body: { team: { name: 'Random', members: [] } } })
  const ids: string[] = []
  for (let at = 0; at < COUNT; at++) {
    const visitor = await startVisitor(server, world.acme.id)
    ids.push((await startConversation(server, visitor)).conversation_id)
  }
  return { ids, tag: tag.id, team: team.id }
})

/** A random state of a conversation. */
function stateOf(scene: Scene, world: World) {
  return fc.record({
    status: fc.constantFrom('open', 'closed', 'snoozed'),
    priority: fc.constantFrom('priority' as const, 'not_priority' as const),
    read: fc.boolean(),
    assignee_id: fc.constantFrom(null, world.ben.id, world.ada.id),
    team_id: fc.constantFrom(null, scene.team),
    inbox_id: fc.constantFrom(world.billing.id, world.website.id),
    source: fc.constantFrom('chat' as const, 'email' as const),
    age: fc.integer({ min: 1, max: 500 }),
    due: fc.option(fc.integer({ min: -500, max: 500 })),
    isTagged: fc.boolean(),
    value: fc.constantFrom(...STORED),
  })
}

/** A random condition of which a list on a screen knows by itself. */
function conditionOf(scene: Scene, world: World): fc.Arbitrary<ViewCondition> {
  const choices: Partial<Record<ViewFieldName, string[]>> = {
    status: ['open', 'closed', 'snoozed'],
    priority: ['priority', 'not_priority'],
    assignee: ['me', 'nobody', String(world.ada.id)],
    mentions: ['me', String(world.ada.id)],
    team: [scene.team, 'nobody'],
    inbox: [world.billing.id, world.website.id],
    channel: ['chat', 'email'],
    tags: [scene.tag],
  }
  const valuesOf = (field: ViewFieldName): fc.Arbitrary<string[]> => {
    if (viewField(field).kind === 'yes_or_no') return fc.constant([])
    if (viewField(field).kind === 'duration') return fc.integer({ min: 0, max: 500 }).map((minutes) => [`${minutes}`])
    return fc.uniqueArray(fc.constantFrom(...choices[field]!), { minLength: 1 })
  }
  const attributeValues = (operator: ViewOperator): fc.Arbitrary<string[]> => {
    if (VALUELESS.includes(operator)) return fc.constant([])
    if (NUMERIC.includes(operator)) return fc.constantFrom(...WANTED_NUMBERS).map((value) => [value])
    if (DATED.includes(operator)) return fc.constantFrom(...WANTED_DAYS).map((value) => [value])
    return fc.uniqueArray(fc.constantFrom(...WANTED), { minLength: 1, maxLength: 3 })
  }
  const onAttribute = fc
    .constantFrom(...viewOperatorsOf('conversation_metadata'))
    .chain((operator) => attributeValues(operator).map((values) => ({ operator, values, key: KEY })))
    .map((condition): ViewCondition => ({ field: 'conversation_metadata', ...condition }))
  const isLocal = (field: ViewFieldName) => !needsServer([[{ field, operator: 'is', values: [] }]])
  const others = VIEW_FIELD_NAMES.filter((field) => isLocal(field) && !viewField(field).keyOf)
  const onOthers = fc.constantFrom(...others).chain((field) =>
    fc.record({
      field: fc.constant(field),
      operator: fc.constantFrom(...viewOperatorsOf(field)),
      values: valuesOf(field),
    }),
  )
  return fc.oneof({ arbitrary: onOthers, weight: 2 }, { arbitrary: onAttribute, weight: 1 })
}

test('a list on a screen knows of random conversations what the server knows', async ({ as, scene, server, world }) => {
  const { db } = server.context
  const states = fc.array(stateOf(scene, world), { minLength: COUNT, maxLength: COUNT })
  const conditions = fc.array(fc.array(conditionOf(scene, world), { minLength: 1, maxLength: 3 }), { maxLength: 3 })
  const property = fc.asyncProperty(states, conditions, async (rows, wanted) => {
    await db.deleteFrom('conversation_tags').where('tag_id', '=', scene.tag).execute()
    for (const [at, { status, age, due, isTagged, value, ...plain }] of rows.entries()) {
      const conversation_id = scene.ids[at]!
      const ago = inMinutes(-age)
      const times = { created_at: ago, last_activity_at: ago, due_at: due === null ? null : inMinutes(due) }
      const snoozed_at = status === 'snoozed' ? ago : null
      await db
        .updateTable('conversations')
        .set({ ...plain, ...times, snoozed_at, status: status === 'closed' ? 'closed' : 'open' })
        .set({ metadata: value === undefined ? null : toJson({ [KEY]: value }) })
        .where('id', '=', conversation_id)
        .execute()
      const tagged = { account_id: world.acme.id, conversation_id, tag_id: scene.tag }
      if (isTagged) await db.insertInto('conversation_tags').values(tagged).execute()
    }
    const view = await createView(as.ben, wanted)
    const shown = await idsOfView(as.ben, view.id)
    const { data } = await as.ben(conversations.list, { query: { messages: 'last' } })
    const mine = data.filter(({ id }) => scene.ids.includes(id))
    expect(mine).toHaveLength(COUNT)
    const expected = mine.filter((conversation) => isInView(wanted, conversation, world.ben.id, Date.now()))
    expect(shown.filter((id) => scene.ids.includes(id))).toEqual(expected.map(({ id }) => id))
    await as.ben(conversationViews.remove, { params: { id: view.id } })
  })
  await fc.assert(property, { numRuns: 40 })
}, 60_000)

test('every stored value compares alike in the database and on a screen, by every operator', async ({
  as,
  scene,
  server,
  world,
}) => {
  const { db } = server.context
  const lists = [WANTED, WANTED_NUMBERS, WANTED_DAYS].flat().map((value) => [value])
  const conditions = viewOperatorsOf('conversation_metadata').flatMap((operator) =>
    (VALUELESS.includes(operator) ? [[]] : lists)
      .map((values): ViewCondition => ({ field: 'conversation_metadata', operator, values, key: KEY }))
      .filter(isViewConditionValid),
  )
  const [id] = scene.ids
  for (const value of STORED) {
    const metadata = value === undefined ? null : { [KEY]: value }
    const columns = { metadata: metadata && toJson(metadata) }
    await db.updateTable('conversations').set(columns).where('id', '=', id!).execute()
    const { data: row } = await as.ben(conversations.get, { params: { id: id! } })
    const parts = conditions.map(
      (condition) => compileConditions([[condition]], { account_id: world.acme.id, me: 1, now: new Date() })[0]!,
    )
    const { rows } = await sql<{ holds: boolean[] }>`
      select array[${sql.join(parts.map((part) => sql`(${part}) is true`))}] as holds from conversations
      where account_id = ${world.acme.id} and id = ${id}`.execute(db)
    const differing = conditions.filter(
      (condition, at) => rows[0]!.holds[at] !== isInView([[condition]], row, 1, Date.now()),
    )
    expect({ value, differing }).toEqual({ value, differing: [] })
  }
})
