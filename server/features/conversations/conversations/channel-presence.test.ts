import { randomUUID } from 'node:crypto'
import { conversations } from '#contract/conversations/conversations.ts'
import { post, test } from '#tests/support/channels.ts'
import { expect } from '#tests/support/fixture.ts'
import { startConversation } from '#tests/support/world.ts'

test('reading marks the conversation and its mentions as read and notifies the team', async ({
  as,
  world,
  server,
  joinTeam,
  connect,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  await post(as.ada, { conversation_id, body: '@ben', type: 'note', mentioned_user_ids: [world.ben.id] })
  await post(as.carla, { conversation_id, body: 'Anyone?' })
  const team = await joinTeam(world.ben)
  expect(await team.push('read', { conversation_id })).toEqual({})
  const { updates } = await team.receive(
    'conversation:updated',
    ({ id, updates }) => id === conversation_id && updates.read,
  )
  expect(updates.unseen_mention_user_ids).toEqual([])
  const foreign = await connect({ token: world.olga.token }).join(`notification:${world.other.id}`)
  await expect(foreign.push('read', { conversation_id })).rejects.toThrow('Not found')
})

test('reading marks only the reader’s own mentions in that conversation as seen', async ({
  as,
  world,
  server,
  joinTeam,
}) => {
  const here = (await startConversation(server, world.carla)).conversation_id
  const there = (await startConversation(server, world.carla)).conversation_id
  const mention = (by: { token: string }, conversation_id: string, ...mentioned_user_ids: number[]) =>
    post(as.holder(by.token), { conversation_id, body: '@', type: 'note', mentioned_user_ids })
  const seen = async (id: string) => {
    const { data } = await as.ada(conversations.get, { params: { id } })
    const mentions: { user_id: number; seen_at: string | null }[] = data.mentions
    return Object.fromEntries(mentions.map(({ user_id, seen_at }) => [user_id, seen_at]))
  }
  await mention(world.ada, here, world.ben.id)
  await mention(world.ben, here, world.ada.id)
  await mention(world.ada, there, world.ben.id)
  const team = await joinTeam(world.ben)
  await team.push('read', { conversation_id: here })
  const first = await seen(here)
  expect(first).toEqual({ [world.ben.id]: expect.any(String), [world.ada.id]: null })
  expect(await seen(there)).toEqual({ [world.ben.id]: null })
  // A mention that was seen keeps its time; another mention in the same conversation does not change it.
  await mention(world.ada, here, world.ben.id)
  await team.push('read', { conversation_id: here })
  const body = await as.ada(conversations.get, { params: { id: here } })
  expect(body.data.mentions.map(({ seen_at }) => seen_at)).toContain(first[world.ben.id])
})

test('messages are marked as seen once, and the team is notified up to which one', async ({
  as,
  startLegacyVisitor,
  joinTeam,
  connect,
}) => {
  const { customer_id, conversation_id } = await startLegacyVisitor()
  await post(as.ada, { conversation_id, body: 'one' })
  await post(as.ada, { conversation_id, body: 'two' })
  const team = await joinTeam()
  const visitor = await connect().join(`conversation:${conversation_id}`, { customer_id })
  await visitor.push('messages:seen', {})
  expect(await team.receive('messages:seen')).toMatchObject({ conversation_id, up_to_number: 2 })
  const { messages } = (await as.ada(conversations.get, { params: { id: conversation_id } })).data
  expect(messages.every((message) => message.seen_at)).toBe(true)
})

test('the team sees visitors go online and offline; visitors see agents', async ({
  world,
  startLegacyVisitor,
  joinTeam,
  connect,
}) => {
  const { customer_id, conversation_id } = await startLegacyVisitor()
  const team = await joinTeam()
  expect(await team.receive('presence_state')).toHaveProperty(`user:${world.ada.id}`)
  const socket = connect()
  await socket.join(`conversation:${conversation_id}`, { customer_id })
  const { joins } = await team.receive('presence_diff', (diff) => diff.joins[`customer:${customer_id}`])
  expect(joins[`customer:${customer_id}`].metas[0]).toMatchObject({
    customer_id,
    online_at: expect.stringMatching(/^\d+$/),
  })
  const room = await connect().join(`room:${world.acme.id}`)
  expect((await room.receive('presence_state'))[`user:${world.ada.id}`].metas[0]).toMatchObject({
    user_id: world.ada.id,
  })
  socket.close()
  await team.receive('presence_diff', (diff) => diff.leaves[`customer:${customer_id}`])
})

test('the room of a company that does not exist is joined as an empty one, and nothing is kept for it', async ({
  server,
  connect,
}) => {
  const stranger = connect()
  for (let i = 0; i < 20; i++) {
    const room = await stranger.join(`room:${randomUUID()}`)
    expect(await room.receive('presence_state')).toEqual({})
  }
  await stranger.join('room:anything')
  // Those of other tests may still be closing.
  expect(server.context.realtime.stats().topics).toBeLessThan(10)
})

test('typing is sent to the other side', async ({ world, server, joinTeam, connect }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const team = await joinTeam()
  const carla = await connect({ visitor_token: world.carla.token }).join(`conversation:${conversation_id}`)
  carla.channel.push('typing', { typing: true })
  expect(await team.receive('typing')).toEqual({ conversation_id, customer_id: world.carla.customer_id, typing: true })
  team.channel.push('typing', { conversation_id, typing: true })
  expect(await carla.receive('typing')).toEqual({ conversation_id, user_id: world.ada.id, typing: true })
})

test('the visitor is sent the read position of the team: when it opens, answers or marks the conversation', async ({
  as,
  startLegacyVisitor,
  connect,
  joinTeam,
}) => {
  const { customer_id, conversation_id } = await startLegacyVisitor()
  const visitor = await connect().join(`conversation:${conversation_id}`, { customer_id })
  await visitor.push('shout', { body: 'one' })
  const team = await joinTeam()
  await team.push('read', { conversation_id })
  expect(await visitor.receive('messages:read')).toMatchObject({ conversation_id, up_to_number: 1 })
  await visitor.push('shout', { body: 'two' })
  await post(as.ada, { conversation_id, body: 'Yes?' })
  expect(await visitor.receive('messages:read', (read) => read.up_to_number === 2)).toBeTruthy()
  await visitor.push('shout', { body: 'three' })
  await as.ada(conversations.update, { params: { id: conversation_id }, body: { conversation: { read: true } } })
  expect(await visitor.receive('messages:read', (read) => read.up_to_number === 4)).toBeTruthy()
})

test('the team sees who views which conversation, until they leave it or disconnect', async ({
  world,
  startLegacyVisitor,
  joinTeam,
  connect,
}) => {
  const { conversation_id } = await startLegacyVisitor()
  const ada = await joinTeam()
  const socket = connect({ token: world.ben.token })
  const ben = await socket.join(`notification:${world.acme.id}`)
  const key = `user:${world.ben.id}`
  type Received = Record<'joins' | 'leaves', Record<string, { metas: { viewing?: string }[] }>>
  const looks = (at: string | null) => (diff: object) =>
    !!(diff as Received).joins[key]?.metas.some(({ viewing }) => viewing === at)

  await ben.push('viewing', { conversation_id })
  await ada.receive('presence_diff', looks(conversation_id))
  await ben.push('viewing', { conversation_id: null })
  await ada.receive('presence_diff', looks(null))
  await ben.push('viewing', { conversation_id })
  socket.close()
  const isGone = ({ joins, leaves }: Received) =>
    !joins[key] && !!leaves[key]?.metas.some(({ viewing }) => viewing === conversation_id)
  await ada.receive('presence_diff', (diff) => isGone(diff as Received))
})

test('viewing a conversation of another account is refused', async ({ world, startLegacyVisitor, connect }) => {
  const { conversation_id } = await startLegacyVisitor()
  const olga = await connect({ token: world.olga.token }).join(`notification:${world.other.id}`)
  await expect(olga.push('viewing', { conversation_id })).rejects.toThrow('Not found')
  await expect(olga.push('viewing', { conversation_id: 'nonsense' })).rejects.toThrow('is invalid')
})
