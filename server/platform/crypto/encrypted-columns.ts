import { sql } from 'kysely'
import type { Db } from '../db/change.ts'
import type { EncryptionContext, Keyring } from './keyring.ts'

/** A column of encrypted values. Its context is the column itself, the account, and what tells one row from another. */
export interface EncryptedColumn {
  table: string
  column: string
  /** The column beside `account_id` in the key of the table. */
  row: string
}

/** What the value of one row is encrypted for. */
export function contextIn(
  { table, column }: EncryptedColumn,
  account_id: string,
  row: string | number,
): EncryptionContext {
  return { purpose: `${table}.${column}`, account_id, row: String(row) }
}

interface Found {
  account_id: string
  row: string
  value: Buffer
}

/**
 * Encrypts with the current key what an older one encrypted, and says how many values that were. Rows that change
 * meanwhile were written with the current key already.
 * @throws CannotDecrypt when a value belongs to a key that is not among the previous ones; what came before stays done.
 */
export async function reencrypt(db: Db, keys: Keyring, columns: EncryptedColumn[]): Promise<number> {
  let count = 0
  for (const column of columns) {
    const rows = await sql<Found>`
      select account_id, ${sql.ref(column.row)}::text as row, ${sql.ref(column.column)} as value
      from ${sql.table(column.table)} where ${sql.ref(column.column)} is not null`.execute(db)
    for (const { account_id, row, value } of rows.rows) {
      if (keys.isCurrent(value)) continue
      const context = contextIn(column, account_id, row)
      const renewed = keys.encrypt(context, keys.decrypt(context, value))
      await replace(column, { account_id, row, value }, renewed).execute(db)
      count++
    }
  }
  return count
}

function replace({ table, column, row: key }: EncryptedColumn, { account_id, row, value }: Found, renewed: Buffer) {
  return sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${renewed}
    where account_id = ${account_id} and ${sql.ref(key)}::text = ${row} and ${sql.ref(column)} = ${value}`
}
