import { sql } from 'kysely'
import type { Db } from '../db/change.ts'
import { decryptIfPossible, type EncryptionContext, type Keyring } from './keyring.ts'

/** A column of encrypted values. The encryption context is the column, the account, and the row's key. */
export interface EncryptedColumn {
  table: string
  column: string
  /** The other column of the table's key beside `account_id`. */
  row: string
  /** Belongs to the installation: the table has no `account_id`. */
  isOfInstallation?: true
}

/** The encryption context of a row. */
export function contextIn(
  { table, column }: EncryptedColumn,
  account_id: string | null,
  row: string | number,
): EncryptionContext {
  return { purpose: `${table}.${column}`, ...(account_id && { account_id }), row: String(row) }
}

interface EncryptedValue {
  /** Null for those of the installation. */
  account_id: string | null
  row: string
  value: Buffer
}

/**
 * Re-encrypts values of older keys with the current one, and returns their number. Rows that change meanwhile were
 * already written with the current key.
 * @throws CannotDecrypt for a value whose key is not among the previous ones; earlier values stay re-encrypted.
 */
export async function reencrypt(db: Db, keys: Keyring, columns: EncryptedColumn[]): Promise<number> {
  let count = 0
  for (const column of columns) {
    for (const { account_id, row, value } of await readValues(db, column)) {
      if (keys.isCurrent(value)) continue
      const context = contextIn(column, account_id, row)
      const renewed = keys.encrypt(context, keys.decrypt(context, value))
      await replace(column, { account_id, row, value }, renewed).execute(db)
      count++
    }
  }
  return count
}

/** Number of values that these keys do not decrypt. */
export async function countUndecryptable(db: Db, keys: Keyring, columns: EncryptedColumn[]): Promise<number> {
  let count = 0
  for (const column of columns) {
    for (const { account_id, row, value } of await readValues(db, column)) {
      if (decryptIfPossible(keys, contextIn(column, account_id, row), value) === undefined) count++
    }
  }
  return count
}

async function readValues(
  db: Db,
  { table, column, row, isOfInstallation }: EncryptedColumn,
): Promise<EncryptedValue[]> {
  const account_id = isOfInstallation ? sql`null` : sql.ref('account_id')
  const { rows } = await sql<EncryptedValue>`
    select ${account_id} as account_id, ${sql.ref(row)}::text as row, ${sql.ref(column)} as value
    from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(db)
  return rows
}

function replace(
  { table, column, row: key }: EncryptedColumn,
  { account_id, row, value }: EncryptedValue,
  renewed: Buffer,
) {
  return sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${renewed}
    where ${account_id === null ? sql`true` : sql`account_id = ${account_id}`} and ${sql.ref(key)}::text = ${row} and ${sql.ref(column)} = ${value}`
}
