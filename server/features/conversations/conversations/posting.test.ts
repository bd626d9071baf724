import { randomUUID } from 'node:crypto'
import { invitations } from '#contract/accounts/invitations.ts'
import { team } from '#contract/accounts/team.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { type Message, messages } from '#contract/conversations/messages.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { test as base, type Caller, expect, refusalOf } from '#tests/support/fixture.ts'
import { register, startConversation, startVisitor } from '#tests/support/world.ts'
import { postMessage } from './posting.ts'

const post = (who: Caller, message: BodyInput<typeof messages.create>['message']) =>
  who(messages.create, { body: { message } })

const test = base
  .extend('read', ({ as }) => async (id: string) => {
    return (await as.ada(conversations.get, { params: { id } })).data
  })
  .extend('change', ({ as }) => (id: string, conversation: BodyInput<typeof conversations.update>['conversation']) => {
    return as.ada(conversations.update, { params: { id }, body: { conversation } })
  })

test("a customer's message leaves the conversation unread", async ({ world, server, read }) => {
  const { conversation_id, message } = await startConversation(server, world.carla)
  const conversation = await read(conversation_id)
  expect(conversation).toMatchObject({ read: false, status: 'open', last_number: 1, assignee_id: null })
  expect(message).toMatchObject({ number: 1, type: 'reply', user: null, attachments: [], seen_at: null })
})

test("a customer's message reopens a closed conversation", async ({ as, world, server, change, read }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const closed = await change(conversation_id, { status: 'closed' })
  expect(closed.data.closed_at).toEqual(expect.any(String))
  await post(as.carla, { conversation_id, body: 'One more thing' })
  expect(await read(conversation_id)).toMatchObject({ status: 'open', closed_at: null, read: false })
})

test("a customer's message brings a deleted conversation back, so that somebody reads it", async ({
  as,
  world,
  server,
  read,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  await as.ada(conversations.archive, { params: { id: conversation_id } })
  await post(as.carla, { conversation_id, body: 'Are you still there?' })
  expect(await read(conversation_id)).toMatchObject({ archived_at: null, status: 'open', read: false })
  const { data } = await as.ada(conversations.list, { query: { status: 'open' } })
  expect(data.map(({ id }) => id)).toContain(conversation_id)
})

test("an agent's message does not reopen a closed conversation", async ({ as, world, server, change, read }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  await change(conversation_id, { status: 'closed' })
  await post(as.ada, { conversation_id, body: 'Afterthought' })
  expect(await read(conversation_id)).toMatchObject({ status: 'closed', read: true })
})

test('the first public reply assigns the conversation and marks it read; a note before it does not', async ({
  as,
  world,
  server,
  read,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const note = await post(as.ada, { conversation_id, body: 'Who takes this?', type: 'note', private: true })
  expect(note.data).toMatchObject({ private: true, type: 'note' })
  expect(await read(conversation_id)).toMatchObject({ read: true, assignee_id: null, first_replied_at: null })
  await post(as.ben, { conversation_id, body: 'I do.' })
  const replied = await read(conversation_id)
  expect(replied).toMatchObject({ assignee_id: world.ben.id, first_replied_at: expect.any(String) })
  await post(as.ada, { conversation_id, body: 'And I watch.' })
  expect((await read(conversation_id)).assignee_id).toBe(world.ben.id)
})

test("a bot's message leaves the conversation unread and unassigned", async ({ as, world, server, change, read }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  await change(conversation_id, { read: true })
  await post(as.ada, { conversation_id, body: 'Beep', type: 'bot' })
  expect(await read(conversation_id)).toMatchObject({ read: false, assignee_id: null, first_replied_at: null })
})

test('a repeated id is answered with the stored message and adds nothing', async ({ as, world, server, read }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const message = { id: randomUUID(), conversation_id, body: 'Once' }
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(as.carla, message)))
  expect(new Set(answers.map(({ data }) => data.number))).toEqual(new Set([2]))
  expect((await read(conversation_id)).messages).toHaveLength(2)
})

test('an id of another message is refused', async ({ as, world, server }) => {
  const first = await startConversation(server, world.carla)
  const stranger = await startVisitor(server, world.acme.id)
  const second = await startConversation(server, stranger)
  await expect(
    post(as.holder(stranger.token), {
      id: first.message.id,
      conversation_id: second.conversation_id,
      body: 'Mine',
    }),
  ).rejects.toEqual(expect.objectContaining({ status: 422, errors: { id: ['has already been taken'] } }))
})

test('an id sent to two conversations at once is stored in one of them', async ({ as, world, server, read }) => {
  const started = await Promise.all([startConversation(server, world.carla), startConversation(server, world.carla)])
  const ids = started.map(({ conversation_id }) => conversation_id)
  const id = randomUUID()
  const outcomes = await Promise.allSettled(
    ids.map((conversation_id) => post(as.carla, { id, conversation_id, body: 'Once' })),
  )
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const refused = outcomes.find((outcome) => outcome.status === 'rejected')
  expect(refused?.reason).toMatchObject({ status: 422, errors: { id: ['has already been taken'] } })
  const numbers = await Promise.all(ids.map(async (id) => (await read(id)).last_number))
  expect(numbers.sort()).toEqual([1, 2])
})

test('concurrent messages are numbered without gaps or duplicates', async ({ as, world, server, read }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const senders = [world.carla.token, world.ada.token, world.ben.token]
  await Promise.all(
    Array.from({ length: 30 }, (_, i) => post(as.holder(senders[i % 3]!), { conversation_id, body: `${i}` })),
  )
  const { messages } = await read(conversation_id)
  expect(messages.map((message) => message.number)).toEqual(Array.from({ length: 31 }, (_, i) => i + 1))
  const times = messages.map((message) => message.created_at)
  expect(times).toEqual([...times].sort())
})

test('a reply into an outdated view is refused with what was missed, and accepted when sent anyway', async ({
  as,
  world,
  server,
  read,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  await post(as.carla, { conversation_id, body: 'Never mind, solved!' })
  const reply = { conversation_id, body: 'Have you tried turning it off?', last_seen_number: 1 }
  const refused = await refusalOf(post(as.ada, reply))
  expect(refused.status).toBe(409)
  expect(refused.reason).toBe('outdated_view')
  expect(refused.body.data.messages.map(({ body }: Message) => body)).toEqual(['Never mind, solved!'])
  expect((await read(conversation_id)).last_number).toBe(2)
  await post(as.ada, { ...reply, last_seen_number: undefined })
})

test("a colleague's newer message does not make a view outdated", async ({ as, world, server }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  await post(as.ben, { conversation_id, body: 'On it' })
  await post(as.ada, { conversation_id, body: 'Me too', last_seen_number: 1 })
})

test('sent_at is echoed to the second', async ({ as, world, server }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const answer = await post(as.carla, { conversation_id, body: 'When?', sent_at: '2026-03-01T10:00:00.987Z' })
  expect(answer.data.sent_at).toBe('2026-03-01T10:00:00Z')
})

test('null leaves a field to the server, and API clients find messages by pattern', async ({ as, world, server }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const nulls = { id: null, type: null, private: null, source: null, file_ids: null, metadata: null, sent_at: null }
  const sent = await post(as.ada, { conversation_id, body: 'A Refund of 50%', ...nulls })
  expect(sent.data).toMatchObject({ type: 'reply', private: false, source: 'chat', attachments: [] })
  const count = async (body: string) => {
    const query = { conversation_id, body }
    return (await as.ada(messages.list, { query })).data.length
  }
  for (const body of ['refund', '%REFUND%', '50%']) expect(await count(body), body).toBe(1)
  for (const body of ['%refund', '40%']) expect(await count(body), body).toBe(0)
})

test('an empty message is refused', async ({ as, world, server }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  for (const body of ['', '  \n ', null, undefined]) {
    await expect(post(as.ada, { conversation_id, body })).rejects.toMatchObject({
      status: 422,
      errors: { body: ["can't be blank"] },
    })
  }
})

test('a visitor cannot speak as the team, write a note, or write into a conversation of somebody else', async ({
  as,
  world,
  server,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const forgery = { type: 'note' as const, private: true, user_id: world.ada.id }
  const forged = await post(as.carla, { conversation_id, body: 'I am Ada', ...forgery })
  expect(forged.data).toMatchObject({
    type: 'reply',
    private: false,
    user_id: null,
    customer_id: world.carla.customer_id,
  })
  const stranger = await startVisitor(server, world.acme.id)
  await expect(post(as.holder(stranger.token), { conversation_id, body: 'Hi' })).rejects.toMatchObject({ status: 404 })
})

test('a mentioned colleague has an unseen mention; the author and people of other accounts do not', async ({
  as,
  world,
  server,
  read,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  await post(as.ada, {
    conversation_id,
    body: '@ben have a look',
    type: 'note',
    mentioned_user_ids: [world.ben.id, world.ada.id, world.olga.id],
  })
  const conversation = await read(conversation_id)
  expect(conversation.mentions.map((mention) => mention.user_id)).toEqual([world.ben.id])
  const counts = await as.ben(conversations.unread)
  expect(counts.data.conversations.mentioned).toBe(1)
})

test('a user who can no longer sign in cannot be mentioned or assigned', async ({ as, world, server, read }) => {
  const invitation = await as.ada(invitations.create)
  const dana = await register(server, undefined, 'dana@acme.test', invitation.data.id)
  const { conversation_id } = await startConversation(server, world.carla)
  const assign = (assignee_id: number | null) =>
    as.ada(conversations.update, { params: { id: conversation_id }, body: { conversation: { assignee_id } } })
  for (const id of [dana.id, null]) await assign(id)
  for (const end of ['disable', 'archive'] as const) {
    await as.ada(team[end], { params: { id: dana.id } })
    await post(as.ada, { conversation_id, body: '@dana', type: 'note', mentioned_user_ids: [dana.id] })
    expect((await read(conversation_id)).mentions, end).toEqual([])
    await expect(assign(dana.id), end).rejects.toMatchObject({ status: 422 })
  }
})

test('with customer_id an API client writes for the customer, and not as both', async ({ as, world, server }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const { customer_id } = world.carla
  const spoken = await post(as.ada, { conversation_id, body: 'By phone', customer_id })
  expect(spoken.data).toMatchObject({ customer_id, user_id: null })
  await expect(post(as.ada, { conversation_id, body: 'x', customer_id, type: 'note' })).rejects.toMatchObject({
    message: 'A message should not have both a `user_id` and `customer_id`',
  })
  const foreign = await startVisitor(server, world.other.id)
  await expect(post(as.ada, { conversation_id, body: 'x', customer_id: foreign.customer_id })).rejects.toMatchObject({
    status: 403,
    message: 'Forbidden: invalid `customer_id`',
  })
})

test('what a visitor may decide is limited where messages are posted, whoever calls it', async ({ server, world }) => {
  const { customer_id } = world.carla
  const { conversation_id } = await startConversation(server, world.carla)
  const { id } = await server.context.change((tx) =>
    postMessage(
      server.context,
      tx,
      world.acme.id,
      { kind: 'visitor', customer_id },
      {
        conversation_id,
        body: 'Hi',
        type: 'note',
        private: true,
        source: 'email',
        external_author: 'The boss',
        template: { header: { text: 'Pay here' } },
        metadata: { mentions: [1], ses_message_id: 'x', mail_cc: ['a@b.test'], is_reminder: true, color: 'red' },
        email: { subject: 'From your boss', html: '<h1>Pay</h1>' },
        mail: { to: undefined, cc: ['a@b.test'], bcc: undefined, subject: undefined, quote: undefined },
      },
    ),
  )
  const stored = await server.context.db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst()
  expect(stored).toMatchObject({
    type: 'reply',
    private: false,
    source: 'chat',
    customer_id,
    metadata: { color: 'red' },
  })
  expect(stored).toMatchObject({ external_author: null, template: null, email_subject: null, email_html: null })
})
