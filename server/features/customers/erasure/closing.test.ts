import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { accounts } from '#contract/accounts/accounts.ts'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { invitations } from '#contract/accounts/invitations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { customers } from '#contract/customers/customers.ts'
import { erasure } from '#contract/customers/erasure.ts'
import { events } from '#contract/events.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { PASSWORD, startConversation, startVisitor } from '#tests/support/world.ts'
import { destroyAccount } from './closing.ts'

/** A new account for each test, because the test closes it. */
let opened = 0

const test = base
  .extend('close', ({ server }) => (token: string, body?: object, path = '/api/accounts/me') => {
    return server.request('DELETE', path, { token, body })
  })
  /** An account with an admin and a user. */
  .extend('openAccount', ({ as }) => async () => {
    opened++
    const company_name = `Shop ${opened}`
    const register = async (user: { email: string; company_name?: string; invite_token?: string }) => {
      const passwords = { password: PASSWORD, password_confirmation: PASSWORD }
      return (await as.anybody(authSessions.register, { body: { user: { ...user, ...passwords } } })).data
    }
    const email = `admin${opened}@shop.test`
    const admin = await register({ company_name, email })
    const invitation = await as.holder(admin.token)(invitations.create)
    const user = await register({ invite_token: invitation.data.id, email: `user${opened}@shop.test` })
    return {
      id: admin.account_id,
      company_name,
      admin: { id: admin.user_id, token: admin.token, email },
      user,
    }
  })
  .extend('upload', ({ server }) => async (token: string, account_id: string) => {
    const form = new FormData()
    form.append('file', new Blob(['A lamp'], { type: 'text/plain' }), 'lamp.txt')
    form.append('account_id', account_id)
    const answer = await fetch(`${server.url}/api/upload`, {
      method: 'POST',
      headers: { authorization: token },
      body: form,
    })
    return ((await answer.json()) as { data: { id: string } }).data.id
  })
  /** One of nearly everything that an account can contain. */
  .extend(
    'furnish',
    ({ as, server, upload }) =>
      async ({ token, id: user_id }: { token: string; id: number }, account_id: string) => {
        const visitor = await startVisitor(server, account_id, { name: 'Dora', email: 'dora@customer.test' })
        const twin = await startVisitor(server, account_id, { name: 'Dora again' })
        const { customer_id } = visitor
        const { conversation_id } = await startConversation(server, visitor)
        await startConversation(server, twin)
        const file_ids = [await upload(visitor.token, account_id)]
        await upload(visitor.token, account_id)
        const post = (by: string, message: object) =>
          as.holder(by)(messages.create, { body: { message: { conversation_id, id: randomUUID(), ...message } } })
        await post(visitor.token, { body: 'See', file_ids })
        await post(token, { body: 'A note', private: true, mentioned_user_ids: [user_id] })
        const add = async (path: string, body: object) =>
          (await server.request('POST', `/api/${path}`, { token, body })).body.data?.id
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
        await as.holder(token)(conversations.update, {
          params: { id: conversation_id },
          body: { conversation: { subject: 'Lamps' } },
        })
        await as.holder(visitor.token)(customers.updateMetadata, {
          params: { id: customer_id },
          body: {
            metadata: { current_url: 'https://shop.test/lamps' },
          },
        })
        await add(`customers/${customer_id}/merge`, { customer_id: twin.customer_id })
        return visitor
      },
  )
  /** Number of an account's rows by table. */
  .extend('countRows', ({ server }) => async (account_id: string): Promise<Record<string, number>> => {
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
  })
  .extend('listFilesOf', ({ server }) => async (account_id: string) => {
    return (await readdir(join(server.context.config.dataDir, 'files'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && entry.parentPath.includes(account_id))
      .map(({ name }) => name)
  })

test('an admin who enters the company’s name closes the account; all its data is deleted, and no data of others', async ({
  as,
  world,
  server,
  openSocket,
  openAccount,
  furnish,
  countRows,
  listFilesOf,
}) => {
  const shop = await openAccount()
  const visitor = await furnish(shop.admin, shop.id)
  await furnish(world.olga, world.other.id)
  expect(Object.keys(await countRows(shop.id)).length).toBeGreaterThan(25)
  const tables = ['conversations', 'messages', 'customers', 'files', 'users', 'customer_merges', 'message_words']
  const others = async () => {
    const counts = await countRows(world.other.id)
    return [...tables.map((table) => counts[table]), (await listFilesOf(world.other.id)).length]
  }
  const before = await others()
  const sockets = [openSocket({ token: shop.user.token }), openSocket({ token: visitor.token })]
  await sockets[0]!.join(`notification:${shop.id}`)
  await sockets[1]!.join(`conversation:lobby:${visitor.customer_id}`)
  const cut = Promise.all(sockets.map(({ socket }) => new Promise((resolve) => socket.onClose(resolve))))

  await as.holder(shop.admin.token)(erasure.closeAccount, { body: { company_name: ` ${shop.company_name} ` } })
  await cut
  for (const { token } of [shop.admin, shop.user, visitor]) {
    await expect(as.holder(token)(events.after)).rejects.toMatchObject({ status: 401 })
  }
  await expect.poll(() => countRows(shop.id), { timeout: 10_000 }).toEqual({})
  const { rows } = await sql`select 1 from accounts where id = ${shop.id}`.execute(server.context.db)
  expect(rows).toEqual([])
  await expect.poll(() => listFilesOf(shop.id), { timeout: 10_000 }).toEqual([])
  expect(await others()).toEqual(before)
  await as.olga(accounts.mine)
})

test('nobody can sign in to a closed account, even before its data is deleted', async ({ as, openAccount }) => {
  const { admin, company_name } = await openAccount()
  await as.holder(admin.token)(erasure.closeAccount, { body: { company_name } })
  const user = { email: admin.email, password: PASSWORD }
  await expect(as.anybody(authSessions.signIn, { body: { user } })).rejects.toMatchObject({ status: 401 })
})

test('without the company’s name nothing happens, and the response explains what to send', async ({ as }) => {
  for (const body of [undefined, {}, { company_name: null }, { company_name: 'acme' }, { company_name: 'Other' }]) {
    await expect(as.ada(erasure.closeAccount, { body: body as never })).rejects.toMatchObject({
      status: 422,
      message:
        'This deletes the account with all its data. To confirm, send the name of the company as `company_name`.',
    })
  }
  await as.ada(accounts.mine)
})

test('nobody but an admin closes an account, and only their own', async ({ as, openAccount }) => {
  const { id, company_name, admin, user } = await openAccount()
  await expect(as.holder(user.token)(erasure.closeAccount, { body: { company_name } })).rejects.toMatchObject({
    status: 401,
  })
  await expect(as.olga(erasure.closeAccountById, { params: { id }, body: { company_name } })).rejects.toMatchObject({
    status: 404,
  })
  await as.holder(admin.token)(erasure.closeAccountById, { params: { id }, body: { company_name } })
})

test('data that arrives while an account is deleted is deleted, too, sockets are closed, and repeating it does no harm', async ({
  server,
  openSocket,
  openAccount,
  furnish,
  countRows,
}) => {
  const { id, admin } = await openAccount()
  const visitor = await furnish(admin, id)
  const socket = openSocket({ token: visitor.token })
  await socket.join(`conversation:lobby:${visitor.customer_id}`)
  const cut = new Promise((resolve) => socket.socket.onClose(resolve))
  const late = startVisitor(server, id).catch(() => undefined)
  await Promise.all([destroyAccount.run(server.context, { account_id: id }), late])
  await cut
  socket.close()
  await destroyAccount.run(server.context, { account_id: id })
  expect(await countRows(id)).toEqual({})
})
