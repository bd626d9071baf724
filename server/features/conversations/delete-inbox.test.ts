import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { createWorld, startConversation, startVisitor, type World } from '#tests/support/world.ts'
import type { User } from '../../platform/caller.ts'
import type { MakeChange } from '../../platform/db/change.ts'
import { deleteInboxMovingConversations } from './delete-inbox.ts'
import { startConversation as start } from './starting.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const ask = async (method: string, path: string, body?: object, token = world.ada.token) =>
  server.request(method, `/api${path}`, { token, body })
const addInbox = async (name: string, token = world.ada.token): Promise<string> =>
  (await ask('POST', '/inboxes', { inbox: { name } }, token)).body.data.id
const remove = (id: string, move_to?: string, token = world.ada.token) =>
  ask('DELETE', `/inboxes/${id}${move_to === undefined ? '' : `?move_to=${move_to}`}`, undefined, token)
const read = async (id: string) => (await ask('GET', `/conversations/${id}`)).body.data
const unread = async () => (await ask('GET', '/conversations/unread')).body.data.inboxes

async function startIn(inbox_id: string): Promise<string> {
  const visitor = await startVisitor(server, world.acme.id)
  return (await startConversation(server, visitor, 'Hello?', inbox_id)).conversation_id
}

test('what an inbox holds, deleted conversations too, goes to another one before it is deleted', async () => {
  const press = await addInbox('Press')
  const [open, deleted] = [await startIn(press), await startIn(press)]
  await ask('POST', `/conversations/${deleted}/archive`)
  const [before, archived, counted] = [await read(open), await read(deleted), await unread()]
  const socket = new TestSocket(server.url, { token: world.ben.token })
  const team = await socket.join(`notification:${world.acme.id}`)

  expect((await remove(press, world.billing.id)).status).toBe(204)

  await team.receive('inbox:deleted', ({ id }) => id === press)
  const { updates } = await team.receive('conversation:updated', ({ id }) => id === open)
  expect(updates).toMatchObject({ inbox_id: world.billing.id, version: before.version + 1 })
  socket.close()
  expect((await read(open)).inbox_id).toBe(world.billing.id)
  expect(await read(deleted)).toMatchObject({ inbox_id: world.billing.id, archived_at: archived.archived_at })
  const { [press]: moved, ...others } = counted
  expect(moved).toBe(1)
  expect(await unread()).toEqual({ ...others, [world.billing.id]: (others[world.billing.id] ?? 0) + 1 })
  expect((await ask('GET', `/inboxes/${press}`)).status).toBe(404)
  const { body } = await ask('GET', '/audit_entries?action=inbox.deleted')
  expect(body.data[0]).toMatchObject({
    subject_id: press,
    subject_name: 'Press',
    details: { moved_to: world.billing.id, changes: { conversations: { from: 'Press', to: 'Billing' } } },
  })
})

test('conversations go only to another inbox of the account, and only an admin sends them there', async () => {
  const press = await addInbox('Press')
  const id = await startIn(press)
  const foreign = await addInbox('Theirs', world.olga.token)
  for (const move_to of [foreign, randomUUID()]) {
    const { status, body } = await remove(press, move_to)
    expect([status, body.error.errors]).toEqual([422, { move_to: ['does not exist'] }])
  }
  expect((await remove(press, press)).body.error.errors).toEqual({ move_to: ['must be another inbox'] })
  expect((await remove(press, 'nonsense')).status).toBe(400)
  expect((await remove(press)).body.error.message).toMatch(/holds conversations.*`move_to`/)
  expect((await remove(press, world.billing.id, world.ben.token)).status).toBe(401)
  expect((await remove(press, foreign, world.olga.token)).status).toBe(404)
  expect((await read(id)).inbox_id).toBe(press)
})

test('the primary inbox keeps its conversations', async () => {
  const id = await startIn(world.website.id)
  const { status, body } = await remove(world.website.id, world.billing.id)
  expect([status, body.error.message]).toEqual([422, expect.stringMatching(/^The primary inbox cannot be deleted/)])
  expect((await read(id)).inbox_id).toBe(world.website.id)
})

test('a conversation that begins while its inbox is deleted ends in the other one', async () => {
  const press = await addInbox('Press')
  const id = randomUUID()
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const beginning = server.context.change(async (open) => {
    await start(open, world.acme.id, { id, customer_id: world.carla.customer_id, inbox_id: press })
    begun.resolve()
    await ended.promise
  })
  await begun.promise
  const removing = remove(press, world.billing.id)
  const waits = vi.waitFor(async () => expect(await countWaiting()).toBeGreaterThan(0), { timeout: 15_000 })
  await waits.finally(() => ended.resolve())
  await beginning
  expect((await removing).status).toBe(204)
  expect((await read(id)).inbox_id).toBe(world.billing.id)
})

test('a thousand go in batches, and a server that stops in between loses none: asking again goes on', async () => {
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
  const left = await countIn(press)
  expect(left).toBeGreaterThan(0)
  expect(left + (await countIn(world.billing.id))).toBe(1000 + before)

  expect((await remove(press, world.billing.id)).status).toBe(204)
  expect(await countIn(world.billing.id)).toBe(1000 + before)
  expect((await ask('GET', `/inboxes/${press}`)).status).toBe(404)
})

async function countIn(inbox_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from conversations where inbox_id = ${inbox_id}`.execute(server.context.db)
  return rows[0]!.count
}

async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(server.context.db)
  return rows[0]!.count
}
