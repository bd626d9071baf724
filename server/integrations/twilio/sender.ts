import { sql } from 'kysely'
import { findIdentity, saveIdentity } from '../../features/connections/external-links/identities.ts'
import { createCustomer } from '../../features/customers/customers/claims.ts'
import { resolveCustomer } from '../../features/customers/customers/customers.ts'
import { isTrusted } from '../../features/customers/customers/field-sources.ts'
import { waitForTurn } from '../../features/customers/customers/signed-identity.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { ofAccount } from '../../platform/db/of-account.ts'

/** A sender's number, with the ways in which people may have stored it. */
export interface Sender {
  number: string
  digits: string[]
}

/** The customer with a number: as stored, by phone number, or a new one. */
export async function findOrCreateSender(tx: Change, account_id: string, { number, digits }: Sender): Promise<string> {
  await waitForTurn(tx, account_id, `twilio ${number}`)
  const identity = await findIdentity(tx.db, account_id, 'twilio', number)
  const known = identity?.customer_id && (await resolveCustomer(tx.db, identity.customer_id, account_id))?.id
  const id =
    known ??
    (await findByPhone(tx.db, account_id, digits)) ??
    (await createCustomer(tx, account_id, { phone: number }, 'mail', { ip: null })).id
  if (id !== identity?.customer_id) {
    await saveIdentity(tx, account_id, { integration: 'twilio', external_id: number, customer_id: id })
  }
  return id
}

/**
 * The customer with this number from another source than a browser; the one seen last. A number claimed by a browser
 * must not give it somebody else's messages.
 */
async function findByPhone(db: Db, account_id: string, digits: string[]): Promise<string | undefined> {
  if (digits.length === 0) return undefined
  const found = await ofAccount(db, account_id)
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
  return found?.id
}
