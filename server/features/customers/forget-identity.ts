import { sql } from 'kysely'
import type { Change } from '../../platform/db/change.ts'

/** Everything that says who somebody is or was. */
const NOBODY = {
  name: null,
  email: null,
  phone: null,
  external_id: null,
  claimed_external_id: null,
  claimed_customer_id: null,
  field_sources: '{}',
  profile_photo_url: null,
  company_id: null,
  ip: null,
  time_zone: null,
  host: null,
  pathname: null,
  current_url: null,
  browser: null,
  browser_version: null,
  browser_language: null,
  os: null,
  screen_height: null,
  screen_width: null,
  lib: null,
  metadata: '{}',
}

/** Makes customers nobody, for good. Their rows stay, because archived conversations point at them. */
export async function eraseIdentity(change: Change, account_id: string, ids: string[]): Promise<void> {
  await change.db
    .updateTable('customers')
    .set({ ...NOBODY, deleted_at: sql<string>`clock_timestamp()` })
    .where('account_id', '=', account_id)
    .where('id', 'in', ids)
    .execute()
  // Claims to be them must not remain on a row without a name.
  await change.db
    .updateTable('customers')
    .set({ claimed_customer_id: null })
    .where('account_id', '=', account_id)
    .where('claimed_customer_id', 'in', ids)
    .execute()
}

/** The ids of all who became part of a customer. */
export async function listMerged({ db }: Change, account_id: string, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('customers')
    .select('id')
    .where('account_id', '=', account_id)
    .where('merged_into', '=', id)
    .execute()
  return rows.map((row) => row.id)
}

/** Sets the customer into which these were merged, or null once they are separate again. */
export async function setSurvivor({ db }: Change, account_id: string, ids: string[], merged_into: string | null) {
  if (ids.length === 0) return
  await db
    .updateTable('customers')
    .set({ merged_into })
    .where('account_id', '=', account_id)
    .where('id', 'in', ids)
    .execute()
}
