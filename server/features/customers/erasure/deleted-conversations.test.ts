import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { audit } from '#contract/accounts/audit.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { deletedConversations } from '#contract/conversations/deleted-conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { test as base, expect, statusOf } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

/** Occurs in the destroyed conversation, and must occur nowhere afterwards. */
const CANARY = 'papageienfeder'

const test = base
  .extend('startWith', { scope: 'file' }, ({ server, world }) => async (name: string, body = 'Hello') => {
    const visitor = await startVisitor(server, world.acme.id, { name })
    const { conversation_id } = await startConversation(server, visitor, body)
    return { id: conversation_id, visitor }
  })
  .extend('actions', ({ as }) => async (subject_id: string) => {
    const { data } = await as.ada(audit.list, { query: { action: 'conversation' } })
    return data.filter((entry) => entry.subject_id === subject_id).map(({ action }) => action)
  })

test('admins see the deleted conversations, the last deleted first, who deleted them, and no others', async ({
  as,
  world,
  startWith,
}) => {
  const kept = await startWith('Kept')
  const single = await startWith('Single')
  const several = [await startWith('Several A'), await startWith('Several B')]
  const ofCustomer = await startWith('Customer')
  await as.ben(conversations.remove, { params: { id: single.id } })
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  await as.ada(conversations.updateMany, {
    body: { ids: several.map(({ id }) => id), changes: { archived_at: tomorrow } },
  })
  await as.ada(customerProfiles.remove, { params: { id: ofCustomer.visitor.customer_id } })

  const { data } = await as.ada(deletedConversations.list)
  const ids = data.map(({ id }) => id)
  expect(ids.slice(0, 4)).toEqual([ofCustomer.id, ...[...several.map(({ id }) => id)].reverse(), single.id])
  expect(ids).not.toContain(kept.id)
  expect(data.slice(0, 4).map(({ deleted_by }) => deleted_by?.id)).toEqual([
    world.ada.id,
    world.ada.id,
    world.ada.id,
    world.ben.id,
  ])
  for (const { archived_at } of data) expect(Date.parse(archived_at!)).toBeLessThanOrEqual(Date.now())
  expect(data[3]!.messages.map(({ body }) => body)).toEqual(['Hello'])
  expect((await as.olga(deletedConversations.list)).data).toEqual([])
  expect(await statusOf(as.ben(deletedConversations.list))).toBe(401)
})

test('they are read page by page, also those that were deleted in the same moment', async ({
  as,
  server,
  startWith,
}) => {
  const ids: string[] = []
  for (let n = 0; n < 5; n++) {
    const { id } = await startWith(`Walker ${n}`)
    await as.ada(conversations.remove, { params: { id } })
    ids.push(id)
  }
  await sql`update conversations set archived_at = now() where id = any (${ids}::uuid[])`.execute(server.context.db)
  const read: string[] = []
  let after: string | undefined
  do {
    const page = await as.ada(deletedConversations.list, { query: { q: 'walker', limit: 2, ...(after && { after }) } })
    read.push(...page.data.map(({ id }) => id))
    after = page.next ?? undefined
  } while (after)
  expect(read).toEqual(ids.toSorted().reverse())
})

test('they are found by beginnings of words of the customer’s name or address, and of the subject', async ({
  as,
  startWith,
}) => {
  const named = await startWith('Đặng Thị Quỳnh')
  const titled = await startWith('Somebody')
  const params = { id: titled.id }
  await as.ada(conversations.update, { params, body: { conversation: { subject: 'Broken hinges' } } })
  for (const { id } of [named, titled]) await as.ada(conversations.remove, { params: { id } })
  const find = async (q: string) => (await as.ada(deletedConversations.list, { query: { q } })).data.map(({ id }) => id)
  expect(await find('quynh dang')).toEqual([named.id])
  expect(await find('hing')).toEqual([titled.id])
  expect(await find('quynh hinges')).toEqual([])
  expect(await find('...')).toEqual([])
  expect(await find(' ')).toEqual(expect.arrayContaining([named.id, titled.id]))
})

test('a restored conversation is in the inbox again and not among the deleted; the audit trail says who did it', async ({
  as,
  startWith,
  actions,
}) => {
  const { id } = await startWith('Returning')
  await as.ben(conversations.remove, { params: { id } })
  await as.ben(conversations.remove, { params: { id } })
  await as.ada(conversations.update, { params: { id }, body: { conversation: { archived_at: null } } })
  const { data } = await as.ada(deletedConversations.list, { query: { q: 'returning' } })
  expect(data).toEqual([])
  expect((await as.ada(conversations.list, { query: { status: 'open' } })).data.map((row) => row.id)).toContain(id)
  expect(await actions(id)).toEqual(['conversation.restored', 'conversation.deleted'])
})

test('a destroyed conversation leaves no trace anywhere, other tabs are told, and its customer stays', async ({
  as,
  world,
  server,
  openSocket,
  startWith,
  actions,
}) => {
  const { id, visitor } = await startWith('Parrot', `My ${CANARY}`)
  const other = (await startConversation(server, visitor, 'I stay.')).conversation_id
  const form = new FormData()
  form.append('file', new Blob([`${CANARY} in a file`], { type: 'text/plain' }), 'feather.txt')
  form.append('account_id', world.acme.id)
  const upload = await fetch(`${server.url}/api/upload`, {
    method: 'POST',
    headers: { authorization: visitor.token },
    body: form,
  })
  const file_id = ((await upload.json()) as { data: { id: string } }).data.id
  const post = (who: typeof as.ada, message: object) =>
    who(messages.create, { body: { message: { conversation_id: id, id: randomUUID(), ...message } } })
  await post(as.holder(visitor.token), { body: `A picture of my ${CANARY}`, file_ids: [file_id] })
  await post(as.ada, { body: `Nice ${CANARY}`, private: true, mentioned_user_ids: [world.ben.id] })
  const { account_id } = await as.ada(conversations.get, { params: { id } }).then(({ data }) => data)
  const { db, config, files } = server.context
  const message_id = (
    await sql<{ id: string }>`select id from messages where conversation_id = ${id} limit 1`.execute(db)
  ).rows[0]!.id
  await files.put(`${account_id}/mail-${message_id}`, Buffer.from(CANARY), 'message/rfc822')
  await sql`insert into mail_originals (account_id, message_id, customer_id, key, size)
    values (${account_id}, ${message_id}, ${visitor.customer_id}, ${`${account_id}/mail-${message_id}`}, 1)`.execute(db)
  await as.ada(conversations.update, { params: { id }, body: { conversation: { subject: CANARY } } })
  const findCanary = async () => {
    const { rows: tables } = await sql<{ name: string }>`
      select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
      where schemaname in ('public', 'jobs')`.execute(db)
    const locations: string[] = []
    for (const { name } of tables) {
      const { rows } = await sql`select 1 from ${sql.raw(name)} t where t::text ilike ${`%${CANARY}%`} limit 1`.execute(
        db,
      )
      if (rows.length > 0) locations.push(name)
    }
    const folder = join(config.dataDir, 'files')
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && (await readFile(join(entry.parentPath, entry.name), 'utf8')).includes(CANARY))
        locations.push('a file')
    }
    return locations
  }

  const params = { id }
  expect(await statusOf(as.ada(deletedConversations.destroy, { params }))).toBe(404)
  await as.ada(conversations.remove, { params })
  expect(await statusOf(as.ben(deletedConversations.destroy, { params }))).toBe(401)
  expect(await statusOf(as.olga(deletedConversations.destroy, { params }))).toBe(404)
  expect(await findCanary()).toEqual(expect.arrayContaining(['public.messages', 'public.audit_entries', 'a file']))
  const socket = openSocket({ token: world.ben.token })
  const team = await socket.join(`notification:${world.acme.id}`)
  const { data } = await as.ada(deletedConversations.destroy, { params })
  expect(data).toEqual({ conversations: 1, messages: 3, files: 1 })
  expect(await team.receive('conversation:destroyed')).toEqual({ id })
  await expect.poll(findCanary, { timeout: 10_000 }).toEqual([])
  expect(await statusOf(as.ada(conversations.get, { params }))).toBe(404)
  expect(await statusOf(as.ada(conversations.get, { params: { id: other } }))).toBe(200)
  expect((await as.ada(customerProfiles.get, { params: { id: visitor.customer_id } })).data.name).toBe('Parrot')
  expect(await actions(id)).toEqual(['conversation.destroyed', 'conversation.deleted'])
  expect(await statusOf(as.ada(deletedConversations.destroy, { params }))).toBe(404)
})
