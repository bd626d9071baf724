import { contextIn, type EncryptedColumn } from '../../../platform/crypto/encrypted-columns.ts'
import { decryptIfPossible, type Keyring } from '../../../platform/crypto/keyring.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

export const credentialsColumn: EncryptedColumn = {
  table: 'authorization_credentials',
  column: 'encrypted',
  row: 'authorization_id',
}

interface Owner {
  account_id: string
  id: string
}

/** Stores a connection's credentials, encrypted for this connection only. */
export async function saveCredentials(
  { db }: Pick<Change, 'db'>,
  keys: Keyring,
  { account_id, id }: Owner,
  credentials: object,
): Promise<void> {
  const encrypted = keys.encrypt(contextIn(credentialsColumn, account_id, id), JSON.stringify(credentials))
  await db
    .insertInto('authorization_credentials')
    .values({ account_id, authorization_id: id, encrypted })
    .onConflict((conflict) => conflict.columns(['account_id', 'authorization_id']).doUpdateSet({ encrypted }))
    .execute()
}

/** Undefined if they were wiped, or cannot be decrypted. */
export async function readCredentials(
  db: Db,
  keys: Keyring,
  { account_id, id }: Owner,
): Promise<Record<string, unknown> | undefined> {
  const row = await ofAccount(db, account_id)
    .selectFrom('authorization_credentials')
    .select('encrypted')
    .where('authorization_id', '=', id)
    .executeTakeFirst()
  const text = row && decryptIfPossible(keys, contextIn(credentialsColumn, account_id, id), row.encrypted)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Destroys a connection's credentials. */
export async function wipeCredentials({ db }: Pick<Change, 'db'>, { account_id, id }: Owner): Promise<void> {
  await ofAccount(db, account_id).deleteFrom('authorization_credentials').where('authorization_id', '=', id).execute()
}

const MASK = '••••'

/** A masked secret: its last characters, if it is long enough. */
export function maskSecret(secret: string): string {
  return secret.length >= 12 ? `${MASK}${secret.slice(-4)}` : MASK
}

/** The secret that a client means: a masked or missing one keeps the stored value. */
export function retainMasked(input: string | null | undefined, stored: string | undefined): string | undefined {
  return !input || input.startsWith(MASK) ? stored : input
}
