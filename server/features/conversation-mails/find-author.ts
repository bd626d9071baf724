import { sql } from 'kysely'
import type { Change, Db } from '../../platform/db/change.ts'
import { createCustomer } from '../customers/claims.ts'
import { isTrusted } from '../customers/field-sources.ts'
import { waitForTurn } from '../customers/signed-identity.ts'
import type { MailAddress } from './parse.ts'
import type { Proof } from './sender.ts'

/** The author of the message that a mail becomes. */
export type MailAuthor =
  | { kind: 'customer' }
  /** Somebody else in a customer's thread: a colleague who was in copy, or another address of the same person. */
  | { kind: 'other'; from: MailAddress }
  | { kind: 'user'; user_id: number }
  /** Says to be of the team, and nothing proves it: the team reads it, and nobody else. */
  | { kind: 'unproven user'; user_id: number; name: string }

/** Decides it for a mail in a conversation with this customer. */
export async function findAuthor(
  db: Db,
  account_id: string,
  customer_id: string,
  { from, proof }: { from: MailAddress; proof: Proof },
): Promise<MailAuthor> {
  const user = await findActiveUser(db, account_id, from.address)
  if (user && proof === 'pass') return { kind: 'user', user_id: user.id }
  const customer = await db
    .selectFrom('customers')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', '=', customer_id)
    .where(sql<boolean>`lower(email) = ${from.address}`)
    .executeTakeFirst()
  if (customer) return { kind: 'customer' }
  return user ? { kind: 'unproven user', user_id: user.id, name: user.name } : { kind: 'other', from }
}

/** Somebody of the team who may sign in, by their address. */
export async function findActiveUser(db: Db, account_id: string, address: string) {
  const user = await db
    .selectFrom('users')
    .select(['id', 'email', 'full_name', 'display_name'])
    .where('account_id', '=', account_id)
    .where(sql<boolean>`lower(email) = ${address}`)
    .where('disabled_at', 'is', null)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  return user && { id: user.id, name: user.display_name || user.full_name || user.email }
}

/**
 * The customer who writes from this address: one whose address somebody other than a browser has said, or a new one. What a
 * browser says of itself gives it nobody's mails. Who is known keeps their name.
 */
export async function findOrCreateSender(change: Change, account_id: string, from: MailAddress): Promise<string> {
  await waitForTurn(change, account_id, `mail ${from.address}`)
  const known = await findTrustedCustomer(change.db, account_id, from.address)
  if (known) return known
  const claims = { email: from.address, ...(from.name && { name: from.name.slice(0, 255) }) }
  const { id } = await createCustomer(change, account_id, claims, 'mail', { ip: null })
  return id
}

/** The customer with this address, where somebody other than a browser has said it; the one who was here last. */
export async function findTrustedCustomer(db: Db, account_id: string, address: string): Promise<string | undefined> {
  const known = await db
    .selectFrom('customers')
    .select('id')
    .where('account_id', '=', account_id)
    .where(sql<boolean>`lower(email) = ${address}`)
    .where(isTrusted('customers', 'email'))
    .where('merged_into', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('last_seen_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return known?.id
}
