import { findIdentity, saveIdentity } from '../../features/connections/external-links/identities.ts'
import { findByPhone } from '../../features/customers/customers/by-phone.ts'
import { createCustomer } from '../../features/customers/customers/claims.ts'
import { resolveCustomer } from '../../features/customers/customers/customers.ts'
import { waitForTurn } from '../../features/customers/customers/signed-identity.ts'
import type { Change } from '../../platform/db/change.ts'

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
