import { sql } from 'kysely'
import type { Change } from './change.ts'

/** Tables whose rows have an order that people choose. */
type OrderedTable =
  | 'article_collections'
  | 'articles'
  | 'attribute_definitions'
  | 'conversation_views'
  | 'deadline_policies'
  | 'rules'

/** Numbers rows of an account in the order of their ids, from 1. Its callers hold the lock of the list. */
export async function setPositions(
  { db }: Pick<Change, 'db'>,
  table: OrderedTable,
  account_id: string,
  ids: string[],
): Promise<void> {
  await sql`
    update ${sql.table(table)} listed set position = wanted.position
    from unnest(${ids}::uuid[]) with ordinality wanted (id, position)
    where listed.account_id = ${account_id} and listed.id = wanted.id`.execute(db)
}
