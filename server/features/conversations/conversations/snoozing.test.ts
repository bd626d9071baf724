import { randomUUID } from 'node:crypto'
import { BUCKETS, type Bucket } from '#contract/conversations/buckets.ts'
import { type Conversation, conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import type { Answer, BodyInput } from '#contract/endpoint.ts'
import { test as base, type Caller, expect } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import { wakeDueConversations } from './snoozing.ts'

const HOUR = 3_600_000
const later = () => new Date(Date.now() + HOUR).toISOString()

const test = base
  .extend('change', ({ as }) => (id: string, conversation: BodyInput<typeof conversations.update>['conversation']) => {
    return as.ada(conversations.update, { params: { id }, body: { conversation } })
  })
  .extend('read', ({ as }) => async (id: string) => {
    return (await as.ada(conversations.get, { params: { id } })).data as Conversation
  })
  .extend('unread', ({ as }) => async () => {
    return (await as.ada(conversations.unread)).data.conversations
  })
  .extend('start', ({ world, server }) => async () => {
    const visitor = await startVisitor(server, world.acme.id)
    const { conversation_id: id } = await startConversation(server, visitor)
    return { id, visitor }
  })
  .extend('bucketsOf', ({ as }) => async (id: string): Promise<string[]> => {
    const standing: string[] = []
    for (const bucket of Object.keys(BUCKETS) as Bucket[]) {
      const { data } = await as.ada(conversations.list, { query: BUCKETS[bucket].query as never })
      if (data.some((conversation) => conversation.id === id)) standing.push(bucket)
    }
    return standing
  })
  /** Makes all snoozed conversations due. */
  .extend('letTimePass', ({ world, server }) => () => {
    return server.context.db
      .updateTable('conversations')
      .set({ snoozed_until: new Date(Date.now() - 1_000).toISOString() })
      .where('snoozed_until', 'is not', null)
      .where('inbox_id', '=', world.website.id)
      .execute()
  })

test('a snoozed conversation is in its own view, in no other, and in no counter', async ({
  start,
  change,
  unread,
  bucketsOf,
}) => {
  const { id } = await start()
  await change(id, { priority: 'priority' })
  const before = await unread()
  const { data } = await change(id, { snoozed: { until: later() } })
  expect(data).toMatchObject({ status: 'open', snoozed_at: expect.any(String), snoozed_until: expect.any(String) })
  expect(await bucketsOf(id)).toEqual(['snoozed'])
  const after = await unread()
  for (const counter of ['open', 'unread', 'unassigned', 'priority'] as const)
    expect(after[counter], counter).toBe(before[counter] - 1)
})

test('clients that do not know snoozing still find all conversations, in order and counted', async ({
  as,
  start,
  change,
}) => {
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.push((await start()).id)
  await change(ids[1]!, { snoozed: { until: null } })
  await change(ids[3]!, { snoozed: { until: later() } })
  const { data, total } = await as.ada(conversations.list, { query: { status: 'open' } })
  const listed = data.map((conversation) => conversation.id)
  expect(listed.filter((id) => ids.includes(id))).toEqual(ids.toReversed())
  expect(total).toBe(listed.length)
  const paged: string[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const page: Answer<typeof conversations.list> = await as.ada(conversations.list, {
      query: { status: 'open', limit: 2, after },
    })
    paged.push(...page.data.map((conversation) => conversation.id))
    after = page.next
  }
  expect(paged).toEqual(listed)
})

test('a time in the past is refused, and so is snoozing a closed conversation', async ({ start, change, read }) => {
  const { id } = await start()
  await expect(change(id, { snoozed: { until: new Date(Date.now() - 1_000).toISOString() } })).rejects.toEqual(
    expect.objectContaining({ status: 422, errors: { snoozed: ['must end in the future'] } }),
  )
  await expect(change(id, { snoozed: {} as never })).rejects.toMatchObject({ status: 422 })
  await change(id, { status: 'closed' })
  await expect(change(id, { snoozed: { until: later() } })).rejects.toMatchObject({ status: 422 })
  expect((await read(id)).snoozed_at).toBeNull()
})

test('the customer’s answer wakes it, a reply of the team does not', async ({ as, start, change, read, bucketsOf }) => {
  const { id, visitor } = await start()
  await change(id, { snoozed: { until: null } })
  const post = (who: Caller) =>
    who(messages.create, { body: { message: { conversation_id: id, body: 'x', id: randomUUID() } } })
  await post(as.ada)
  expect((await read(id)).snoozed_at).not.toBeNull()
  await post(as.holder(visitor.token))
  expect(await read(id)).toMatchObject({ snoozed_at: null, snoozed_until: null, read: false })
  expect(await bucketsOf(id)).toContain('all')
})

test('closing wakes it, assigning it does not', async ({ world, start, change, read }) => {
  const { id } = await start()
  await change(id, { snoozed: { until: later() } })
  await change(id, { assignee_id: world.ben.id })
  expect((await read(id)).snoozed_at).not.toBeNull()
  await change(id, { status: 'closed' })
  expect(await read(id)).toMatchObject({ status: 'closed', snoozed_at: null, snoozed_until: null })
  const undone = await change(id, { status: 'open', snoozed: { until: later() } })
  expect(undone.data).toMatchObject({ status: 'open', snoozed_at: expect.any(String) })
})

test('it is woken by hand without becoming unread', async ({ start, change, read }) => {
  const { id } = await start()
  await change(id, { read: true })
  await change(id, { snoozed: { until: later() } })
  await change(id, { snoozed: null })
  expect(await read(id)).toMatchObject({ snoozed_at: null, read: true })
})

test('at its time it wakes once, on top and unread, and the team is notified', async ({
  as,
  world,
  server,
  openSocket,
  start,
  change,
  letTimePass,
  read,
}) => {
  const { id } = await start()
  await start()
  const waiting = await start()
  await change(waiting.id, { snoozed: { until: null } })
  await change(id, { read: true, snoozed: { until: later() } })
  const socket = openSocket({ token: world.ben.token })
  const team = await socket.join(`notification:${world.acme.id}`)

  expect(await server.context.change(wakeDueConversations)).toBe(0)
  await letTimePass()
  // The server's own schedule may come first, and leave nothing to wake.
  await server.context.change(wakeDueConversations)
  const received = await team.receive('conversation:updated', (payload) => payload.id === id)
  expect(received.updates).toMatchObject({ snoozed_at: null, snoozed_until: null, read: false })
  const [first] = (await as.ada(conversations.list, { query: { status: 'open', snoozed: 'false' } })).data
  expect(first).toMatchObject({ id, read: false })
  expect(await server.context.change(wakeDueConversations)).toBe(0)
  expect((await read(waiting.id)).snoozed_at).not.toBeNull()
})

test('the customer does not learn that their conversation was snoozed', async ({ as, world, start, change }) => {
  const { id, visitor } = await start()
  await change(id, { snoozed: { until: later() } })
  const query = { customer_id: visitor.customer_id, account_id: world.acme.id }
  const { data } = await as.holder(visitor.token)(conversations.ofCustomer, { query })
  expect(data[0]).toMatchObject({ id, snoozed_at: null, snoozed_until: null })
})

test('a follow-up that nobody answered comes back with its reason, which ends with the next reply', async ({
  as,
  world,
  server,
  start,
  change,
  letTimePass,
  read,
}) => {
  const { id, visitor } = await start()
  await change(id, { snoozed: { until: later(), follow_up: true } })
  const { follow_up } = await read(id)
  expect(follow_up).toEqual({ user_id: world.ada.id, since: expect.any(String) })
  const query = { customer_id: visitor.customer_id, account_id: world.acme.id }
  const chats = await as.holder(visitor.token)(conversations.ofCustomer, { query })
  expect(JSON.stringify(chats)).not.toContain('follow_up')
  const post = (body: string) => as.ben(messages.create, { body: { message: { conversation_id: id, body } } })
  await post('One more thing.')
  expect((await read(id)).follow_up, 'an answer is still awaited').toEqual(follow_up)
  await letTimePass()
  await server.context.change(wakeDueConversations)
  expect(await read(id)).toMatchObject({ snoozed_at: null, read: false, follow_up })
  await post('Did it arrive?')
  expect((await read(id)).follow_up).toBeNull()
  await change(id, { snoozed: { until: null, follow_up: true } })
  expect((await read(id)).follow_up, 'without a time nothing comes back').toBeNull()
})
