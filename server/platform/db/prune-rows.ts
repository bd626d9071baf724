import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from './change.ts'
import type { Database } from './schema.ts'

/** Rows per statement, so that each one stays far below the time limit of statements. */
const BATCH = 5_000

/**
 * Deletes the rows of a table that fulfil a condition, in short transactions. A row that is changed meanwhile is kept
 * until the next time. Inside the condition the table is called `old`.
 */
export async function pruneRows(db: Db, table: keyof Database, isDue: RawBuilder<SqlBool>): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)}
      where ctid = any (array(select ctid from ${sql.table(table)} old where ${isDue} limit ${BATCH}))`.execute(db)
    if (Number(numAffectedRows) < BATCH) return
  }
}
