import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { createWorld, PASSWORD, startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { destroyAccount } from './closing.ts'

let server: TestServer
let world: World
/** Opened anew for each test, because it is closed there. */
let opened = 0
beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const as = (token: string, method: string, path: string, body?: object) => server.request(method, path, { token, body })
const close = (token: string, body?: object, path = '/api/accounts/me') => as(token, 'DELETE', path, body)

/** An account with an admin and a user. */
async function openAccount() {
  opened++
  const company_name = `Shop ${opened}`
  const register = async (user: object) => {
    const passwords = { password: PASSWORD, password_confirmation: PASSWORD }
    return (await server.request('POST', '/api/registration', { body: { user: { ...user, ...passwords } } })).body.data
  }
  const email = `admin${opened}@shop.test`
  const admin = await register({ company_name, email })
  const invitation = await as(admin.token, 'POST', '/api/user_invitations')
  const user = await register({ invite_token: invitation.body.data.id, email: `user${opened}@shop.test` })
  return { id: admin.account_id as string, company_name, admin: { id: admin.user_id, token: admin.token, email }, user }
}

async function upload(token: string, account_id: string) {
  const form = new FormData()
  form.append('file', new Blob(['A lamp'], { type: 'text/plain' }), 'lamp.txt')
  form.append('account_id', account_id)
  const answer = await fetch(`${server.url}/api/upload`, {
    method: 'POST',
    headers: { authorization: token },
    body: form,
  })
  return ((await answer.json()) as { data: { id: string } }).data.id
}

/** One of nearly everything that an account can hold. */
async function furnish({ token, id: user_id }: { token: string; id: number }, account_id: string) {
  const visitor = await startVisitor(server, account_id, { name: 'Dora', email: 'dora@customer.test' })
  const twin = await startVisitor(server, account_id, { name: 'Dora again' })
  const { customer_id } = visitor
  const { conversation_id } = await startConversation(server, visitor)
  await startConversation(server, twin)
  const file_ids = [await upload(visitor.token, account_id)]
  await upload(visitor.token, account_id)
  const say = (by: string, message: object) =>
    as(by, 'POST', '/api/messages', { message: { conversation_id, id: randomUUID(), ...message } })
  await say(visitor.token, { body: 'See', file_ids })
  await say(token, { body: 'A note', private: true, mentioned_user_ids: [user_id] })
  const add = async (path: string, body: object) => (await as(token, 'POST', `/api/${path}`, body)).body.data?.id
  const tag_id = await add('tags', { tag: { name: 'vip' } })
  await add(`customers/${customer_id}/tags`, { tag_id })
  await add(`conversations/${conversation_id}/tags`, { tag_id })
  await add('issues', { issue: { title: 'Lamp', customer_id } })
  await add('notes', { note: { body: 'Likes oak', customer_id } })
  await add('companies', { company: { name: 'Harbour' } })
  await add('canned_responses', { canned_response: { name: 'hi', content: 'Hi' } })
  await add(`conversations/${conversation_id}/share`, {})
  await add('customer_filters', { customer_filter: { name: 'All', query: {} } })
  await add('customers/import', { content: 'email\na@b.test', filename: 'new.csv' })
  await as(token, 'PUT', `/api/conversations/${conversation_id}`, { conversation: { subject: 'Lamps' } })
  await as(visitor.token, 'PUT', `/api/customers/${customer_id}/metadata`, {
    metadata: { current_url: 'https://shop.test/lamps' },
  })
  await add(`customers/${customer_id}/merge`, { customer_id: twin.customer_id })
  return visitor
}

/** How many rows each table holds of an account. */
async function countRows(account_id: string): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'account_id' order by 1`.execute(server.context.db)
  const counted: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from ${sql.table(name)} where account_id = ${account_id}`.execute(
      server.context.db,
    )
    if (rows[0]!.count > 0) counted[name] = rows[0]!.count
  }
  return counted
}

const listFilesOf = async (account_id: string) =>
  (await readdir(join(server.context.config.dataDir, 'files'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.parentPath.includes(account_id))
    .map(({ name }) => name)

test('an admin who types the company’s name closes the account; nothing of it is left, and of others everything', async () => {
  const shop = await openAccount()
  const visitor = await furnish(shop.admin, shop.id)
  await furnish(world.olga, world.other.id)
  expect(Object.keys(await countRows(shop.id)).length).toBeGreaterThan(25)
  const kept = ['conversations', 'messages', 'customers', 'files', 'users', 'customer_merges', 'message_words']
  const others = async () => {
    const counts = await countRows(world.other.id)
    return [...kept.map((table) => counts[table]), (await listFilesOf(world.other.id)).length]
  }
  const before = await others()
  const sockets = [
    new TestSocket(server.url, { token: shop.user.token }),
    new TestSocket(server.url, { token: visitor.token }),
  ]
  await sockets[0]!.join(`notification:${shop.id}`)
  await sockets[1]!.join(`conversation:lobby:${visitor.customer_id}`)
  const cut = Promise.all(sockets.map(({ socket }) => new Promise((resolve) => socket.onClose(resolve))))

  expect((await close(shop.admin.token, { company_name: ` ${shop.company_name} ` })).status).toBe(204)
  await cut
  for (const socket of sockets) socket.close()
  for (const { token } of [shop.admin, shop.user, visitor]) {
    expect((await as(token, 'GET', '/api/events')).status).toBe(401)
  }
  await expect.poll(() => countRows(shop.id), { timeout: 10_000 }).toEqual({})
  const { rows } = await sql`select 1 from accounts where id = ${shop.id}`.execute(server.context.db)
  expect(rows).toEqual([])
  await expect.poll(() => listFilesOf(shop.id), { timeout: 10_000 }).toEqual([])
  expect(await others()).toEqual(before)
  expect((await as(world.olga.token, 'GET', '/api/accounts/me')).status).toBe(200)
})

test('nobody signs in to an account that is closed, before anything of it is gone', async () => {
  const { admin, company_name } = await openAccount()
  await close(admin.token, { company_name })
  const user = { email: admin.email, password: PASSWORD }
  expect((await server.request('POST', '/api/session', { body: { user } })).status).toBe(401)
})

test('without the company’s name nothing happens, and the answer says what to send', async () => {
  for (const body of [undefined, {}, { company_name: null }, { company_name: 'acme' }, { company_name: 'Other' }]) {
    const { status, body: answer } = await close(world.ada.token, body)
    expect([status, answer.error.message]).toEqual([
      422,
      'This destroys the account with everything in it. If you mean it, send the name of the company as `company_name`.',
    ])
  }
  expect((await as(world.ada.token, 'GET', '/api/accounts/me')).status).toBe(200)
})

test('nobody but an admin closes an account, and only their own', async () => {
  const { id, company_name, admin, user } = await openAccount()
  const path = `/api/accounts/${id}`
  expect((await close(user.token, { company_name })).status).toBe(401)
  expect((await close(world.olga.token, { company_name }, path)).status).toBe(404)
  expect((await close(admin.token, { company_name }, path)).status).toBe(204)
})

test('what comes in while an account is destroyed goes with it, sockets too, and doing it again does no harm', async () => {
  const { id, admin } = await openAccount()
  const visitor = await furnish(admin, id)
  const socket = new TestSocket(server.url, { token: visitor.token })
  await socket.join(`conversation:lobby:${visitor.customer_id}`)
  const cut = new Promise((resolve) => socket.socket.onClose(resolve))
  const late = startVisitor(server, id).catch(() => undefined)
  await Promise.all([destroyAccount.run(server.context, { account_id: id }), late])
  await cut
  socket.close()
  await destroyAccount.run(server.context, { account_id: id })
  expect(await countRows(id)).toEqual({})
})
