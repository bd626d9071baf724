import { findIdentity, saveIdentity, setUnsubscribed } from '../../features/connections/external-links/identities.ts'
import { createCustomer, updateClaims } from '../../features/customers/customers/claims.ts'
import { resolveCustomer } from '../../features/customers/customers/customers.ts'
import { waitForTurn } from '../../features/customers/customers/signed-identity.ts'
import type { Change } from '../../platform/db/change.ts'
import { nameOf } from './content.ts'
import type { TelegramMessage, TelegramUser } from './updates.ts'

/**
 * The customer of a Telegram user: the one that is known by the user's id, else a new one. Names and user names change, and
 * prove nothing.
 */
export async function findOrCreateSender(tx: Change, account_id: string, user: TelegramUser): Promise<string> {
  const external_id = String(user.id)
  await waitForTurn(tx, account_id, `telegram ${external_id}`)
  const identity = await findIdentity(tx.db, account_id, 'telegram', external_id)
  const existing = identity?.customer_id && (await resolveCustomer(tx.db, identity.customer_id, account_id))?.id
  const name = nameOf(user).slice(0, 255)
  const id = existing ?? (await createCustomer(tx, account_id, { name }, 'mail', { ip: null })).id
  if (id !== identity?.customer_id || name !== identity.name) {
    await saveIdentity(tx, account_id, { integration: 'telegram', external_id, customer_id: id, name })
  }
  // Who writes can be written to.
  if (identity?.unsubscribed_at) await setUnsubscribed(tx, account_id, 'telegram', external_id, null)
  return id
}

/** Records the phone number of somebody who shares their own. Of anybody else's it proves nothing. */
export async function recordOwnPhone(
  tx: Change,
  account_id: string,
  customer_id: string,
  { contact, from }: TelegramMessage,
): Promise<void> {
  if (!contact || !from || contact.user_id !== from.id) return
  const phone = `+${contact.phone_number.replaceAll(/\D/g, '')}`
  if (phone.length > 5) await updateClaims(tx, account_id, customer_id, { phone: phone.slice(0, 30) }, 'mail')
}
