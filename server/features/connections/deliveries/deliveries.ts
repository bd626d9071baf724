import { type SqlBool, sql } from 'kysely'
import type { Delivery } from '#contract/connections/deliveries.ts'
import type { IntegrationName } from '#contract/connections/integrations.ts'
import { integrationsWhere } from '#contract/connections/kinds.ts'
import type { Context } from '../../../context.ts'
import { Unacceptable } from '../../../errors.ts'
import type { NewDelivery } from '../../../integration.ts'
import { readNumberCursor, writeNumberCursor } from '../../../platform/cursor.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { deriveId } from '../../../platform/secrets.ts'
import {
  announceDeliveries,
  announceDelivery,
  findOutage,
  getDelivery,
  presentDelivery,
  selectDeliveries,
} from './delivery-rows.ts'
import { isHeld } from './is-held.ts'
import { sendDeliveries } from './sender.ts'

const PAGE = 50
const OF_CONVERSATION = 200

/**
 * Stores deliveries. Their ids are derived from their contents, so repeating it changes nothing. Returns the accounts
 * with new ones: the caller enqueues `sendDeliveries` for each.
 */
export async function writeDeliveries(
  tx: Change,
  wanted: (NewDelivery & { account_id: string; integration: IntegrationName; request_id?: string | null })[],
): Promise<string[]> {
  if (wanted.length === 0) return []
  const rows = wanted.map(({ version = '', payload = {}, not_before, request_id = null, ...delivery }) => ({
    ...delivery,
    request_id,
    not_before: (not_before ?? new Date()).toISOString(),
    id: deriveId(
      `delivery ${delivery.integration} ${delivery.authorization_id} ${delivery.conversation_id} ${delivery.message_id} ${delivery.kind} ${version}`,
    ),
    payload: toJson(payload),
  }))
  const written = await tx.db
    .insertInto('deliveries')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['account_id', 'id']).doNothing())
    .returning(['account_id', 'id'])
    .execute()
  const byAccount = Map.groupBy(written, ({ account_id }) => account_id)
  for (const [account_id, deliveries] of byAccount) await announceDeliveries(tx, account_id, deliveries)
  return [...byAccount.keys()]
}

interface Filters {
  state?: Delivery['state'] | undefined
  authorization_id?: string | undefined
  after?: string | undefined
  limit?: number | undefined
}

/** One page of deliveries, newest first. */
export async function listDeliveries(
  db: Db,
  account_id: string,
  { state, authorization_id, after, limit = PAGE }: Filters,
) {
  const pageSize = Math.min(Math.max(1, limit), PAGE)
  const rows = await selectDeliveries(db, account_id)
    .select('number')
    .$if(!!state, (query) => query.where('state', '=', state!))
    .$if(!!authorization_id, (query) => query.where('authorization_id', '=', authorization_id!))
    .$if(!!after, (query) => query.where('number', '<', readNumberCursor(after!)))
    .orderBy('number', 'desc')
    .limit(pageSize + 1)
    .execute()
  const page = rows.slice(0, pageSize)
  return {
    data: page.map(({ number: _, ...row }) => presentDelivery(row)),
    next: rows.length > pageSize ? writeNumberCursor(page.at(-1)!.number) : null,
  }
}

/** Deliveries of a conversation's messages, newest first. */
export async function listDeliveriesOf(db: Db, account_id: string, conversation_id: string): Promise<Delivery[]> {
  const rows = await selectDeliveries(db, account_id)
    .where('conversation_id', '=', conversation_id)
    .orderBy('number', 'desc')
    .limit(OF_CONVERSATION)
    .execute()
  return rows.map(presentDelivery)
}

/** Mails and text messages cannot be taken back. */
const FINAL = integrationsWhere(({ carries, followsChanges }) => carries && !followsChanges)

/** Whether a message was sent by mail or SMS, where it can no longer be changed. */
export async function hasLeftForGood(db: Db, account_id: string, message_id: string): Promise<boolean> {
  const sent = await ofAccount(db, account_id)
    .selectFrom('deliveries')
    .select('id')
    .where('message_id', '=', message_id)
    .where('integration', 'in', FINAL)
    .where('state', '=', 'sent')
    .limit(1)
    .executeTakeFirst()
  return !!sent
}

/**
 * Makes a failed or waiting delivery due at once.
 * @throws NotFound; Unacceptable if it was sent
 */
export async function retryDelivery({ jobs }: Context, tx: Change, account_id: string, id: string): Promise<Delivery> {
  const { state } = await getDelivery(tx.db, account_id, id)
  await assertConnected(tx.db, account_id, id)
  if (state === 'sent') throw new Unacceptable('This was already sent.')
  const now = new Date().toISOString()
  // One that is being sent right now is left alone.
  await ofAccount(tx.db, account_id)
    .updateTable('deliveries')
    .set({ state: 'waiting', tries: 0, not_before: now, begun_at: now, updated_at: now })
    .where('id', '=', id)
    .where(sql<SqlBool>`(taken_until is null or taken_until < clock_timestamp())`)
    .execute()
  await jobs.enqueue(tx.db, sendDeliveries, { account_id })
  return announceDelivery(tx, { account_id, id })
}

/**
 * A delivery over a connection that somebody has to repair cannot be sent at once.
 * @throws Unacceptable with what to do
 */
async function assertConnected(db: Db, account_id: string, id: string): Promise<void> {
  const outage = await findOutage(db, account_id, id)
  if (outage) throw new Unacceptable(outage)
}

/** Records that a sent delivery did not arrive, in the other system's words, so that a person can decide what to do. */
export async function recordUndelivered(
  tx: Change,
  { account_id, authorization_id, message_id }: { account_id: string; authorization_id: string; message_id: string },
  problem: string,
): Promise<void> {
  const failed = await ofAccount(tx.db, account_id)
    .updateTable('deliveries')
    .set({ state: 'failed', problem: problem.slice(0, 500), updated_at: new Date().toISOString() })
    .where('authorization_id', '=', authorization_id)
    .where('message_id', '=', message_id)
    .where('kind', '=', 'post')
    .where('state', '=', 'sent')
    .returning('id')
    .execute()
  await announceDeliveries(tx, account_id, failed)
}

/** Records that the customer's device has a message, once. */
export async function recordDelivered(
  tx: Change,
  { account_id, authorization_id, message_id }: { account_id: string; authorization_id: string; message_id: string },
  delivered_at: string,
): Promise<void> {
  const delivered = await ofAccount(tx.db, account_id)
    .updateTable('deliveries')
    .set({ delivered_at, updated_at: new Date().toISOString() })
    .where('authorization_id', '=', authorization_id)
    .where('message_id', '=', message_id)
    .where('kind', '=', 'post')
    .where('state', 'in', ['waiting', 'sent'])
    .where('delivered_at', 'is', null)
    .returning('id')
    .execute()
  await announceDeliveries(tx, account_id, delivered)
}

/**
 * Drops an unsent delivery.
 * @throws NotFound; Unacceptable if it was sent, or is being sent right now
 */
export async function discardDelivery(tx: Change, account_id: string, id: string): Promise<null> {
  const { state } = await getDelivery(tx.db, account_id, id)
  if (state === 'sent') throw new Unacceptable('This was already sent.')
  const { numUpdatedRows } = await ofAccount(tx.db, account_id)
    .updateTable('deliveries')
    .set({ state: 'dropped', updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .where(sql<SqlBool>`(taken_until is null or taken_until < clock_timestamp())`)
    .executeTakeFirst()
  if (!numUpdatedRows) throw new Unacceptable('This is being sent right now. Check again in a minute.')
  await announceDelivery(tx, { account_id, id })
  return null
}

/** Makes all waiting deliveries of a connection due, because it works again. */
export async function makeWaitingDue({ db }: Change, account_id: string, authorization_id: string): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('deliveries')
    .set({ not_before: sql<string>`clock_timestamp()` })
    .where('authorization_id', '=', authorization_id)
    .where('state', '=', 'waiting')
    .where('tries', '>', 0)
    .execute()
}

/** Drops all waiting deliveries of a connection. */
export async function dropWaiting({ db }: Change, account_id: string, authorization_id: string): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('deliveries')
    .set({ state: 'dropped', updated_at: new Date().toISOString() })
    .where('authorization_id', '=', authorization_id)
    .where('state', 'in', ['waiting', 'failed'])
    .execute()
}

/** Numbers of deliveries by connection: waiting, held for a person's decision, and failed. */
export async function countOpenDeliveries(db: Db, account_id: string) {
  const rows = await ofAccount(db, account_id)
    .selectFrom('deliveries')
    .select([
      'authorization_id',
      sql<number>`(count(*) filter (where state = 'waiting'))::integer`.as('waiting'),
      sql<number>`(count(*) filter (where state = 'failed'))::integer`.as('failed'),
      sql<number>`(count(*) filter (where ${isHeld('deliveries')}))::integer`.as('held'),
    ])
    .where('state', 'in', ['waiting', 'failed'])
    .where('authorization_id', 'is not', null)
    .groupBy('authorization_id')
    .execute()
  return new Map(rows.map(({ authorization_id, ...counts }) => [authorization_id, counts]))
}

/** What waits to be sent follows its messages, which were moved to other conversations. */
export async function moveWaitingDeliveries({ db }: Change, account_id: string, message_ids: string[]): Promise<void> {
  await sql`
    update deliveries d set conversation_id = m.conversation_id from messages m
    where d.account_id = ${account_id} and d.message_id = any (${message_ids}::uuid[]) and d.state = 'waiting'
      and m.account_id = d.account_id and m.id = d.message_id and d.conversation_id <> m.conversation_id`.execute(db)
}

/** Deletes sent deliveries after 30 days, others after 90. Runs each night. */
export async function pruneDeliveries(db: Db): Promise<void> {
  await acrossAccounts(db, 'looks after all accounts at once')
    .deleteFrom('deliveries')
    .where('state', '!=', 'waiting')
    .where(sql<SqlBool>`created_at < now() - make_interval(days => case state when 'failed' then 90 else 30 end)`)
    .execute()
}
