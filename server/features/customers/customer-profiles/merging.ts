import { sql } from 'kysely'
import { conversationsMoved, MERGE_UNDO_DAYS } from '#contract/customers/customer-profiles.ts'
import type { Customer } from '#contract/customers/customers.ts'
import type { Context } from '../../../context.ts'
import type { CustomerData } from '../../../customer-data.ts'
import { NotFound, Unacceptable } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'
import { lockCustomer, saveCustomer } from '../customers/changing.ts'
import { columnsWhere, DIRECT_IDENTIFIERS, type DirectIdentifiers } from '../customers/columns.ts'
import type { CustomerRow } from '../customers/customers.ts'
import { listMerged, setSurvivor } from '../customers/forget-identity.ts'
import { announceTags } from '../customers/tagging.ts'

/** Fields that the survivor takes from the other if its own are empty. */
const FILLED = columnsWhere('merge', 'fill')
const EARLIER = columnsWhere('merge', 'earlier')
const LATER = columnsWhere('merge', 'later')

/** A customer with the columns that nobody else reads but merging. */
type WholeRow = CustomerRow & { unsubscribed_at: string | null }

type Filled = Partial<
  Record<(typeof FILLED | typeof EARLIER | typeof LATER)[number] | 'claimed_customer_id', string | null>
>

/** Everything that was moved, so that undoing a merge restores exactly that and nothing added later. */
interface MergeRecord {
  /** Customers that had been merged into the absorbed one before. */
  merged_ids: string[]
  before: Filled
  after: Filled
}

/** The moved ids, by the names in the features' customer data. */
type MovedIds = Record<string, string[]>

/**
 * Merges one customer into another. The absorbed row stays and points at the survivor, so that browsers and clients
 * with the old id are led there. `user_id` is null if the customer caused it by proving their identity. Returns the
 * sessions whose sockets must reconnect as the survivor.
 * @throws Unacceptable for a customer and itself, including two ids of one customer
 */
export async function mergeCustomers(
  { customerData }: Pick<Context, 'customerData'>,
  change: Change,
  account_id: string,
  user_id: number | null,
  id: string,
  other_id: string,
): Promise<{ customer: Customer; session_ids: string[] }> {
  const { db } = change
  const { into, from } = await lockBoth(change, account_id, id, other_id)
  const { before, after } = fill(into, from, user_id !== null)
  const ids: MovedIds = {}
  for (const { merge } of customerData) {
    if ('move' in merge) ids[merge.recordedAs] = await merge.move(change, account_id, from.id, into.id)
  }
  const moved: MergeRecord = { merged_ids: await listMerged(change, account_id, from.id), before, after }
  await setSurvivor(change, account_id, [from.id, ...moved.merged_ids], into.id)
  await db
    .insertInto('customer_merges')
    .values({
      account_id,
      id: newId(),
      customer_id: into.id,
      merged_id: from.id,
      user_id,
      moved: toJson({ ...ids, ...moved }),
      created_at: new Date().toISOString(),
    })
    .execute()
  const customer = await saveCustomer(change, account_id, into.id, {
    ...(after as Partial<CustomerRow> as object),
    field_sources: toJson({ ...sourcesOf(from, after), ...into.field_sources }),
  })
  change.announce(account_id, conversationsMoved, {
    customer,
    conversation_ids: ids.conversation_ids ?? [],
    from_customer_id: from.id,
  })
  await announceTags(change, account_id, into.id)
  return { customer, session_ids: ids.session_ids ?? [] }
}

/**
 * Undoes the latest merge into a customer. What was moved goes back; what was added later stays with the survivor, and
 * the fields it took are cleared again unless somebody has changed them.
 */
export async function unmergeCustomers(
  { customerData }: Pick<Context, 'customerData'>,
  change: Change,
  account_id: string,
  id: string,
): Promise<{ customer: Customer; session_ids: string[] }> {
  const { db } = change
  const into = await lockWhole(db, account_id, id)
  const merge = await newestMerge(db, account_id, into.id)
  if (!merge) throw new NotFound()
  if (!isUndoable(merge)) throw new Unacceptable(`A merge can be undone for ${MERGE_UNDO_DAYS} days.`)
  const moved = merge.moved as unknown as MergeRecord & MovedIds
  await assertConversationsApart(db, account_id, moved.conversation_ids ?? [])
  const ids = await moveBack(customerData, change, account_id, into.id, merge)
  await setSurvivor(change, account_id, moved.merged_ids, merge.merged_id)
  await setSurvivor(change, account_id, [merge.merged_id], null)
  await ofAccount(db, account_id)
    .updateTable('customer_merges')
    .set({ undone_at: new Date().toISOString() })
    .where('id', '=', merge.id)
    .execute()
  const emptied = unfill(into, moved)
  const lent = Object.entries(into.field_sources).filter(([field]) => emptied[field as keyof Filled] !== null)
  const field_sources = toJson(Object.fromEntries(lent))
  await saveCustomer(change, account_id, into.id, { ...(emptied as object), field_sources })
  const customer = await saveCustomer(change, account_id, merge.merged_id, {})
  change.announce(account_id, conversationsMoved, {
    customer,
    conversation_ids: ids.conversation_ids ?? [],
    from_customer_id: into.id,
  })
  await announceTags(change, account_id, into.id)
  return { customer, session_ids: ids.session_ids ?? [] }
}

/**
 * Messages of both customers that are in one conversation cannot be told apart by customer.
 * @throws Unacceptable
 */
async function assertConversationsApart(db: Db, account_id: string, moved_ids: string[]): Promise<void> {
  const { rows } = await sql`
    select from conversations
    where account_id = ${account_id} and merged_into is not null
      and (id = any (${moved_ids}::uuid[])) <> (merged_into = any (${moved_ids}::uuid[])) limit 1`.execute(db)
  if (rows.length > 0) throw new Unacceptable('Conversations of both were merged since. Undo that first.')
}

/** Moves back what a merge had moved, and returns what of it still existed. */
async function moveBack(
  customerData: CustomerData[],
  change: Change,
  account_id: string,
  from: string,
  { merged_id, moved }: { merged_id: string; moved: unknown },
): Promise<MovedIds> {
  const ids: MovedIds = {}
  for (const { merge } of customerData) {
    if (!('moveBack' in merge)) continue
    // A merge older than a table has no record of it.
    const recorded = (moved as MovedIds)[merge.recordedAs] ?? []
    ids[merge.recordedAs] = await merge.moveBack(change, account_id, from, merged_id, recorded)
  }
  return ids
}

/** When the latest merge into a customer was made, if it can still be undone. */
export async function undoableSince(db: Db, account_id: string, id: string): Promise<string | null> {
  const merge = await newestMerge(db, account_id, id)
  return merge && isUndoable(merge) ? merge.created_at : null
}

/** Values that a customer took from another one while they were merged. */
export interface FormerValues {
  customer_id: string
  words: string[]
}

/** Values that others had taken from these customers by merges undone since, even if passed on to a third one. */
export async function listFormerValues(db: Db, account_id: string, ids: string[]): Promise<FormerValues[]> {
  const { rows } = await sql<{ customer_id: string; after: Partial<DirectIdentifiers> }>`
    with recursive lent as (
      select id, customer_id, moved from customer_merges where account_id = ${account_id} and merged_id = any(${ids}::uuid[])
      union
      select m.id, m.customer_id, m.moved from lent
      join customer_merges m on m.account_id = ${account_id} and m.merged_id = lent.customer_id
    )
    select customer_id, moved -> 'after' as after from lent where customer_id <> all(${ids}::uuid[])`.execute(db)
  return rows.map(({ customer_id, after }) => ({
    customer_id,
    words: DIRECT_IDENTIFIERS.flatMap((field) => after[field] ?? []),
  }))
}

function newestMerge(db: Db, account_id: string, customer_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('customer_merges')
    .select(['id', 'merged_id', 'moved', 'created_at'])
    .where('customer_id', '=', customer_id)
    .where('undone_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

function isUndoable({ created_at }: { created_at: string }): boolean {
  return Date.parse(created_at) >= Date.now() - MERGE_UNDO_DAYS * 86_400_000
}

async function lockWhole(db: Change['db'], account_id: string, id: string): Promise<WholeRow> {
  const customer = await lockCustomer(db, account_id, id)
  const others = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select('unsubscribed_at')
    .where('id', '=', customer.id)
    .executeTakeFirstOrThrow()
  return { ...customer, ...others }
}

/** Always in the same order, so that concurrent merges of the same pair wait instead of deadlocking. */
async function lockBoth(change: Change, account_id: string, id: string, other_id: string) {
  const rows = new Map<string, WholeRow>()
  const [first, second] = [id, other_id].sort() as [string, string]
  for (const customer_id of [first, second]) rows.set(customer_id, await lockWhole(change.db, account_id, customer_id))
  const into = rows.get(id)
  const from = rows.get(other_id)
  if (!into || !from || into.id === from.id) throw new Unacceptable('These two are the same customer.')
  return { into, from }
}

/** A merge by the team fills empty fields from the other. A proof defines the identity by itself, but not its times. */
function fill(into: WholeRow, from: WholeRow, byTeam: boolean): { before: Filled; after: Filled } {
  const after: Filled = {}
  for (const field of FILLED) if (byTeam && !into[field] && from[field]) after[field] = from[field]
  if (into.claimed_customer_id === from.id) after.claimed_customer_id = null
  for (const field of LATER) if (from[field] > into[field]) after[field] = from[field]
  for (const field of EARLIER) {
    const [own, other] = [into[field], from[field]]
    if (other && (!own || other < own)) after[field] = other
  }
  const before = Object.fromEntries(Object.keys(after).map((field) => [field, into[field as keyof Filled] ?? null]))
  return { before, after }
}

/** The sources of filled fields. A browser's claim remains one. */
function sourcesOf({ field_sources }: CustomerRow, filled: Filled): CustomerRow['field_sources'] {
  return Object.fromEntries(Object.entries(field_sources).filter(([field]) => field in filled))
}

function unfill(into: WholeRow, { before, after }: MergeRecord): Filled {
  const untouched = Object.entries(after).filter(([field, value]) => into[field as keyof Filled] === value)
  return Object.fromEntries(untouched.map(([field]) => [field, before[field as keyof Filled] ?? null]))
}
