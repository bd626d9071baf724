import { type SqlBool, sql } from 'kysely'
import type { SavedFilter, SavedFilterDraft } from '#contract/customers/customer-profiles.ts'
import { customerFilterDeleted, customerFilterUpdated } from '#contract/customers/customer-profiles.ts'
import { NotFound } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'

const columns = ['id', 'name', 'query', 'created_at', 'updated_at'] as const

type FilterRow = Omit<SavedFilter, 'object'>

/** Filters of the whole team, by name. */
export async function listFilters(db: Db, account_id: string): Promise<SavedFilter[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('customer_filters')
    .select(columns)
    .orderBy('name')
    .$castTo<FilterRow>()
    .execute()
  return rows.map((row) => ({ ...row, object: 'customer_filter' }))
}

/** Saves a filter; replaces one of the same name. */
export async function saveFilter(
  change: Change,
  account_id: string,
  { name, query }: SavedFilterDraft,
): Promise<SavedFilter> {
  const row = await change.db
    .insertInto('customer_filters')
    .values({ account_id, id: newId(), name, query: toJson(query) })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'name'])
        .doUpdateSet({ query: toJson(query), updated_at: new Date().toISOString() }),
    )
    .returning(columns)
    .$castTo<FilterRow>()
    .executeTakeFirstOrThrow()
  const customer_filter: SavedFilter = { ...row, object: 'customer_filter' }
  change.announce(account_id, customerFilterUpdated, { customer_filter })
  return customer_filter
}

export async function removeFilter(change: Change, account_id: string, id: string): Promise<null> {
  const { numDeletedRows } = await ofAccount(change.db, account_id)
    .deleteFrom('customer_filters')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!numDeletedRows) throw new NotFound()
  change.announce(account_id, customerFilterDeleted, { filter_id: id })
  return null
}

/**
 * Removes a deleted tag from filters. A filter with no other condition would match everybody, so it is deleted.
 */
export async function dropTagFromFilters(change: Change, account_id: string, tag_id: string): Promise<void> {
  const rows = await ofAccount(change.db, account_id)
    .selectFrom('customer_filters')
    .select(columns)
    .where(sql<SqlBool>`concat_ws(',', query ->> 'tag_ids', query ->> 'tag_id') ilike ${`%${tag_id}%`}`)
    .orderBy('id')
    .forUpdate()
    .$castTo<FilterRow>()
    .execute()
  for (const { id, name, query } of rows) {
    const remaining = withoutTag(query, tag_id)
    if (Object.keys(remaining).length === 0) await removeFilter(change, account_id, id)
    else await saveFilter(change, account_id, { name, query: remaining })
  }
}

function withoutTag(query: FilterRow['query'], removed: string): FilterRow['query'] {
  const { tag_ids = '', tag_id = '', ...others } = query
  const withoutRemoved = (ids: string) =>
    ids
      .split(',')
      .filter((id) => id && id.toLowerCase() !== removed.toLowerCase())
      .join(',')
  const own = { tag_ids: withoutRemoved(tag_ids), tag_id: withoutRemoved(tag_id) }
  return { ...others, ...(own.tag_ids && { tag_ids: own.tag_ids }), ...(own.tag_id && { tag_id: own.tag_id }) }
}
