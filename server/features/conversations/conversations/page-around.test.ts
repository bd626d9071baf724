import { sql } from 'kysely'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { sharing } from '#contract/conversations/sharing.ts'
import { tags } from '#contract/customers/tags.ts'
import { test as base, expect, type Refused } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const test = base.extend('addTag', ({ as }) => async (name: string) => {
  return (await as.ada(tags.create, { body: { tag: { name, color: 'magenta' } } })).data
})

test('a tag is added to a conversation once, sent to the team at once, and removed', async ({
  as,
  world,
  server,
  openSocket,
  addTag,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const tag = await addTag('urgent')
  const socket = openSocket({ token: world.ben.token })
  const team = await socket.join(`notification:${world.acme.id}`)
  for (let i = 0; i < 2; i++) {
    expect(await as.ada(tags.addToConversation, { params: { id: conversation_id }, body: { tag_id: tag.id } })).toEqual(
      {
        data: { ok: true },
      },
    )
  }
  expect(await team.receive('conversation:tagged')).toMatchObject({ id: conversation_id, tags: [{ name: 'urgent' }] })
  expect((await as.ada(conversations.get, { params: { id: conversation_id } })).data.tags).toMatchObject([
    { id: tag.id, name: 'urgent' },
  ])
  expect((await as.ada(conversations.list, { query: { tag_id: tag.id } })).data).toHaveLength(1)
  expect(await as.ada(tags.removeFromConversation, { params: { id: conversation_id, tag_id: tag.id } })).toEqual({
    data: { ok: true },
  })
  await expect(
    as.ada(tags.removeFromConversation, { params: { id: conversation_id, tag_id: tag.id } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('a tag’s name is unique in its account, and a tag of another account is not found', async ({
  as,
  world,
  server,
  addTag,
}) => {
  await addTag('bug')
  await expect(as.ada(tags.create, { body: { tag: { name: 'bug' } } })).rejects.toHaveProperty('errors', {
    name: ['has already been taken'],
  })
  const foreign = (await as.olga(tags.create, { body: { tag: { name: 'bug' } } })).data
  const { conversation_id } = await startConversation(server, world.carla)
  await expect(
    as.ada(tags.addToConversation, { params: { id: conversation_id }, body: { tag_id: foreign.id } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('deleting a tag removes it everywhere', async ({ as, world, server, addTag }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const tag = await addTag('short-lived')
  await as.ada(tags.addToConversation, { params: { id: conversation_id }, body: { tag_id: tag.id } })
  await as.ada(tags.remove, { params: { id: tag.id } })
  expect((await as.ada(conversations.get, { params: { id: conversation_id } })).data.tags).toEqual([])
})

test('a shared link shows the conversation to anyone, without notes, tags or addresses', async ({
  as,
  world,
  server,
}) => {
  const { conversation_id } = await startConversation(server, world.carla, 'shown')
  await as.ada(messages.create, { body: { message: { conversation_id, body: 'hidden', type: 'note' } } })
  const { token } = (await as.ada(sharing.share, { params: { id: conversation_id } })).data
  const body = await as.anybody(sharing.shared, { query: { conversation_id, token } })
  expect(body.data.messages.map((message) => message.body)).toEqual(['shown'])
  expect(body.data.customer).toEqual({ id: world.carla.customer_id, object: 'customer', name: 'Carla', title: 'Carla' })
  expect(JSON.stringify(body)).not.toMatch(/hidden|customer\.test|acme\.test/)
})

test('a link gives access only to its own conversation, for 24 hours, and until it is revoked', async ({
  as,
  world,
  server,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const other = await startConversation(server, world.carla)
  const make = async () => (await as.ada(sharing.share, { params: { id: conversation_id } })).data
  const open = (token: string, id = conversation_id) =>
    as.anybody(sharing.shared, { query: { conversation_id: id, token } }).then(
      () => 'open',
      (refused: Refused) => refused.message,
    )
  const { token, share } = await make()
  expect(Date.parse(share.expires_at) - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
  expect(await open(token)).toBe('open')
  expect(await open(token, other.conversation_id)).toBe('Access denied')
  expect(await open('psh_guess')).toBe('Access denied')
  expect((await as.ada(sharing.list, { params: { id: conversation_id } })).data).toHaveLength(1)
  await as.ada(sharing.revoke, { params: { id: conversation_id, share_id: share.id } })
  expect(await open(token)).toBe('Access denied')
  const late = await make()
  await sql`update conversation_shares set expires_at = now() - interval '1 second' where created_by = ${world.ada.id}`.execute(
    server.context.db,
  )
  expect(await open(late.token)).toBe('This link has expired')
  const last = await make()
  await as.ada(conversations.archive, { params: { id: conversation_id } })
  expect(await open(last.token)).toBe('Not found')
})

test('previous is the customer’s conversation before, related are the others with their last message', async ({
  as,
  world,
  server,
}) => {
  const visitor = await startVisitor(server, world.acme.id)
  const ids: string[] = []
  for (const text of ['one', 'two', 'three', 'four', 'five'])
    ids.push((await startConversation(server, visitor, text)).conversation_id)
  const [first, second, third] = ids as [string, string, string]
  expect((await as.ada(conversations.previous, { params: { id: third } })).data?.id).toBe(second)
  expect((await as.ada(conversations.previous, { params: { id: first } })).data).toBe(null)
  const related = (await as.ada(conversations.related, { params: { id: third } })).data
  expect(related.map((conversation) => conversation.messages[0]!.body)).toEqual(['five', 'four', 'two'])
  await expect(as.olga(conversations.previous, { params: { id: third } })).rejects.toMatchObject({ status: 404 })
})
