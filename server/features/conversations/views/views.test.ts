import { audit } from '#contract/accounts/audit.ts'
import { invitations } from '#contract/accounts/invitations.ts'
import { team } from '#contract/accounts/team.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import type { ViewCondition, ViewConditions } from '#contract/conversations/view-conditions.ts'
import { conversationViews, MAX_PERSONAL_VIEWS } from '#contract/conversations/views.ts'
import { attributes } from '#contract/customers/attributes.ts'
import { tags } from '#contract/customers/tags.ts'
import { events } from '#contract/events.ts'
import { bystandersMayChange } from '#tests/support/bystanders/watched.ts'
import { test as base, expect, refusalOf, statusOf } from '#tests/support/fixture.ts'
import { createView, deleteViews, idsOfView, viewsOf } from '#tests/support/views.ts'
import { createApiKey, register, startConversation, startVisitor } from '#tests/support/world.ts'

const test = base
  .extend('people', ({ as, world: _ }, { onCleanup }) => {
    onCleanup(() => deleteViews(as.ada, as.ben))
    return as
  })
  .extend('begin', ({ server, world }) => async (text = 'Hello?') => {
    const visitor = await startVisitor(server, world.acme.id)
    return (await startConversation(server, visitor, text)).conversation_id
  })

const OPEN: ViewConditions = [[{ field: 'status', operator: 'is', values: ['open'] }]]
const namesOf = async (who: Parameters<typeof viewsOf>[0]) => (await viewsOf(who)).map(({ name }) => name)

test('personal views are seen by their creator only, and shared ones are changed by admins only', async ({
  people: as,
}) => {
  const own = await createView(as.ben, OPEN, { name: 'Mine' })
  const shared = await createView(as.ada, OPEN, { name: 'Ours', is_personal: false })
  expect(await namesOf(as.ben)).toEqual(['Ours', 'Mine'])
  expect(await namesOf(as.ada)).toEqual(['Ours'])
  expect(await namesOf(as.olga)).toEqual([])
  const change = (id: string, view: object) => ({ params: { id }, body: { view } })
  for (const who of [as.ada, as.olga]) {
    expect(await statusOf(who(conversationViews.update, change(own.id, { name: 'x' })))).toBe(404)
    expect(await statusOf(who(conversationViews.remove, { params: { id: own.id } }))).toBe(404)
    expect(await statusOf(who(conversationViews.conversations, { params: { id: own.id } }))).toBe(404)
  }
  expect(await statusOf(as.olga(conversationViews.conversations, { params: { id: shared.id } }))).toBe(404)
  expect(await statusOf(createView(as.ben, OPEN, { is_personal: false }))).toBe(403)
  expect(await statusOf(as.ben(conversationViews.update, change(own.id, { is_personal: false })))).toBe(403)
  expect(await statusOf(as.ben(conversationViews.update, change(shared.id, { name: 'Yours' })))).toBe(403)
  expect(await statusOf(as.ben(conversationViews.update, change(shared.id, { is_personal: true })))).toBe(403)
  expect(await statusOf(as.ben(conversationViews.remove, { params: { id: shared.id } }))).toBe(403)
  expect(await statusOf(as.ben(conversationViews.reorder, { body: { ids: [shared.id] } }))).toBe(403)
  expect(await namesOf(as.ben)).toEqual(['Ours', 'Mine'])
})

test('changes of shared views are in the audit trail, those of personal ones are not', async ({ people: as }) => {
  // The other shared views follow.
  bystandersMayChange({ tables: ['conversation_views', 'events'] })
  const { id } = await createView(as.ada, OPEN, { name: 'Private' })
  const update = (view: object) => as.ada(conversationViews.update, { params: { id }, body: { view } })
  await update({ name: 'Still private' })
  await update({ is_personal: false })
  await update({ name: 'Open ones' })
  await as.ada(conversationViews.reorder, { body: { ids: [id] } })
  await as.ada(conversationViews.remove, { params: { id } })
  const { data } = await as.ada(audit.list, { query: { action: 'conversation_view' } })
  expect(data.filter(({ subject_id }) => subject_id === id).map(({ action }) => action)).toEqual([
    'conversation_view.deleted',
    'conversation_view.updated',
    'conversation_view.updated',
  ])
})

test('views keep the order that people give them, also when many change it at once', async ({ people: as }) => {
  const drafts = ['A', 'B', 'C', 'D'].map((name) => createView(as.ben, OPEN, { name }))
  const made = await Promise.all(drafts)
  const [first, second, third, fourth] = made.map(({ id }) => id)
  const order = (ids: (string | undefined)[]) => as.ben(conversationViews.reorder, { body: { ids: ids as string[] } })
  await Promise.all([order([fourth, first]), order([third, second, fourth, first])])
  await order([second, fourth])
  const ids = (await viewsOf(as.ben)).map(({ id }) => id)
  expect(ids.slice(0, 2)).toEqual([second, fourth])
  expect(ids.toSorted()).toEqual(made.map(({ id }) => id).toSorted())
  expect(await statusOf(order(['00000000-0000-4000-8000-000000000000']))).toBe(422)
})

test('a user has at most fifty personal views, also when two are created at once', async ({ people: as }) => {
  const missing = MAX_PERSONAL_VIEWS - (await viewsOf(as.ben)).length
  for (let at = 1; at < missing; at++) await createView(as.ben, OPEN)
  const two = await Promise.all([statusOf(createView(as.ben, OPEN)), statusOf(createView(as.ben, OPEN))])
  expect(two.toSorted()).toEqual([200, 422])
  expect((await refusalOf(createView(as.ben, OPEN))).message).toBe(
    'There are 50 views already. Delete one that is no longer needed.',
  )
})

const WRONG: Record<string, ViewCondition> = {
  'an operator of another kind': { field: 'status', operator: 'contains', values: ['open'] },
  'an unknown status': { field: 'status', operator: 'is', values: ['opened'] },
  'a choice without a value': { field: 'tags', operator: 'is', values: [] },
  'a tag that is no id': { field: 'tags', operator: 'is', values: ["'; drop table tags"] },
  'a user that is no number': { field: 'assignee', operator: 'is', values: ['1 or true'] },
  'nobody as mentioned': { field: 'mentions', operator: 'is', values: ['nobody'] },
  'a text without a letter': { field: 'subject', operator: 'contains', values: ['?!'] },
  'a negative time': { field: 'created', operator: 'more_than', values: ['-5'] },
  'two times': { field: 'created', operator: 'more_than', values: ['5', '6'] },
  'an attribute without a key': { field: 'customer_metadata', operator: 'is', values: ['gold'] },
  'a blank key': { field: 'conversation_metadata', operator: 'is_set', values: [], key: ' ' },
  'a key for a field without one': { field: 'subject', operator: 'contains', values: ['lamp'], key: 'plan' },
  'an attribute without a letter': { field: 'customer_metadata', operator: 'is', values: ['?!'], key: 'plan' },
  'a limit that is no number': { field: 'customer_metadata', operator: 'more_than', values: ['many'], key: 'seats' },
  'a day that does not exist': { field: 'customer_metadata', operator: 'before', values: ['2026-02-30'], key: 'since' },
  'a value for what is set': { field: 'customer_metadata', operator: 'is_set', values: ['gold'], key: 'plan' },
  'a value for yes or no': { field: 'unread', operator: 'is_true', values: ['true'] },
}

test.for(Object.entries(WRONG))('a condition with %s is refused', async ([, condition], { people: as }) => {
  const conditions = [[condition]]
  expect(await refusalOf(createView(as.ben, conditions))).toMatchObject({ status: 422 })
  const draft = { view: { conditions, sort: 'activity' as const } }
  expect(await statusOf(as.ben(conversationViews.count, { body: draft }))).toBe(422)
})

test('a view looks for ten texts at most, because each is a search', async ({ people: as }) => {
  const texts = (count: number): ViewConditions => [
    [{ field: 'text', operator: 'contains', values: Array.from({ length: count }, (_, at) => `word ${at}`) }],
  ]
  expect(await statusOf(createView(as.ben, texts(10)))).toBe(200)
  expect((await refusalOf(createView(as.ben, texts(11)))).message).toBe(
    'A view looks for 10 texts at most. Remove some.',
  )
})

test('a view names what no longer exists, and nothing matches that', async ({ people: as, begin }) => {
  const { data: tag } = await as.ada(tags.create, { body: { tag: { name: 'Soon deleted' } } })
  const id = await begin()
  await as.ben(tags.addToConversation, { params: { id }, body: { tag_id: tag.id } })
  const view = await createView(as.ben, [
    [{ field: 'tags', operator: 'is', values: [tag.id] }],
    [{ field: 'assignee', operator: 'is', values: ['me', 'nobody'] }],
  ])
  expect(view.missing).toEqual([])
  expect(await idsOfView(as.ben, view.id)).toEqual([id])
  await as.ada(tags.remove, { params: { id: tag.id } })
  expect(await viewsOf(as.ben)).toMatchObject([{ id: view.id, missing: [tag.id] }])
  expect(await idsOfView(as.ben, view.id)).toEqual([])
})

test('a view names an attribute that was deleted, and still compares what is stored under its key', async ({
  people: as,
  begin,
}) => {
  const draft = {
    subject: 'conversation' as const,
    key: `area ${crypto.randomUUID()}`,
    name: 'Area',
    kind: 'text' as const,
  }
  const { data: attribute } = await as.ada(attributes.create, { body: { attribute_definition: draft } })
  const id = await begin()
  await as.ben(conversations.setAttributes, { params: { id }, body: { attributes: { [draft.key]: 'Billing' } } })
  const view = await createView(as.ben, [
    [{ field: 'conversation_metadata', operator: 'is', values: ['billing'], key: draft.key }],
  ])
  // Attributes of customers are others, also under the same key.
  const other = await createView(as.ben, [
    [{ field: 'customer_metadata', operator: 'is_set', values: [], key: draft.key }],
  ])
  expect([view.missing, other.missing]).toEqual([[], [draft.key]])
  await as.ada(attributes.remove, { params: { id: attribute.id } })
  expect((await viewsOf(as.ben)).find((item) => item.id === view.id)?.missing).toEqual([draft.key])
  expect(await idsOfView(as.ben, view.id)).toEqual([id])
})

test('views are counted together up to a hundred, and unsaved ones too', async ({ people: as, begin }) => {
  await begin()
  const open = await createView(as.ben, OPEN)
  const none = await createView(as.ben, [
    [{ field: 'status', operator: 'is', values: ['open'] }],
    [{ field: 'status', operator: 'is', values: ['closed'] }],
  ])
  const counts = async () => new Map((await as.ben(conversationViews.counts)).data.map(({ id, count }) => [id, count]))
  const { data: list } = await as.ben(conversations.count, { query: { status: 'open', snoozed: false } })
  expect((await counts()).get(open.id)).toBe(Math.min(list.count, 100))
  expect((await counts()).get(none.id)).toBe(0)
  const unsaved = (conditions: ViewConditions, sort: 'activity' | 'due' = 'activity') =>
    as.ben(conversationViews.count, { body: { view: { conditions, sort } } })
  expect((await unsaved(OPEN)).data.count).toBe(Math.min(list.count, 100))
  expect((await unsaved([], 'due')).data.count).toBe(0)
})

test('“me” is whoever looks, also with an API key', async ({ people: as, begin, server, world }) => {
  const [of_ada, of_ben] = [await begin(), await begin()]
  const assign = (id: string, assignee_id: number) =>
    as.ada(conversations.update, { params: { id }, body: { conversation: { assignee_id } } })
  await assign(of_ada, world.ada.id)
  await assign(of_ben, world.ben.id)
  const view = await createView(as.ada, [[{ field: 'assignee', operator: 'is', values: ['me'] }]], {
    is_personal: false,
  })
  const key = as.holder(await createApiKey(server, world.ada.token))
  expect((await viewsOf(key)).map(({ id }) => id)).toEqual([view.id])
  expect(await idsOfView(key, view.id)).toContain(of_ada)
  expect(await idsOfView(as.ben, view.id)).toContain(of_ben)
  expect(await idsOfView(as.ben, view.id)).not.toContain(of_ada)
})

test('the team is told that views have changed, without what they contain', async ({ people: as }) => {
  const { cursor } = await as.ada(events.after)
  const { id } = await createView(as.ben, OPEN, { name: 'Secret' })
  const { data } = await as.ada(events.after, { query: { after: cursor } })
  // The log may repeat what another test has just written.
  const updates = data.filter(({ event }) => event === 'conversation_views:updated')
  expect(updates.at(-1)).toMatchObject({ payload: { ids: [id] } })
  expect(JSON.stringify(data)).not.toContain('Secret')
})

test('the personal views of somebody who was removed are deleted', async ({ people: as, server }) => {
  const { data: invitation } = await as.ada(invitations.create)
  const leaver = await register(server, undefined, 'leaver@acme.test', invitation.id)
  const { id } = await createView(as.holder(leaver.token), OPEN)
  const rows = server.context.db.selectFrom('conversation_views').select('id').where('id', '=', id)
  expect(await rows.execute()).toEqual([{ id }])
  await as.ada(team.archive, { params: { id: leaver.id } })
  await expect.poll(() => rows.execute(), { timeout: 15_000 }).toEqual([])
})

test('pages of a view lose and repeat nothing while conversations change', async ({ people: as, begin }) => {
  const { data: tag } = await as.ada(tags.create, { body: { tag: { name: 'Paged' } } })
  const ids: string[] = []
  for (let at = 0; at < 9; at++) {
    const id = await begin()
    await as.ben(tags.addToConversation, { params: { id }, body: { tag_id: tag.id } })
    // Open, snoozed and closed ones are in one order.
    const conversation = [{}, { status: 'closed' as const }, { snoozed: { until: null } }][at % 3]!
    await as.ben(conversations.update, { params: { id }, body: { conversation } })
    ids.unshift(id)
  }
  const view = await createView(as.ben, [[{ field: 'tags', operator: 'is', values: [tag.id] }]])
  expect(await idsOfView(as.ben, view.id, 2)).toEqual(ids)
  const page = (after?: string) =>
    as.ben(conversationViews.conversations, { params: { id: view.id }, query: { limit: 4, ...(after && { after }) } })
  const first = await page()
  await as.ada(tags.removeFromConversation, { params: { id: ids[1]!, tag_id: tag.id } })
  await as.ada(conversations.update, { params: { id: ids[8]! }, body: { conversation: { status: 'open' } } })
  const second = await page(first.next!)
  const third = await page(second.next!)
  const read = [first, second, third].flatMap(({ data }) => data.map(({ id }) => id))
  expect(read).toEqual(ids)
  expect(third.next).toBeNull()
})
