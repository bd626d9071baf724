import type { Db } from '../db/change.ts'
import { OperatorError } from '../operator-error.ts'
import type { Keyring } from './keyring.ts'

const WRONG_KEY = `SECRET_KEY is not the one with which this database was encrypted.
Set SECRET_KEY to the old value (or put the old secret.key back into the data folder), and start again.
Several servers on one database share one key.
To change the key on purpose, set SECRET_KEY to the new value and PREVIOUS_SECRET_KEY to the old one, start,
and run \`npm run parley -- reencrypt\`.`

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
  const { key_id } = await db.selectFrom('installation').select('key_id').executeTakeFirstOrThrow()
  if (key_id !== keys.id) throw new OperatorError(WRONG_KEY)
}
