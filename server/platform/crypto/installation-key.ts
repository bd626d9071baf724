import type { Db } from '../db/change.ts'
import { OperatorError } from '../operator-error.ts'
import type { Keyring } from './keyring.ts'

const WRONG_KEY = `SECRET_KEY is not the one with which this database was encrypted.
Set SECRET_KEY to the old value (or put the old secret.key back into the data folder), and start again.
Several servers on one database share one key.
To change the key on purpose, set SECRET_KEY to the new value and PREVIOUS_SECRET_KEY to the old one, start,
and run \`npm run parley -- reencrypt\`.`

/** Whether a server has used this database, and so there is a key with which its secrets are encrypted. */
export async function hasKey(db: Db): Promise<boolean> {
  return (await readKeyId(db)) !== undefined
}

/** The error for a database that was encrypted with a key that is not there. */
export function missingKey(dataDir: string): OperatorError {
  return new OperatorError(
    `The secret key of this installation is missing: set SECRET_KEY as before, or put secret.key back into ${dataDir}. Backups contain the key.`,
  )
}

/**
 * Stores the current key's id in the database on the first start, and replaces it if the stored one is that of the
 * previous key.
 * @throws OperatorError if the database was encrypted with an unknown key
 */
export async function checkSecretKey(db: Db, keys: Keyring): Promise<void> {
  await db
    .insertInto('installation')
    .values({ key_id: keys.id })
    .onConflict((conflict) =>
      conflict
        .column('is_only')
        .doUpdateSet({ key_id: keys.id })
        .where('installation.key_id', '=', keys.previousId ?? keys.id),
    )
    .execute()
  await assertSecretKey(db, keys)
}

/** @throws OperatorError if the database was encrypted with another key; passes if no server has used it yet */
export async function assertSecretKey(db: Db, keys: Keyring): Promise<void> {
  if (((await readKeyId(db)) ?? keys.id) !== keys.id) throw new OperatorError(WRONG_KEY)
}

async function readKeyId(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('installation').select('key_id').executeTakeFirst())?.key_id
}
