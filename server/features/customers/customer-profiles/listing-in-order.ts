import { type SqlBool, sql } from 'kysely'
import type { CustomerFilters } from '#contract/customers/customer-profiles.ts'
import { readCursor, writeCursor } from '../../../platform/cursor.ts'
import type { Db } from '../../../platform/db/change.ts'
import { all } from '../../conversations/search/conditions.ts'
import { loadCustomers } from '../customers/customers.ts'
import { buildQuestion, CUSTOMERS } from './customer-query.ts'
import { expandList } from './profiles.ts'

/**
 * A page of customers in the order in which they were created, which nothing changes while a program reads all of them:
 * new ones come at the end.
 * @param after the `next` of the page before
 * @throws BadRequest for any other text
 */
export async function listInOrder(
  db: Db,
  account_id: string,
  filters: CustomerFilters,
  { after, page_size }: { after: string | undefined; page_size: number },
) {
  const from = after === undefined ? undefined : readCursor(after)
  const question = await buildQuestion(db, account_id, filters)
  if (!question) return { data: [], next: null }
  const isLater = from && sql<SqlBool>`(c.created_at, c.id) > (${from.at}::timestamptz, ${from.id}::uuid)`
  const conditions = [
    ...question.conditions,
    ...(question.hasKeys ? [question.hasKeys] : []),
    ...(isLater ? [isLater] : []),
  ]
  const { rows } = await sql<{ id: string; at: string }>`
    select c.id, to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from ${CUSTOMERS} c
    where ${all(conditions)} order by c.created_at, c.id limit ${page_size + 1}`.execute(db)
  const page = rows.slice(0, page_size)
  const last = page.at(-1)
  const customers = await loadCustomers(
    db,
    account_id,
    page.map(({ id }) => id),
  )
  const data = await expandList(
    db,
    account_id,
    page.flatMap(({ id }) => customers.get(id) ?? []),
  )
  return { data, next: rows.length > page_size && last ? writeCursor(last) : null }
}
