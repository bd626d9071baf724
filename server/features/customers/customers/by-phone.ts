import { sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { isTrusted } from './field-sources.ts'

/**
 * The customer with one of these numbers, as digits only, from another source than a browser; the one seen last. A
 * number claimed by a browser must not give it somebody else's messages.
 */
export async function findByPhone(db: Db, account_id: string, digits: string[]): Promise<string | undefined> {
  if (digits.length === 0) return undefined
  const row = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select('id')
    .where('phone', 'is not', null)
    .where(sql<boolean>`regexp_replace(phone, '[^0-9]', '', 'g') = any (${digits})`)
    .where(isTrusted('customers', 'phone'))
    .where('merged_into', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('last_seen_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
