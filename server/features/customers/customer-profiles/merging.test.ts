import fc from 'fast-check'
import { sql } from 'kysely'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { customerNotes } from '#contract/customers/customer-notes.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import { issues } from '#contract/customers/issues.ts'
import { tags } from '#contract/customers/tags.ts'
import { ofAccount } from '#server/platform/db/of-account.ts'
import { test as base, expect, statusOf } from '#tests/support/fixture.ts'
import type { Json } from '#tests/support/server.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const test = base
  .extend('merge', ({ as }) => (id: string, customer_id: string) => {
    return as.ada(customerProfiles.merge, { params: { id }, body: { customer_id } })
  })
  .extend('unmerge', ({ as }) => (id: string) => {
    return as.ada(customerProfiles.unmerge, { params: { id } })
  })
  .extend('note', ({ as }) => (customer_id: string, body: string) => {
    return as.ada(customerNotes.create, { body: { note: { customer_id, body } } })
  })
  /** All rows of these customers, without the time of their last change. */
  .extend('everythingOf', ({ server }) => async (ids: string[]): Promise<Json[]> => {
    const { rows } = await sql<{ kind: string; row: Json }>`
    select 'customer' as kind, to_jsonb(t) - 'updated_at' as row from customers t where id = any(${ids}::uuid[])
    union all select 'conversation', to_jsonb(t) - 'updated_at' from conversations t where customer_id = any(${ids}::uuid[])
    union all select 'message', to_jsonb(t) from messages t where customer_id = any(${ids}::uuid[])
    union all select 'words', to_jsonb(t) from message_words t where customer_id = any(${ids}::uuid[])
    union all select 'note', to_jsonb(t) from customer_notes t where customer_id = any(${ids}::uuid[])
    union all select 'tag', to_jsonb(t) from customer_tags t where customer_id = any(${ids}::uuid[])
    union all select 'issue', to_jsonb(t) from customer_issues t where customer_id = any(${ids}::uuid[])
    union all select 'session', to_jsonb(t) from visitor_sessions t where customer_id = any(${ids}::uuid[])
    order by 1, 2`.execute(server.context.db)
    return rows
  })

test('merging moves conversations, notes, tags, issues and browsers to the survivor, whose own values are kept', async ({
  as,
  world,
  server,
  openSocket,
  note,
  merge,
}) => {
  const keeper = await startVisitor(server, world.acme.id, { name: 'Kim', phone: '1' })
  const other = await startVisitor(server, world.acme.id, {
    name: 'Kimberley',
    email: 'kim@mail.test',
    external_id: 'k',
  })
  const { conversation_id } = await startConversation(server, other, 'Hello from my phone')
  await note(other.customer_id, 'Same person')
  const tag_id = (await as.ada(tags.create, { body: { tag: { name: 'twin' } } })).data.id
  await as.ada(tags.addToCustomer, { params: { id: other.customer_id }, body: { tag_id } })
  await as.ada(issues.create, { body: { issue: { title: 'Twins', customer_id: other.customer_id } } })
  const team = openSocket({ token: world.ada.token })
  const received = await team.join(`notification:${world.acme.id}`)

  const { data } = await merge(keeper.customer_id, other.customer_id)
  expect(data).toMatchObject({ id: keeper.customer_id, name: 'Kim', phone: '1', email: 'kim@mail.test' })
  expect(await received.receive('conversations:moved')).toMatchObject({
    customer: { id: keeper.customer_id },
    conversation_ids: [conversation_id],
    from_customer_id: other.customer_id,
  })
  // The old id leads to the survivor, for the team …
  expect(
    (
      await as.ada(customerProfiles.get, {
        params: { id: other.customer_id },
        query: { expand: 'conversations,messages,notes,tags,issues' },
      })
    ).data,
  ).toMatchObject({
    id: keeper.customer_id,
    conversations: [{ id: conversation_id }],
    messages: [{ body: 'Hello from my phone', customer_id: keeper.customer_id }],
    notes: [{ body: 'Same person' }],
    tags: [{ name: 'twin' }],
    issues: [{ title: 'Twins' }],
  })
  expect((await as.ada(customerProfiles.list, { query: { q: 'kimberley' } })).data).toEqual([])
  // … and for the visitor's browser, which still sends it.
  const mine = await as.holder(other.token)(customers.mine)
  expect(mine.data.id).toBe(keeper.customer_id)
  const query = { account_id: world.acme.id, customer_id: other.customer_id }
  const shown = await as.holder(other.token)(conversations.ofCustomer, { query })
  expect(shown.data).toMatchObject([{ id: conversation_id }])
  const posted = await as.holder(other.token)(messages.create, {
    body: { message: { conversation_id, body: 'Still me' } },
  })
  expect(posted.data.customer_id).toBe(keeper.customer_id)
  const socket = openSocket({ visitor_token: other.token })
  const joined = await socket.join(`conversation:${conversation_id}`, { customer_id: other.customer_id })
  expect(Object.keys(await joined.receive('presence_state'))).toContain(`customer:${keeper.customer_id}`)
})

test('who has marked a mail as spam or unsubscribed gets no mails as a part of another customer, and undoing takes the marks back', async ({
  as,
  world,
  server,
  merge,
  unmerge,
}) => {
  const keeper = await startVisitor(server, world.acme.id, { name: 'Kim' })
  const other = await startVisitor(server, world.acme.id, { name: 'Kimberley' })
  const marks = { complained_at: '2026-11-01T10:00:00.000Z', unsubscribed_at: '2026-11-02T10:00:00.000Z' }
  const { db } = server.context
  await ofAccount(db, world.acme.id).updateTable('customers').set(marks).where('id', '=', other.customer_id).execute()
  const marksOf = (id: string) =>
    ofAccount(db, world.acme.id)
      .selectFrom('customers')
      .select(['complained_at', 'unsubscribed_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  await merge(keeper.customer_id, other.customer_id)
  expect(await marksOf(keeper.customer_id)).toEqual(marks)
  const shown = await as.ben(customerProfiles.get, { params: { id: keeper.customer_id } })
  expect(shown.data.complained_at).toBe(marks.complained_at)
  await unmerge(keeper.customer_id)
  expect(await marksOf(keeper.customer_id)).toEqual({ complained_at: null, unsubscribed_at: null })
  expect(await marksOf(other.customer_id)).toEqual(marks)
})

test('the id of a merged customer gives strangers no access', async ({ as, world, server, merge }) => {
  const keeper = await startVisitor(server, world.acme.id, { name: 'Claimed' })
  const unclaimed = (await as.ada(customers.create, { body: { customer: { name: 'Unclaimed' } } })).data
  await startConversation(server, keeper, 'Private')
  await merge(keeper.customer_id, unclaimed.id)
  const query = { account_id: world.acme.id, customer_id: unclaimed.id }
  expect((await as.anybody(conversations.ofCustomer, { query })).data).toEqual([])
  await expect(
    as.anybody(customers.updateMetadata, { params: { id: unclaimed.id }, body: { metadata: { name: 'Mallory' } } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('a customer cannot be merged with itself, and a merge that never happened cannot be undone', async ({
  world,
  server,
  merge,
  unmerge,
}) => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Alone' })
  await expect(merge(visitor.customer_id, visitor.customer_id)).rejects.toMatchObject({
    status: 422,
    message: 'These two are the same customer.',
  })
  await expect(unmerge(visitor.customer_id)).rejects.toMatchObject({ status: 404 })
})

test('concurrent merges of the same pair, in either direction, result in one customer', async ({
  as,
  world,
  server,
  merge,
}) => {
  const one = await startVisitor(server, world.acme.id, { name: 'Pair' })
  const two = await startVisitor(server, world.acme.id, { name: 'Pair' })
  const answers = await Promise.all([
    statusOf(merge(one.customer_id, two.customer_id)),
    statusOf(merge(two.customer_id, one.customer_id)),
    statusOf(merge(one.customer_id, two.customer_id)),
  ])
  expect(answers.toSorted()).toEqual([200, 422, 422])
  expect((await as.ada(customerProfiles.list, { query: { q: 'pair' } })).data).toHaveLength(1)
})

test('data added after a merge stays with the survivor when the merge is undone', async ({
  as,
  world,
  server,
  merge,
  note,
  unmerge,
}) => {
  const keeper = await startVisitor(server, world.acme.id, { name: 'Later' })
  const other = await startVisitor(server, world.acme.id, { email: 'later@mail.test' })
  await merge(keeper.customer_id, other.customer_id)
  await as.ada(customerProfiles.update, {
    params: { id: keeper.customer_id },
    body: { customer: { email: 'new@mail.test' } },
  })
  await note(keeper.customer_id, 'After')
  const { data } = await unmerge(keeper.customer_id)
  expect(data).toMatchObject({ id: other.customer_id, email: 'later@mail.test' })
  const survivor = (
    await as.ada(customerProfiles.get, { params: { id: keeper.customer_id }, query: { expand: 'notes' } })
  ).data
  expect(survivor).toMatchObject({ email: 'new@mail.test', notes: [{ body: 'After' }] })
})

test('a customer shows whether a merge can still be undone, for thirty days', async ({
  as,
  world,
  server,
  merge,
  unmerge,
}) => {
  const keeper = await startVisitor(server, world.acme.id, { name: 'Keeper' })
  const other = await startVisitor(server, world.acme.id, { name: 'Twin' })
  const since = async () =>
    (await as.ada(customerProfiles.get, { params: { id: keeper.customer_id }, query: { expand: 'merge' } })).data
      .merged_at
  const age = (days: number) =>
    server.context.db
      .updateTable('customer_merges')
      .set({ created_at: new Date(Date.now() - days * 86_400_000).toISOString() })
      .where('customer_id', '=', keeper.customer_id)
      .execute()
  expect(await since()).toBeNull()
  await merge(keeper.customer_id, other.customer_id)
  expect(Date.parse((await since())!)).toBeGreaterThan(0)
  await age(31)
  expect(await since()).toBeNull()
  await expect(unmerge(keeper.customer_id)).rejects.toMatchObject({ message: 'A merge can be undone for 30 days.' })
  await age(29)
  await unmerge(keeper.customer_id)
  expect(await since()).toBeNull()
})

const person = fc.record({
  name: fc.option(fc.constantFrom('Ann', 'Bo'), { nil: undefined }),
  email: fc.option(fc.constantFrom('a@x.test', 'b@x.test'), { nil: undefined }),
  phone: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
  conversations: fc.nat({ max: 2 }),
  notes: fc.nat({ max: 2 }),
  tags: fc.subarray([0, 1, 2]),
  issues: fc.subarray([0, 1]),
})

test('undoing merges, the newest first, restores every customer exactly', async ({
  as,
  world,
  server,
  note,
  everythingOf,
  merge,
  unmerge,
}) => {
  const tag_ids: string[] = []
  for (const name of ['p0', 'p1', 'p2']) tag_ids.push((await as.ada(tags.create, { body: { tag: { name } } })).data.id)
  const issue_ids: string[] = []
  for (const title of ['i0', 'i1'])
    issue_ids.push((await as.ada(issues.create, { body: { issue: { title } } })).data.id)

  await fc.assert(
    fc.asyncProperty(fc.tuple(person, person, person), async (people) => {
      const ids: string[] = []
      for (const { conversations, notes, tags: tagged, issues: linked, ...claims } of people) {
        const visitor = await startVisitor(server, world.acme.id, claims)
        ids.push(visitor.customer_id)
        for (let i = 0; i < conversations; i++) await startConversation(server, visitor, `Words ${i}`)
        for (let i = 0; i < notes; i++) await note(visitor.customer_id, `Note ${i}`)
        for (const i of tagged)
          await as.ada(tags.addToCustomer, { params: { id: visitor.customer_id }, body: { tag_id: tag_ids[i]! } })
        for (const i of linked)
          await as.ada(issues.link, { params: { id: visitor.customer_id }, body: { issue_id: issue_ids[i]! } })
      }
      const [a, b, c] = ids as [string, string, string]
      const before = await everythingOf(ids)
      await merge(b, c)
      await merge(a, b)
      expect((await as.ada(customerProfiles.get, { params: { id: c } })).data.id).toBe(a)
      await unmerge(a)
      await unmerge(b)
      expect(await everythingOf(ids)).toEqual(before)
    }),
    { numRuns: 12, seed: 7 },
  )
})

test.for([0, 1])(
  'the survivor was last seen at the later of both times (%d)',
  async (survivor, { world, server, merge }) => {
    const pair = await Promise.all([0, 1].map(() => startVisitor(server, world.acme.id)))
    for (const [days, { customer_id }] of pair.entries()) {
      const last_seen_at = new Date(Date.UTC(2026, 0, 1 + days)).toISOString()
      await server.context.db.updateTable('customers').set({ last_seen_at }).where('id', '=', customer_id).execute()
    }
    const { data } = await merge(pair[survivor]!.customer_id, pair[1 - survivor]!.customer_id)
    expect(data.last_seen_at).toBe('2026-01-02T00:00:00.000Z')
  },
)
