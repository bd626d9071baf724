import type { SavedFilter, SavedFilterDraft } from '#contract/customer-profiles.ts'
import { NotFound } from '../../errors.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { newId } from '../../platform/secrets.ts'

const columns = ['id', 'name', 'query', 'created_at', 'updated_at'] as const

type Row = Omit<SavedFilter, 'object'>

/** Of the whole team, by name. */
export async function listFilters(db: Db, account_id: string): Promise<SavedFilter[]> {
  const rows = await db
    .selectFrom('customer_filters')
    .select(columns)
    .where('account_id', '=', account_id)
    .orderBy('name')
    .$castTo<Row>()
    .execute()
  return rows.map((row) => ({ ...row, object: 'customer_filter' }))
}

/** Saves a filter; one of the same name becomes this one. */
export async function saveFilter(
  change: Change,
  account_id: string,
  { name, query }: SavedFilterDraft,
): Promise<SavedFilter> {
  const row = await change.db
    .insertInto('customer_filters')
    .values({ account_id, id: newId(), name, query: JSON.stringify(query) })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'name'])
        .doUpdateSet({ query: JSON.stringify(query), updated_at: new Date().toISOString() }),
    )
    .returning(columns)
    .$castTo<Row>()
    .executeTakeFirstOrThrow()
  const customer_filter: SavedFilter = { ...row, object: 'customer_filter' }
  change.announce(account_id, { type: 'customer_filter:updated', customer_filter })
  return customer_filter
}

export async function removeFilter(change: Change, account_id: string, id: string): Promise<null> {
  const { numDeletedRows } = await change.db
    .deleteFrom('customer_filters')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!numDeletedRows) throw new NotFound()
  change.announce(account_id, { type: 'customer_filter:deleted', filter_id: id })
  return null
}
