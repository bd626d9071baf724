import { findIdentity, saveIdentity } from '../../features/connections/external-links/identities.ts'
import { findByPhone } from '../../features/customers/customers/by-phone.ts'
import { createCustomer } from '../../features/customers/customers/claims.ts'
import { resolveCustomer } from '../../features/customers/customers/customers.ts'
import { waitForTurn } from '../../features/customers/customers/signed-identity.ts'
import type { Change } from '../../platform/db/change.ts'
import { isWhatsapp, numberOf, toWhatsappAddress } from './whatsapp.ts'

/** A sender's address, with the ways in which people may have stored its number. */
export interface Sender {
  /** The number, or that of WhatsApp. */
  address: string
  digits: string[]
}

/** The customer with a number: as stored for text messages or WhatsApp, by phone number, or a new one. */
export async function findOrCreateSender(tx: Change, account_id: string, { address, digits }: Sender): Promise<string> {
  const number = numberOf(address)
  await waitForTurn(tx, account_id, `twilio ${number}`)
  const identity = await findIdentity(tx.db, account_id, 'twilio', address)
  const elsewhere = isWhatsapp(address) ? number : toWhatsappAddress(number)
  const id =
    (await findStored(tx, account_id, identity)) ??
    (await findStored(tx, account_id, await findIdentity(tx.db, account_id, 'twilio', elsewhere))) ??
    (await findByPhone(tx.db, account_id, digits)) ??
    (await createCustomer(tx, account_id, { phone: number }, 'mail', { ip: null })).id
  if (id !== identity?.customer_id) {
    await saveIdentity(tx, account_id, { integration: 'twilio', external_id: address, customer_id: id })
  }
  return id
}

async function findStored(
  { db }: Change,
  account_id: string,
  identity: Awaited<ReturnType<typeof findIdentity>>,
): Promise<string | undefined> {
  return identity?.customer_id ? (await resolveCustomer(db, identity.customer_id, account_id))?.id : undefined
}
