import { storedKey } from '#server/features/developers/api-keys/api-keys.ts'
import { LONG_BODY, lacksWholeBody } from '../moving-in/long-bodies.ts'
import type { Reader, Step } from '../moving-in/reader.ts'
import { stagedName } from '../moving-in/staging.ts'
import { CHECKS } from './checks.ts'
import { CONVERSIONS } from './convert/index.ts'
import { prepare } from './prepare.ts'
import { LEFT_OUT, TABLES } from './tables.ts'

/** Moves people from Papercups. */
export const papercups: Reader = {
  id: 'papercups',
  name: 'Papercups',
  tables: TABLES,
  required: ['accounts', 'conversations'],
  leftOut: LEFT_OUT,
  prepare,
  conversions: CONVERSIONS,
  finish: addApiKeys,
  checks: CHECKS,
  queries: {
    accounts: 'select id from old_accounts',
    longBodies: `select m.account_id, m.id as message_id, o.body from old_messages o join messages m on m.id = o.id
      where length(o.body) > ${LONG_BODY} and ${lacksWholeBody('m')}`,
    // The key of a file in the old bucket; very old rows have it in their address only.
    files: `select id, coalesce(unique_filename, regexp_replace(file_url, '^.*/', '')) as object, file_url as url, null as checksum
      from old_files order by inserted_at`,
    largestUserNumber: 'select max(id) from old_users',
  },
  secrets: ['password_hash', 'value', 'expo_push_token'],
}

/** Old keys stay valid: their holders are looked up by the whole text, as Papercups did. */
async function addApiKeys({ client, keys }: Step): Promise<void> {
  const { rows } = await client.query<{
    id: string
    account_id: string
    user_id: string
    label: string | null
    value: string
    created_at: string
  }>(
    `select o.id, u.account_id, u.id as user_id, o.label, o.value, (o.inserted_at at time zone 'UTC')::text as created_at
     from ${stagedName('personal_api_keys')} o join users u on u.id = o.user_id where o.value <> ''`,
  )
  for (const { id, account_id, user_id, label, value, created_at } of rows) {
    const stored = storedKey(keys, { account_id, id }, value)
    await client.query(
      `insert into personal_api_keys (account_id, id, user_id, label, value_hash, value, hint, scope, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, 'everything', $8) on conflict do nothing`,
      [account_id, id, user_id, label ?? 'Papercups', stored.value_hash, stored.value, stored.hint, created_at],
    )
  }
}
