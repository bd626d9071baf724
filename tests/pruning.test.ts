import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { conversations } from '#contract/conversations/conversations.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { features, integrations } from '#server/app.ts'
import { pruneMerges } from '#server/features/customers/customer-profiles/prune-merges.ts'
import { pruneVisitorSessions } from '#server/features/customers/customers/visitor-sessions.ts'
import { pruneOriginals } from '#server/features/mail/conversation-mails/originals.ts'
import { RETENTION } from '#server/retention.ts'
import { expect, test } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

/** Tables with a schedule. Originals of mails need their message, and have a test of their own. */
type Scheduled = Exclude<
  {
    [Table in keyof typeof RETENTION]: (typeof RETENTION)[Table] extends { schedule: string } ? Table : never
  }[keyof typeof RETENTION],
  'mail_originals'
>

const hash = () => randomBytes(32)
const id = () => randomUUID()
const customer_id = id()

/** Rows as they are when they were needed for the last time at that moment. */
const ROWS: Record<Scheduled, (at: string) => object> = {
  assistant_grants: (renewed_at) => ({
    id: id(),
    user_id: 1,
    client_id: 'https://assistant.example/client',
    client_name: 'Assistant',
    redirect_host: 'assistant.example',
    scopes: ['read'],
    renewed_at,
  }),
  article_reads: (read_at) => ({ reader: hash(), article_id: id(), language: 'en', read_at }),
  article_votes: (created_at) => ({
    article_id: id(),
    reader: hash(),
    language: 'en',
    is_helpful: true,
    created_at,
  }),
  audit_entries: (created_at) => ({ id: id(), action: 'walk.pruned', created_at }),
  auth_sessions: (renew_expires_at) => ({
    id: id(),
    user_id: 1,
    access_hash: hash(),
    access_expires_at: renew_expires_at,
    renew_hash: hash(),
    renew_expires_at,
  }),
  billing_events: (received_at) => ({ id: id(), type: 'invoice.paid', received_at }),
  browser_sessions: (finished_at) => ({ id: id(), token_hash: hash(), started_at: finished_at, finished_at }),
  customer_imports: (updated_at) => ({
    id: id(),
    user_id: 1,
    filename: 'people.csv',
    columns: ['email'],
    rows_total: 1,
    status: 'done',
    updated_at,
  }),
  customer_merges: (created_at) => ({ id: id(), customer_id: id(), merged_id: id(), moved: '{}', created_at }),
  deliveries: (created_at) => ({ id: id(), integration: 'slack', queue: '', kind: 'post', state: 'sent', created_at }),
  drafts: (updated_at) => ({
    user_id: 1,
    conversation_id: id(),
    body: '',
    type: 'reply',
    file_ids: [],
    revision: 1,
    updated_at,
  }),
  events: (created_at) => ({ xid: '1', event: '{}', created_at }),
  files: (created_at) => ({
    id: id(),
    key: 'pruned/file',
    filename: 'a',
    content_type: 'text/plain',
    size: 1,
    created_at,
  }),
  help_gaps: (last_at) => ({ id: id(), kind: 'no_hits', language: 'en', words: id(), last_at }),
  idempotent_requests: (created_at) => ({ id: id(), user_id: 1, key_hash: hash(), request_hash: hash(), created_at }),
  inbound_events: (created_at) => ({ id: id(), integration: 'slack', key: id(), queue: '', state: 'done', created_at }),
  language_model_usage: (at) => ({
    id: id(),
    month: at.slice(0, 10),
    purpose: 'draft',
    requests: 1,
    tokens_in: 1,
    tokens_out: 1,
  }),
  mails: (created_at) => ({
    id: id(),
    kind: 'mention',
    recipient: 'a@b.test',
    subject: '',
    text: '',
    html: '',
    created_at,
  }),
  moved_messages: (created_at) => ({ move_id: id(), message_id: id(), conversation_id: id(), number: 1, created_at }),
  push_alerts: (created_at) => ({
    id: id(),
    user_id: 1,
    conversation_id: id(),
    kind: 'message',
    due_at: created_at,
    created_at,
  }),
  oauth_starts: (expires_at) => ({
    state_hash: hash(),
    user_id: 1,
    session_id: id(),
    integration: 'slack',
    type: 'reply',
    expires_at,
  }),
  one_time_tokens: (expires_at) => ({
    id: id(),
    user_id: 1,
    purpose: 'password_reset',
    token_hash: hash(),
    expires_at,
  }),
  rule_events: (created_at) => ({
    id: id(),
    conversation_id: id(),
    trigger: 'customer_message',
    state: '{}',
    depth: 0,
    created_at,
  }),
  telegram_invitations: (expires_at) => ({
    id: id(),
    authorization_id: id(),
    customer_id,
    conversation_id: id(),
    token_hash: hash(),
    expires_at,
  }),
  user_invitations: (expires_at) => ({ id: id(), token_hash: hash(), expires_at }),
  visitor_sessions: (last_used_at) => ({ id: id(), customer_id, token_hash: hash(), last_used_at }),
  written_texts: (created_at) => ({ id: id(), conversation_id: id(), request_hash: hash(), answer: '{}', created_at }),
  webhook_deliveries: (created_at) => ({
    id: id(),
    subscription_id: id(),
    event: 'message:created',
    order_key: '',
    state: 'delivered',
    created_at,
  }),
}

test.for(Object.entries(RETENTION).filter(([table]) => Object.hasOwn(ROWS, table)))(
  'old rows of %s are deleted by their schedule, and no others',
  async ([table, retention], { server }) => {
    const { db } = server.context
    const account_id = id()
    const name = table as Scheduled
    const later = new Date(Date.now() + 60_000).toISOString()
    await db.transaction().execute(async (trx) => {
      // Without its parents, because only the age of the row counts.
      await sql`set local session_replication_role = replica`.execute(trx)
      for (const at of ['2020-01-01T00:00:00Z', later]) {
        const row = { account_id, ...ROWS[name](at) } as never
        await trx.insertInto(name).values(row).execute()
      }
    })
    const schedules = [...features, ...integrations].flatMap(({ schedules = [] }) => schedules)
    await schedules
      .find((schedule) => 'schedule' in retention && schedule.name === retention.schedule)!
      .run(server.context)
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(t) as row from ${sql.table(name)} t where account_id = ${account_id}`.execute(db)
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('2020-01-01')
    await sql`delete from ${sql.table(name)} where account_id = ${account_id}`.execute(db)
  },
)

test('originals of mails are deleted after a month, and with their message', async ({ world, server }) => {
  const { db } = server.context
  const { message } = await startConversation(server, await startVisitor(server, world.acme.id))
  const original = { account_id: world.acme.id, key: 'pruned/mail', size: 1 }
  const originals = () => db.selectFrom('mail_originals').select('message_id').where('key', '=', original.key).execute()
  const deleted = id()
  await db
    .insertInto('mail_originals')
    .values([message.id, deleted].map((message_id) => ({ ...original, message_id })))
    .execute()
  await pruneOriginals(server.context)
  expect(await originals()).toEqual([{ message_id: message.id }])
  await db
    .updateTable('mail_originals')
    .set({ created_at: '2020-01-01T00:00:00Z' })
    .where('message_id', '=', message.id)
    .execute()
  await pruneOriginals(server.context)
  expect(await originals()).toEqual([])
})

/** Makes everything that the customers did two years older. */
async function age(db: Parameters<typeof pruneMerges>[0], ...customer_ids: string[]) {
  await sql`update visitor_sessions set last_used_at = last_used_at - interval '2 years'
    where customer_id = any(${customer_ids}::uuid[])`.execute(db)
}

const sessionsOf = async (db: Parameters<typeof pruneMerges>[0], ids: string[]) => {
  const rows = await db.selectFrom('visitor_sessions').select('id').where('customer_id', 'in', ids).execute()
  return rows.length
}

test('the last session of a customer is kept, so their id alone never gives access', async ({ as, world, server }) => {
  const { db } = server.context
  const visitor = await startVisitor(server, world.acme.id, { name: 'Years ago' })
  await startConversation(server, visitor)
  await db
    .updateTable('conversations')
    .set({ visitor_session_id: null })
    .where('customer_id', '=', visitor.customer_id)
    .execute()
  await age(db, visitor.customer_id)
  await pruneVisitorSessions(db)
  expect(await sessionsOf(db, [visitor.customer_id])).toBe(1)
  const query = { customer_id: visitor.customer_id, account_id: world.acme.id }
  expect((await as.anybody(conversations.ofCustomer, { query })).data).toEqual([])
})

test('sessions are kept that tell where replies go, or that undoing a merge moves back', async ({
  as,
  world,
  server,
}) => {
  const { db } = server.context
  const [writer, twin, other] = await Promise.all(
    ['Writer', 'Twin', 'Other'].map((name) => startVisitor(server, world.acme.id, { name })),
  )
  await startConversation(server, writer!)
  const ids = [writer!, twin!, other!].map(({ customer_id }) => customer_id)
  for (const { customer_id } of [twin!, other!]) {
    await as.ada(customerProfiles.merge, { params: { id: writer!.customer_id }, body: { customer_id } })
  }
  await age(db, ...ids)
  await pruneVisitorSessions(db)
  expect(await sessionsOf(db, ids)).toBe(3)
  await sql`update customer_merges set created_at = created_at - interval '31 days' where customer_id = ${ids[0]}`.execute(
    db,
  )
  await pruneVisitorSessions(db)
  // The writer's, and the newest, which may be the same.
  expect(await sessionsOf(db, ids)).toBeLessThanOrEqual(2)
  const [kept] = await db
    .selectFrom('conversations')
    .innerJoin('visitor_sessions', 'visitor_sessions.id', 'conversations.visitor_session_id')
    .select('visitor_sessions.id')
    .where('conversations.customer_id', '=', ids[0]!)
    .execute()
  expect(kept).toBeDefined()
})

test('a merge that can be undone is kept', async ({ as, world, server }) => {
  const { db } = server.context
  const [into, from] = [await startVisitor(server, world.acme.id), await startVisitor(server, world.acme.id)]
  await as.ada(customerProfiles.merge, { params: { id: into.customer_id }, body: { customer_id: from.customer_id } })
  await pruneMerges(db)
  await as.ada(customerProfiles.unmerge, { params: { id: into.customer_id } })
})
