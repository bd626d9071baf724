import { sql } from 'kysely'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { ratings } from '#contract/conversations/ratings.ts'
import { visitorConversations } from '#contract/conversations/visitor-conversations.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { test as base, type Caller, expect } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const rate = (who: Caller, id: string, rating: BodyInput<typeof ratings.rate>['rating']) =>
  who(ratings.rate, { params: { id }, body: { rating } })
const read = (who: Caller, id: string) => who(ratings.get, { params: { id } })

const test = base
  .extend('set', ({ as }) => (id: string, changes: BodyInput<typeof conversations.update>['conversation']) => {
    return as.ada(conversations.update, { params: { id }, body: { conversation: changes } })
  })
  .extend('startClosed', ({ world, server, set }) => async () => {
    const visitor = await startVisitor(server, world.acme.id)
    const { conversation_id } = await startConversation(server, visitor)
    await set(conversation_id, { status: 'closed', assignee_id: world.ben.id })
    return { ...visitor, conversation_id }
  })

test('a visitor rates a closed conversation with one to five and a comment, and the team reads it', async ({
  as,
  world,
  startClosed,
}) => {
  const { token, conversation_id } = await startClosed()
  const { data } = await rate(as.holder(token), conversation_id, { score: 5, comment: ' Quick and kind. ' })
  expect(data).toMatchObject({ conversation_id, score: 5, comment: 'Quick and kind.', user_id: world.ben.id })
  expect((await read(as.ben, conversation_id)).data).toEqual(data)
})

test('a conversation has one rating, which may be changed for a day; a comment left out stays', async ({
  as,
  server,
  startClosed,
  set,
}) => {
  const { token, conversation_id } = await startClosed()
  const first = await rate(as.holder(token), conversation_id, { score: 2, comment: 'Slow.' })
  const second = await rate(as.holder(token), conversation_id, { score: 4 })
  expect(second.data).toMatchObject({ id: first.data.id, score: 4, comment: 'Slow.' })
  expect((await rate(as.holder(token), conversation_id, { score: 4, comment: null })).data.comment).toBeNull()
  await set(conversation_id, { status: 'open' })
  await rate(as.holder(token), conversation_id, { score: 3 })

  await sql`update conversation_ratings set created_at = now() - interval '25 hours'
            where conversation_id = ${conversation_id}`.execute(server.context.db)
  await expect(rate(as.holder(token), conversation_id, { score: 1 })).rejects.toHaveProperty('errors', {
    score: ['can no longer be changed'],
  })
  expect((await read(as.ada, conversation_id)).data!.score).toBe(3)
})

test('an open conversation is not rated, and no score lies outside one to five', async ({
  as,
  world,
  server,
  startClosed,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  await expect(rate(as.carla, conversation_id, { score: 5 })).rejects.toHaveProperty('errors', {
    score: ['requires a closed conversation'],
  })
  const closed = await startClosed()
  for (const score of [0, 6, 2.5])
    await expect(rate(as.holder(closed.token), closed.conversation_id, { score })).rejects.toMatchObject({
      status: 422,
    })
  expect((await read(as.ada, closed.conversation_id)).data).toBeNull()
})

test('nobody rates or reads conversations of others', async ({ as, startClosed }) => {
  const { conversation_id } = await startClosed()
  await expect(rate(as.carla, conversation_id, { score: 1 })).rejects.toMatchObject({ status: 404 })
  await expect(rate(as.ada, conversation_id, { score: 1 })).rejects.toMatchObject({ status: 401 })
  await expect(read(as.olga, conversation_id)).rejects.toMatchObject({ status: 404 })
})

test('a rating is sent to the team and the visitor’s other windows', async ({ as, world, openSocket, startClosed }) => {
  const { token, customer_id, conversation_id } = await startClosed()
  const team = await openSocket({ token: world.ada.token }).join(`notification:${world.acme.id}`)
  const window = await openSocket({ visitor_token: token }).join(`conversation:${conversation_id}`, {
    customer_id,
  })
  const { data } = await rate(as.holder(token), conversation_id, { score: 4 })
  expect(await team.receive('conversation:rated')).toEqual(data)
  expect(await window.receive('conversation:rated')).toEqual(data)
})

test('a visitor lists their own chats, the latest first, with the newest message, unseen count and rating', async ({
  as,
  world,
  server,
  set,
}) => {
  const visitor = await startVisitor(server, world.acme.id)
  const list = async () => (await as.holder(visitor.token)(visitorConversations.list)).data
  const older = await startConversation(server, visitor, 'About the lamp')
  const newer = await startConversation(server, visitor, 'About the bill')
  const answer = (body: string, type: 'reply' | 'note' = 'reply') =>
    as.ada(messages.create, { body: { message: { conversation_id: older.conversation_id, body, type } } })
  await answer('It is on its way.')
  await answer('He asks every week', 'note')
  await set(newer.conversation_id, { status: 'closed' })
  await rate(as.holder(visitor.token), newer.conversation_id, { score: 3 })
  await as.holder(visitor.token)(conversations.create, { body: { conversation: {} } })

  const rows = await list()
  expect(rows.map(({ id }) => id)).toEqual([newer.conversation_id, older.conversation_id])
  expect(rows[0]).toMatchObject({ status: 'closed', unseen: 0, rating: { score: 3 } })
  expect(rows[1]).toMatchObject({ status: 'open', unseen: 1, rating: null })
  expect(rows[1]!.last_message).toMatchObject({ body: 'It is on its way.', user: { email: 'ada' } })
  await as.ada(conversations.archive, { params: { id: older.conversation_id } })
  expect(await list()).toHaveLength(1)
})
