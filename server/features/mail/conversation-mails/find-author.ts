import { sql } from 'kysely'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { createCustomer } from '../../customers/customers/claims.ts'
import { isTrusted } from '../../customers/customers/field-sources.ts'
import { waitForTurn } from '../../customers/customers/signed-identity.ts'
import type { MailAddress } from './parse.ts'
import type { ProofResult } from './sender.ts'

/** The author of a mail's message. */
export type MailAuthor =
  | { kind: 'customer' }
  /** Somebody else in a customer's thread: a colleague in copy, or another address of the same person. */
  | { kind: 'other'; from: MailAddress }
  | { kind: 'user'; user_id: number }
  /** Claims to be a team member without proof: only the team sees it. */
  | { kind: 'unproven user'; user_id: number; name: string }

/** Finds the author of a mail in a conversation with this customer. */
export async function findAuthor(
  db: Db,
  account_id: string,
  customer_id: string,
  { from, result }: { from: MailAddress; result: ProofResult },
): Promise<MailAuthor> {
  const user = await findActiveUser(db, account_id, from.address)
  if (user && result === 'pass') return { kind: 'user', user_id: user.id }
  const customer = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select('id')
    .where('id', '=', customer_id)
    .where(sql<boolean>`lower(email) = ${from.address}`)
    .executeTakeFirst()
  if (customer) return { kind: 'customer' }
  return user ? { kind: 'unproven user', user_id: user.id, name: user.name } : { kind: 'other', from }
}

/** The team member with this address, if they may sign in. */
export async function findActiveUser(db: Db, account_id: string, address: string) {
  const user = await ofAccount(db, account_id)
    .selectFrom('users')
    .select(['id', 'email', 'full_name', 'display_name'])
    .where(sql<boolean>`lower(email) = ${address}`)
    .where('disabled_at', 'is', null)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  return user && { id: user.id, name: user.display_name || user.full_name || user.email }
}

/**
 * The customer with this address: one whose address comes from another source than a browser, or a new one. An address
 * claimed by a browser must not give it somebody else's mails. Known customers keep their name.
 */
export async function findOrCreateSender(change: Change, account_id: string, from: MailAddress): Promise<string> {
  await waitForTurn(change, account_id, `mail ${from.address}`)
  const existing = await findTrustedCustomer(change.db, account_id, from.address)
  if (existing) return existing
  const claims = { email: from.address, ...(from.name && { name: from.name.slice(0, 255) }) }
  const { id } = await createCustomer(change, account_id, claims, 'mail', { ip: null })
  return id
}

/** The customer with this address from another source than a browser; the one seen last. */
export async function findTrustedCustomer(db: Db, account_id: string, address: string): Promise<string | undefined> {
  const customer = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select('id')
    .where(sql<boolean>`lower(email) = ${address}`)
    .where(isTrusted('customers', 'email'))
    .where('merged_into', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('last_seen_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return customer?.id
}
