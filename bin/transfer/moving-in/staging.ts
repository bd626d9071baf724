import type pg from 'pg'
import type { Tables } from './reader.ts'

/** The name of the temporary table with the rows of a source's table. */
export function stagedName(table: string): string {
  return `old_${table}`
}

/** Creates the temporary tables, empty. They end with the transaction. */
export async function createStaged(target: pg.Client, tables: Tables): Promise<void> {
  for (const [table, columns] of Object.entries(tables)) {
    const definitions = Object.entries(columns).map(([column, type]) => `"${column}" ${type}`)
    await target.query(
      `create temporary table ${stagedName(table)} (ord bigint generated always as identity, ${definitions.join(', ')}) on commit drop`,
    )
  }
}
