import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { audit } from '#contract/accounts/audit.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { inboxes } from '#contract/widget/inboxes.ts'
import { test as base, expect, refusalOf } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import type { User } from '../../../platform/caller.ts'
import type { MakeChange } from '../../../platform/db/change.ts'
import { deleteInboxMovingConversations } from './delete-inbox.ts'
import { startConversation as start } from './starting.ts'

const test = base
  .extend('addInbox', ({ as }) => async (name: string, who = as.ada): Promise<string> => {
    return (await who(inboxes.create, { body: { inbox: { name } } })).data.id
  })
  .extend('remove', ({ as }) => (id: string, move_to?: string, who = as.ada) => {
    return who(conversations.removeInbox, { params: { id }, query: { move_to } })
  })
  .extend('read', ({ as }) => async (id: string) => {
    return (await as.ada(conversations.get, { params: { id } })).data
  })
  .extend('unread', ({ as }) => async () => {
    return (await as.ada(conversations.unread)).data.inboxes
  })
  .extend('startIn', ({ world, server }) => async (inbox_id: string): Promise<string> => {
    const visitor = await startVisitor(server, world.acme.id)
    return (await startConversation(server, visitor, 'Hello?', inbox_id)).conversation_id
  })
  .extend('countIn', ({ server }) => async (inbox_id: string): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from conversations where inbox_id = ${inbox_id}`.execute(server.context.db)
    return rows[0]!.count
  })
  .extend('countWaiting', ({ server }) => async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(server.context.db)
    return rows[0]!.count
  })

test('conversations of an inbox, archived ones too, move to another one before it is deleted', async ({
  as,
  world,
  openSocket,
  addInbox,
  startIn,
  read,
  unread,
  remove,
}) => {
  const press = await addInbox('Press')
  const [tx, deleted] = [await startIn(press), await startIn(press)]
  await as.ada(conversations.archive, { params: { id: deleted } })
  const [before, archived, counted] = [await read(tx), await read(deleted), await unread()]
  const socket = openSocket({ token: world.ben.token })
  const team = await socket.join(`notification:${world.acme.id}`)

  await remove(press, world.billing.id)

  await team.receive('inbox:deleted', ({ id }) => id === press)
  const { updates } = await team.receive('conversation:updated', ({ id }) => id === tx)
  expect(updates).toMatchObject({ inbox_id: world.billing.id, version: before.version + 1 })
  expect((await read(tx)).inbox_id).toBe(world.billing.id)
  expect(await read(deleted)).toMatchObject({ inbox_id: world.billing.id, archived_at: archived.archived_at })
  const { [press]: moved, ...others } = counted
  expect(moved).toBe(1)
  expect(await unread()).toEqual({ ...others, [world.billing.id]: (others[world.billing.id] ?? 0) + 1 })
  await expect(as.ada(inboxes.get, { params: { id: press } })).rejects.toMatchObject({ status: 404 })
  const { data } = await as.ada(audit.list, { query: { action: 'inbox.deleted' } })
  expect(data[0]).toMatchObject({
    subject_id: press,
    subject_name: 'Press',
    details: { moved_to: world.billing.id, changes: { conversations: { from: 'Press', to: 'Billing' } } },
  })
})

test('conversations move only to another inbox of the account, and only an admin moves them', async ({
  as,
  world,
  addInbox,
  startIn,
  remove,
  read,
}) => {
  const press = await addInbox('Press')
  const id = await startIn(press)
  const foreign = await addInbox('Theirs', as.olga)
  for (const move_to of [foreign, randomUUID()]) {
    const { status, errors } = await refusalOf(remove(press, move_to))
    expect([status, errors]).toEqual([422, { move_to: ['does not exist'] }])
  }
  await expect(remove(press, press)).rejects.toHaveProperty('errors', { move_to: ['must be another inbox'] })
  await expect(remove(press, 'nonsense')).rejects.toMatchObject({ status: 400 })
  await expect(remove(press)).rejects.toThrow(/has conversations.*`move_to`/)
  await expect(remove(press, world.billing.id, as.ben)).rejects.toMatchObject({ status: 401 })
  await expect(remove(press, foreign, as.olga)).rejects.toMatchObject({ status: 404 })
  expect((await read(id)).inbox_id).toBe(press)
})

test('the primary inbox keeps its conversations', async ({ world, startIn, remove, read }) => {
  const id = await startIn(world.website.id)
  await expect(remove(world.website.id, world.billing.id)).rejects.toMatchObject({
    status: 422,
    message: expect.stringMatching(/^The primary inbox cannot be deleted/),
  })
  expect((await read(id)).inbox_id).toBe(world.website.id)
})

test('a conversation that starts while its inbox is deleted moves to the other one', async ({
  world,
  server,
  addInbox,
  remove,
  countWaiting,
  read,
}) => {
  const press = await addInbox('Press')
  const id = randomUUID()
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const beginning = server.context.change(async (tx) => {
    await start(tx, world.acme.id, { id, customer_id: world.carla.customer_id, inbox_id: press })
    begun.resolve()
    await ended.promise
  })
  await begun.promise
  const removing = remove(press, world.billing.id)
  const waits = vi.waitFor(async () => expect(await countWaiting()).toBeGreaterThan(0), { timeout: 15_000 })
  await waits.finally(() => ended.resolve())
  await beginning
  await removing
  expect((await read(id)).inbox_id).toBe(world.billing.id)
})

test('a thousand conversations move in batches, and after a server stops in between, a repeated call continues', async ({
  as,
  world,
  server,
  addInbox,
  countIn,
  remove,
}) => {
  const press = await addInbox('Press')
  await sql`insert into conversations (account_id, id, customer_id, inbox_id, source, archived_at)
    select ${world.acme.id}, gen_random_uuid(), ${world.carla.customer_id}, ${press}, 'chat',
      case when n % 2 = 0 then now() end
    from generate_series(1, 1000) n`.execute(server.context.db)
  const before = await countIn(world.billing.id)
  let batches = 0
  const stopping: MakeChange = (work) => {
    if (++batches > 2) throw new Error('The server stopped.')
    return server.context.change(work)
  }
  const ada: User = {
    kind: 'user',
    address: '127.0.0.1',
    account_id: world.acme.id,
    user_id: world.ada.id,
    role: 'admin',
    session_id: randomUUID(),
  }
  await expect(deleteInboxMovingConversations(stopping, ada, press, world.billing.id)).rejects.toThrow(
    'The server stopped.',
  )
  const remaining = await countIn(press)
  expect(remaining).toBeGreaterThan(0)
  expect(remaining + (await countIn(world.billing.id))).toBe(1000 + before)

  await remove(press, world.billing.id)
  expect(await countIn(world.billing.id)).toBe(1000 + before)
  await expect(as.ada(inboxes.get, { params: { id: press } })).rejects.toMatchObject({ status: 404 })
})
