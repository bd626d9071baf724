import type { Readable } from 'node:stream'
import { type SqlBool, sql } from 'kysely'
import type { InboundEvent } from '#contract/connections/integrations.ts'
import type { Context } from '../../../context.ts'
import type { CustomerData } from '../../../customer-data.ts'
import { NotFound, Unacceptable } from '../../../errors.ts'
import { readNumberCursor, writeNumberCursor } from '../../../platform/cursor.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { isServed } from '../../accounts/accounts/suspension.ts'
import { removeFile } from '../../conversations/files/files.ts'
import { escapeLike } from '../../conversations/messages/messages.ts'
import { processInbound } from './process.ts'

const PAGE = 50
const KEPT_DAYS = 14
const BATCH = 500

interface Filters {
  state?: InboundEvent['state'] | undefined
  authorization_id?: string | undefined
  after?: string | undefined
  limit?: number | undefined
}

/** One page of received events, newest first. */
export async function listInbound(
  db: Db,
  account_id: string,
  { state, authorization_id, after, limit = PAGE }: Filters,
) {
  const pageSize = Math.min(Math.max(1, limit), PAGE)
  const rows = await select(db, account_id)
    .select('seq')
    .$if(!!state, (query) => query.where('state', '=', state!))
    .$if(!!authorization_id, (query) => query.where('authorization_id', '=', authorization_id!))
    .$if(!!after, (query) => query.where('seq', '<', readNumberCursor(after!)))
    .orderBy('seq', 'desc')
    .limit(pageSize + 1)
    .execute()
  const page = rows.slice(0, pageSize)
  return {
    data: page.map(({ seq: _, ...row }) => presentInboundEvent(row)),
    next: rows.length > pageSize ? writeNumberCursor(page.at(-1)!.seq) : null,
  }
}

/**
 * The stored contents of an event, as they came.
 * @throws NotFound if there are none
 */
export async function openOriginal({ db, files }: Context, account_id: string, id: string): Promise<Readable> {
  const row = await ofAccount(db, account_id)
    .selectFrom('inbound_events')
    .select('file_key')
    .where('id', '=', id)
    .executeTakeFirst()
  const stream = row?.file_key ? await files.get(row.file_key) : undefined
  if (!stream) throw new NotFound()
  return stream
}

/**
 * Processes an event again, with another six tries.
 * @throws NotFound; Unacceptable if it was processed
 */
export async function retryInbound(
  { jobs }: Context,
  { db }: Change,
  account_id: string,
  id: string,
): Promise<InboundEvent> {
  const row = await select(db, account_id).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw new NotFound()
  if (row.state === 'done') throw new Unacceptable('This was already processed and is in its conversation.')
  await ofAccount(db, account_id)
    .updateTable('inbound_events')
    .set({
      state: 'waiting',
      tries: 0,
      workers_killed: 0,
      not_before: new Date().toISOString(),
      failing_since: null,
      reason: null,
    })
    // Somebody has looked at an ignored event, and wants it.
    .$if(row.state === 'ignored', (query) =>
      query.set({ payload: sql`coalesce(payload, '{}') || '{"is_wanted": true}'` }),
    )
    .where('id', '=', id)
    .execute()
  await jobs.enqueue(db, processInbound, { account_id })
  return presentInboundEvent({ ...row, state: 'waiting', tries: 0, reason: null })
}

/** Number of failed events by connection. */
export async function countFailedInbound(db: Db, account_id: string): Promise<Map<string, number>> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('inbound_events')
    .select(['authorization_id', sql<number>`count(*)::integer`.as('count')])
    .where('state', '=', 'failed')
    .groupBy('authorization_id')
    .execute()
  return new Map(rows.map(({ authorization_id, count }) => [authorization_id ?? '', count]))
}

/** Deletes received events after two weeks, with their contents. Runs each night. */
export async function pruneInbound(context: Context): Promise<void> {
  const before = sql<SqlBool>`created_at < now() - make_interval(days => ${KEPT_DAYS})
    and ${isServed('inbound_events.account_id')}`
  while ((await context.change((tx) => destroySome(context, tx, before))) === BATCH);
}

/** Destroys some received events of a closed account, and returns how many. */
export function destroySomeInbound(context: Pick<Context, 'jobs'>, tx: Change, account_id: string): Promise<number> {
  return destroySome(context, tx, sql<SqlBool>`account_id = ${account_id}`)
}

/** Deletes unprocessed events that contain one of these addresses. */
export async function deleteInboundWith(
  context: Pick<Context, 'jobs'>,
  tx: Change,
  account_id: string,
  addresses: string[],
): Promise<void> {
  if (addresses.length === 0) return
  const patterns = addresses.map((address) => `%${escapeLike(address)}%`)
  const naming = sql<SqlBool>`account_id = ${account_id} and payload::text ilike any(${patterns}::text[])`
  while ((await destroySome(context, tx, naming)) === BATCH);
}

async function destroySome(
  { jobs }: Pick<Context, 'jobs'>,
  { db }: Change,
  condition: ReturnType<typeof sql<SqlBool>>,
) {
  const { rows } = await sql<{ account_id: string; file_key: string | null }>`
    delete from inbound_events where ctid = any (array(select ctid from inbound_events where ${condition} limit ${BATCH}))
    returning account_id, file_key`.execute(db)
  for (const { account_id, file_key: key } of rows) if (key) await jobs.enqueue(db, removeFile, { account_id, key })
  return rows.length
}

/** Destroys the received events of a conversation, with their contents. */
export async function destroyInboundOf(
  context: Pick<Context, 'jobs'>,
  tx: Change,
  account_id: string,
  conversation_id: string,
): Promise<void> {
  const of = sql<SqlBool>`account_id = ${account_id} and conversation_id = ${conversation_id}`
  while ((await destroySome(context, tx, of)) === BATCH);
}

/** Events received from customers. */
export const inboundOfCustomers: CustomerData = {
  table: 'inbound_events',
  merge: { stays: 'Incoming events are deleted within two weeks.' },
  export: { leftOut: 'The results are in the conversations.' },
  delete: { stays: 'Incoming events are deleted within two weeks.' },
  async erase(context, tx, account_id, ids) {
    const of = sql<SqlBool>`account_id = ${account_id} and customer_id = any(${ids}::uuid[])`
    while ((await destroySome(context, tx, of)) === BATCH);
    return {}
  },
}

type InboundEventRow = Omit<InboundEvent, 'object'>

function select(db: Db, account_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('inbound_events')
    .select(['id', 'integration', 'authorization_id', 'state', 'reason', 'tries', 'conversation_id', 'created_at'])
    .select(sql<boolean>`file_key is not null`.as('has_original'))
    .$castTo<InboundEventRow>()
}

function presentInboundEvent(row: InboundEventRow): InboundEvent {
  return { ...row, object: 'inbound_event' }
}
