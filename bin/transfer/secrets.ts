import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { features, integrations } from '#server/app.ts'
import { encryptedColumnsOf } from '#server/feature.ts'
import { contextIn, type EncryptedColumn, reencrypt } from '#server/platform/crypto/encrypted-columns.ts'
import { decryptIfPossible, type Keyring } from '#server/platform/crypto/keyring.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** Removed undecryptable values: their owners, by table. */
export type Removed = Record<string, string[]>

/** The owner of a value, for messages to people. */
const OWNERS: Record<string, string> = {
  two_factors: 'select email as name from users u where u.account_id = t.account_id and u.id = t.user_id',
  personal_api_keys: 'select email as name from users u where u.account_id = t.account_id and u.id = t.user_id',
  authorization_credentials:
    "select integration || ' (' || label || ')' as name from authorizations a where a.account_id = t.account_id and a.id = t.authorization_id",
  integration_apps: 'select t.vendor as name',
  webhook_secrets:
    'select s.webhook_url as name from event_subscriptions s where s.account_id = t.account_id and s.id = t.subscription_id',
  push_keys: "select 'this installation' as name",
  push_devices: 'select email as name from users u where u.account_id = t.account_id and u.id = t.user_id',
  import_secrets: 'select a.company_name as name from accounts a where a.id = t.account_id',
  identity_secrets: 'select i.name from inboxes i where i.account_id = t.account_id and i.id = t.inbox_id',
}

/**
 * Re-encrypts the values of imported records with the current key. Undecryptable values are removed and reported: a
 * second factor that cannot be checked would lock its owner out, and an unreadable API key or secret would seem to
 * work.
 */
export async function reencryptSecrets(client: pg.Client, keys: Keyring): Promise<Removed> {
  const removed: Removed = {}
  const encryptedColumns = encryptedColumnsOf([...features, ...integrations])
  for (const column of encryptedColumns) {
    const names = await removeUnreadable(client, keys, column)
    if (names.length > 0) removed[column.table] = names
  }
  await reencrypt(onClient(client), keys, encryptedColumns)
  await client.query(
    'insert into installation (key_id) values ($1) on conflict (is_only) do update set key_id = excluded.key_id',
    [keys.id],
  )
  return removed
}

async function removeUnreadable(client: pg.Client, keys: Keyring, column: EncryptedColumn): Promise<string[]> {
  const { table, column: name, row: key, isOfInstallation } = column
  const account = isOfInstallation ? 'null' : 'account_id'
  const { rows } = await client.query<{ account_id: string | null; row: string; value: Buffer; owner: string }>(
    `select ${account} as account_id, "${key}"::text as row, "${name}" as value, (${OWNERS[table] ?? `select ${account}::text`}) as owner
     from "${table}" t where "${name}" is not null`,
  )
  const unreadable = rows.filter(
    ({ account_id, row, value }) => decryptIfPossible(keys, contextIn(column, account_id, row), value) === undefined,
  )
  for (const { account_id, row } of unreadable) {
    await client.query(
      `delete from "${table}" where ${account} is not distinct from $1::uuid and "${key}"::text = $2`,
      [account_id, row],
    )
  }
  return [...new Set(unreadable.map(({ owner }) => owner))]
}

/** Kysely queries in the open transaction of one connection. */
export function onClient(client: pg.Client): Kysely<Database> {
  const borrowed = Object.assign(client, { release: () => undefined })
  const pool = { options: {}, connect: async () => borrowed, end: async () => undefined }
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}
