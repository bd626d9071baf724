import { randomUUID } from 'node:crypto'
import { BUCKETS, type Bucket, isInBucket } from '#contract/conversations/buckets.ts'
import { type Conversation, conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { sharing } from '#contract/conversations/sharing.ts'
import { customers } from '#contract/customers/customers.ts'
import type { Answer, BodyInput, QueryInput } from '#contract/endpoint.ts'
import { inboxes } from '#contract/widget/inboxes.ts'
import { ofAccount } from '#server/platform/db/of-account.ts'
import { test as base, type Caller, expect, refusalOf } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const test = base.extend(
  'change',
  ({ as }) =>
    (id: string, conversation: BodyInput<typeof conversations.update>['conversation'], who = as.ada) => {
      return who(conversations.update, { params: { id }, body: { conversation } })
    },
)

test('every bucket lists the conversations of its filter, and the same query counts them', async ({
  as,
  world,
  server,
  change,
}) => {
  const ids: string[] = []
  for (let i = 0; i < 8; i++)
    ids.push((await startConversation(server, await startVisitor(server, world.acme.id), `${i}`)).conversation_id)
  await change(ids[0]!, { status: 'closed' })
  await change(ids[1]!, { assignee_id: world.ada.id })
  await change(ids[2]!, { assignee_id: world.ben.id, priority: 'priority' })
  await change(ids[3]!, { read: true })
  await change(ids[6]!, { snoozed: { until: null } })
  await as.ada(conversations.archive, { params: { id: ids[4]! } })
  await as.ben(messages.create, {
    body: { message: { conversation_id: ids[5]!, body: '@ada', type: 'note', mentioned_user_ids: [world.ada.id] } },
  })
  // As the consumer does where a policy asks for it.
  const due = { due_at: new Date().toISOString(), due_kind: 'first_reply' as const }
  await server.context.db.updateTable('conversations').set(due).where('id', '=', ids[7]!).execute()
  const everything: Conversation[] = []
  for (const status of ['open', 'closed'] as const)
    everything.push(...(await as.ada(conversations.list, { query: { status } })).data)

  for (const bucket of Object.keys(BUCKETS) as Bucket[]) {
    const query = { ...BUCKETS[bucket].query }
    const listed = await as.ada(conversations.list, { query })
    const expected = everything
      .filter((conversation) => isInBucket(bucket, conversation, world.ada.id))
      .map((conversation) => conversation.id)
    expect(new Set(listed.data.map((conversation) => conversation.id)), bucket).toEqual(new Set(expected))
    expect(expected.length, bucket).toBeGreaterThan(0)
    expect((await as.ada(conversations.count, { query })).data.count, bucket).toBe(expected.length)
  }
})

test('unassigned conversations are requested with an empty, a null or a bare assignee_id', async ({
  world,
  server,
}) => {
  await startConversation(server, world.carla)
  const spellings = await Promise.all(
    ['assignee_id', 'assignee_id=', 'assignee_id=null'].map((text) =>
      server.request('GET', `/api/conversations?${text}`, { token: world.ada.token }),
    ),
  )
  const idLists = spellings.map(({ body }) => body.data.map((conversation: Conversation) => conversation.id))
  expect(idLists[0].length).toBeGreaterThan(0)
  expect(idLists[1]).toEqual(idLists[0])
  expect(idLists[2]).toEqual(idLists[0])
})

test('an unset filter may be empty or null, but an empty id is an error', async ({ as, world, server }) => {
  const all = (await as.ada(conversations.list)).total
  const listBy = (text: string) => server.request('GET', `/api/conversations?${text}`, { token: world.ada.token })
  for (const text of ['status=', 'read', 'q', 'after', 'inbox_id', 'priority=&limit=']) {
    expect((await listBy(text)).body.total, text).toBe(all)
  }
  for (const text of ['inbox_id=', 'customer_id=abc']) {
    expect((await listBy(text)).status, text).toBe(400)
  }
})

test('an id may be written in capitals, in path, query and body', async ({ as, world, server }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const share = await as.ada(sharing.share, { params: { id: conversation_id.toUpperCase() } })
  const query = { conversation_id: conversation_id.toUpperCase(), token: share.data.token }
  expect((await as.anybody(sharing.shared, { query })).data.id).toBe(conversation_id)
  const own = { customer_id: world.carla.customer_id.toUpperCase(), account_id: world.acme.id.toUpperCase() }
  const { data } = await as.carla(conversations.ofCustomer, { query: own })
  expect(data[0]?.id).toBe(conversation_id)
})

test('pages follow each other by cursor without gap or double, latest activity first', async ({
  as,
  world,
  server,
}) => {
  for (let i = 0; i < 7; i++) await startConversation(server, world.carla, `page ${i}`)
  const seen: string[] = []
  let after: string | null | undefined
  while (after !== null) {
    const page: Answer<typeof conversations.list> = await as.ada(conversations.list, { query: { limit: 3, after } })
    seen.push(...page.data.map((conversation) => conversation.id))
    after = page.next
  }
  const all = await as.ada(conversations.list)
  expect(seen).toEqual(all.data.map((conversation) => conversation.id))
  expect(new Set(seen).size).toBe(all.total)
  const times = all.data.map((conversation) => conversation.last_activity_at)
  expect(times).toEqual([...times].sort().reverse())
})

test('a browser with an id of another account, or of a deleted customer, is a new visitor, and its first message arrives', async ({
  as,
  world,
  openSocket,
  server,
}) => {
  const elsewhere = await startVisitor(server, world.other.id, {})
  for (const customer_id of [elsewhere.customer_id, randomUUID()]) {
    const conversation = { account_id: world.acme.id, customer_id }
    const { data } = await as.anybody(conversations.create, { body: { conversation } })
    expect(data.customer_id).not.toBe(customer_id)
    const channel = await openSocket().join(`conversation:${data.id}`, { customer_id })
    await channel.push('shout', { body: 'Is anybody there?', customer_id })
    const echo = await channel.receive('shout', ({ body }) => body === 'Is anybody there?')
    expect(echo).toMatchObject({ customer_id: data.customer_id, customer: { id: data.customer_id } })
    const read = await as.ben(conversations.get, { params: { id: data.id } })
    expect(read.data.messages.map(({ body }) => body)).toEqual(['Is anybody there?'])
  }
})

test('a list shows the beginning of a long message, cut between graphemes, without its HTML; the conversation has all of it', async ({
  as,
  world,
  server,
}) => {
  const body = `${'👩‍👩‍👧'.repeat(100)} and more`
  const { conversation_id } = await startConversation(server, world.carla, body)
  const email_html = '<p>As a mail</p>'
  await ofAccount(server.context.db, world.acme.id)
    .updateTable('messages')
    .set({ email_html })
    .where('conversation_id', '=', conversation_id)
    .execute()
  const { data } = await as.ada(conversations.list, { query: { messages: 'last' } })
  const [listed] = data.find(({ id }) => id === conversation_id)!.messages
  expect(listed).toMatchObject({ body: `${'👩‍👩‍👧'.repeat(62)}…`, email_html: null })
  const whole = await as.ada(conversations.get, { params: { id: conversation_id }, query: { messages: 'last' } })
  expect(whole.data.messages[0]).toMatchObject({ body, email_html })
})

test('a letter keeps thirty combining marks at most, however a message arrives', async ({
  as,
  world,
  openSocket,
  server,
}) => {
  const flood = `Zalgo a${'\u0301'.repeat(40_000)} and Tiếng Việt`
  const kept = `Zalgo a${'\u0301'.repeat(30)} and Tiếng Việt`
  const { conversation_id, message } = await startConversation(server, world.carla, flood)
  expect(message.body).toBe(kept)
  const socket = openSocket({ token: world.carla.token })
  const channel = await socket.join(`conversation:${conversation_id}`)
  await channel.push('shout', { body: flood })
  const written = await as.ada(messages.create, { body: { message: { conversation_id, body: 'short' } } })
  await as.ada(messages.update, { params: { id: written.data.id }, body: { message: { body: flood } } })
  const { data } = await as.ada(conversations.get, { params: { id: conversation_id } })
  expect(data.messages.map(({ body }) => body)).toEqual([kept, kept, kept])
})

test('a list has the newest 50 messages of each conversation, a single one has all, and both only the last on request', async ({
  as,
  world,
  server,
}) => {
  const { conversation_id } = await startConversation(server, world.carla, 'first')
  for (let i = 0; i < 54; i++) {
    await as.carla(messages.create, { body: { message: { conversation_id, body: `n${i}` } } })
  }
  const find = async (query: QueryInput<typeof conversations.list>) =>
    (await as.ada(conversations.list, { query })).data.find((conversation) => conversation.id === conversation_id)
  expect((await find({}))?.messages.map((message) => message.number)).toEqual(
    Array.from({ length: 50 }, (_, i) => i + 6),
  )
  expect((await find({ messages: 'last' }))?.messages.map((message) => message.body)).toEqual(['n53'])
  const alone = async (query: QueryInput<typeof conversations.get>) =>
    (await as.ada(conversations.get, { params: { id: conversation_id }, query })).data.messages
  expect((await alone({})).map((message) => message.number)).toEqual(Array.from({ length: 55 }, (_, i) => i + 1))
  expect((await alone({ messages: 'last' })).map((message) => message.body)).toEqual(['n53'])
  const older = await as.ada(messages.list, { query: { conversation_id, before: 6 } })
  expect(older.data.map((message) => message.number)).toEqual([5, 4, 3, 2, 1])
  expect(older.next).toBe(null)
})

test('q finds text inside messages, percent signs included', async ({ as, world, server }) => {
  const { conversation_id } = await startConversation(server, world.carla, 'A discount of 50% please')
  const ids = async (q: string) =>
    (await as.ada(conversations.list, { query: { q } })).data.map((conversation) => conversation.id)
  expect(await ids('DISCOUNT of 50%')).toEqual([conversation_id])
  expect(await ids('discount%please')).toEqual([])
})

test('a form unassigns a conversation with an empty value', async ({ world, server, change }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  expect((await change(conversation_id, { assignee_id: world.ben.id })).data.assignee_id).toBe(world.ben.id)
  const { body } = await server.request('PATCH', `/api/conversations/${conversation_id}`, {
    token: world.ada.token,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'conversation[assignee_id]=&conversation[priority]=priority',
  })
  expect(body.data).toMatchObject({ assignee_id: null, priority: 'priority' })
})

test('metadata of an integration is replaced as a whole, and kept if left out', async ({ world, server, change }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const metadata = async (changes: BodyInput<typeof conversations.update>['conversation']) =>
    (await change(conversation_id, changes)).data.metadata
  expect(await metadata({ metadata: { order: 7, shop: 'a' } })).toEqual({ order: 7, shop: 'a' })
  expect(await metadata({ priority: 'priority' })).toEqual({ order: 7, shop: 'a' })
  expect(await metadata({ metadata: { order: 8 } })).toEqual({ order: 8 })
  expect(await metadata({ metadata: null })).toBeNull()
})

test('an assignee or inbox of another account is refused', async ({ as, world, server, change }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  await expect(change(conversation_id, { assignee_id: world.olga.id })).rejects.toHaveProperty('errors', {
    assignee_id: ['does not exist'],
  })
  const foreign = (await as.olga(inboxes.primary)).data!.id
  await expect(change(conversation_id, { inbox_id: foreign })).rejects.toHaveProperty('errors', {
    inbox_id: ['does not exist'],
  })
})

test('a conversation of another account is not found', async ({ as, world, server, change }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const refused = await refusalOf(as.olga(conversations.get, { params: { id: conversation_id } }))
  expect(refused).toMatchObject({ status: 404, body: { error: { status: 404, message: 'Not found' } } })
  await expect(change(conversation_id, { status: 'closed' }, as.olga)).rejects.toMatchObject({ status: 404 })
})

test('deleting archives: the conversation is in no list, but still found by id', async ({ as, world, server }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  await as.ada(conversations.remove, { params: { id: conversation_id } })
  const listed = (await as.ada(conversations.list, { query: { status: 'open' } })).data.map(
    (conversation) => conversation.id,
  )
  expect(listed).not.toContain(conversation_id)
  expect((await as.ada(conversations.get, { params: { id: conversation_id } })).data.archived_at).toEqual(
    expect.any(String),
  )
})

test('starting with the same id again returns the same conversation', async ({ as }) => {
  const conversation = { id: randomUUID() }
  const start = () => as.carla(conversations.create, { body: { conversation } })
  const answers = await Promise.all([start(), start(), start()])
  expect(new Set(answers.map(({ data }) => data.id))).toEqual(new Set([conversation.id]))
})

test('a user starts a conversation with its first message', async ({ as, world, server }) => {
  const conversation = { customer_id: world.carla.customer_id, message: { body: 'May I help?' } }
  const { token } = world.ada
  const started = await server.request('POST', '/api/conversations', { token, body: { conversation } })
  expect(started.headers.location).toBe(`/api/conversations/${started.body.data.id}`)
  const { messages } = (await as.ada(conversations.get, { params: { id: started.body.data.id } })).data
  expect(messages).toMatchObject([{ body: 'May I help?', user_id: world.ada.id }])
})

test('a user may set assignee and state of a new conversation, and null is ignored', async ({ as, world }) => {
  const start = (conversation: BodyInput<typeof conversations.create>['conversation'], who = as.ada) =>
    who(conversations.create, { body: { conversation } })
  const { customer_id } = world.carla
  const changes = { priority: 'priority', assignee_id: String(world.ben.id), status: 'closed' } as const
  const { data } = await start({ customer_id, id: null, source: null, ...changes })
  expect(data).toMatchObject({ source: 'chat', ...changes, assignee_id: world.ben.id, closed_at: expect.any(String) })
  await expect(start({ customer_id, assignee_id: world.olga.id })).rejects.toHaveProperty('errors', {
    assignee_id: ['does not exist'],
  })
  const byCustomer = await start(changes, as.carla)
  expect(byCustomer.data).toMatchObject({ status: 'open', priority: 'not_priority', assignee_id: null })
})

test('the team cannot start a conversation with an unknown customer, nor an unknown browser one of somebody else', async ({
  as,
  world,
}) => {
  const unknown = { account_id: world.acme.id, customer_id: randomUUID() }
  const claimed = { account_id: world.acme.id, customer_id: world.carla.customer_id }
  for (const [caller, conversation] of [
    [as.ben, unknown],
    [as.anybody, claimed],
  ] as const) {
    const { status, errors } = await refusalOf(caller(conversations.create, { body: { conversation } }))
    expect([status, errors]).toEqual([422, { customer_id: ['does not exist'] }])
  }
})

test('a published client that knows only ids reads the chat with its customer', async ({ as, world }) => {
  const body = await as.anybody(customers.create, {
    body: { customer: { account_id: world.acme.id, name: 'Flo', email: 'flo@customer.test', external_id: 'flo-1' } },
  })
  const customer_id = body.data.id
  await as.anybody(conversations.create, { body: { conversation: { account_id: world.acme.id, customer_id } } })
  const { data } = await as.anybody(conversations.ofCustomer, { query: { account_id: world.acme.id, customer_id } })
  expect(data).toMatchObject([
    { customer: { id: customer_id, name: 'Flo', external_id: 'flo-1', first_seen: expect.any(String) } },
  ])
  expect(JSON.stringify(data), 'an id opens the chat, not an address book').not.toContain('flo@')
  const incomplete = { account_id: world.acme.id } as never
  await expect(as.anybody(conversations.ofCustomer, { query: incomplete })).rejects.toMatchObject({
    status: 400,
    message: 'The following parameters are required: customer_id',
  })
})

test('an opening message is no reply: the conversation is unread and unassigned until somebody answers the customer', async ({
  as,
  world,
  server,
}) => {
  const visitor = await startVisitor(server, world.acme.id)
  const conversation = { customer_id: visitor.customer_id, message: { body: 'May I help?' } }
  const started = await as.ada(conversations.create, { body: { conversation } })
  const untouched = { read: false, assignee_id: null, first_replied_at: null, last_number: 1 }
  expect(started.data).toMatchObject(untouched)
  const { id: conversation_id } = started.data
  const post = (who: Caller, body: string) => who(messages.create, { body: { message: { conversation_id, body } } })
  await post(as.holder(visitor.token), 'Yes, please')
  await post(as.ben, 'With what?')
  const { data } = await as.ada(conversations.get, { params: { id: conversation_id } })
  expect(data).toMatchObject({ read: true, assignee_id: world.ben.id, first_replied_at: expect.any(String) })
})

test('the customer sees only open chats, newest first, at most three, without private notes or agents’ addresses', async ({
  as,
  world,
  server,
  change,
}) => {
  const visitor = await startVisitor(server, world.acme.id)
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.push((await startConversation(server, visitor, `${i}`)).conversation_id)
  await change(ids[4]!, { status: 'closed' })
  for (const [body, type] of [
    ['secret', 'note'],
    ['hello', 'reply'],
  ] as const) {
    await as.ada(messages.create, { body: { message: { conversation_id: ids[3]!, body, type } } })
  }
  const query = { customer_id: visitor.customer_id, account_id: world.acme.id, inbox_id: 'undefined' }
  const { data } = await as.holder(visitor.token)(conversations.ofCustomer, { query })
  expect(data.map((conversation) => conversation.id)).toEqual([ids[3], ids[2], ids[1]])
  expect(data[0]!.messages.map((message) => message.body)).toEqual(['3', 'hello'])
  expect(JSON.stringify(data)).not.toContain('acme.test')
})
