import { findIdentity, saveIdentity, setUnsubscribed } from '../../features/connections/external-links/identities.ts'
import { findByPhone } from '../../features/customers/customers/by-phone.ts'
import { createCustomer } from '../../features/customers/customers/claims.ts'
import { resolveCustomer } from '../../features/customers/customers/customers.ts'
import { waitForTurn } from '../../features/customers/customers/signed-identity.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { spellingsOf } from './numbers.ts'
import type { Person } from './receive-call.ts'

/** The identities of a person: Meta's id of the user first, because the number may be missing or pass to somebody else. */
export function idsOf({ user_id, number }: Person): string[] {
  return [user_id, number && `+${number}`].flatMap((id) => id || [])
}

/** Where answers are sent: exactly to the number that wrote; to the user's id if there is none. */
export function targetOf(person: Person): string {
  return idsOf(person).at(-1) ?? ''
}

/** The customer who wrote: by Meta's id of the user, else by number, else a new one. Never by a name. */
export async function findOrCreatePerson(tx: Change, account_id: string, person: Person): Promise<string> {
  await waitForTurns(tx, account_id, idsOf(person))
  const id =
    (await findPerson(tx.db, account_id, person)) ??
    (await createCustomer(tx, account_id, claimsOf(person), 'mail', { ip: null })).id
  await saveIdentities(tx, account_id, person, id)
  return id
}

function claimsOf({ number, name }: Person) {
  return { ...(number && { phone: `+${number}` }), ...(name && { name }) }
}

/** Undefined if nobody known has one of these identities. */
async function findPerson(db: Db, account_id: string, { user_id, number }: Person): Promise<string | undefined> {
  const byUser = user_id && (await findCustomerOf(db, account_id, user_id))
  if (byUser) return byUser
  if (!number) return undefined
  const spellings = spellingsOf(number)
  for (const spelling of spellings) {
    const customer_id = await findCustomerOf(db, account_id, `+${spelling}`)
    if (customer_id && !(await isAnotherUser(db, account_id, customer_id, user_id))) return customer_id
  }
  const byPhone = await findByPhone(db, account_id, spellings)
  return byPhone && !(await isAnotherUser(db, account_id, byPhone, user_id)) ? byPhone : undefined
}

async function findCustomerOf(db: Db, account_id: string, external_id: string): Promise<string | undefined> {
  const identity = await findIdentity(db, account_id, 'whatsapp', external_id)
  return identity?.customer_id ? (await resolveCustomer(db, identity.customer_id, account_id))?.id : undefined
}

/** Whether a customer with this number is known by another user's id: then the number has passed to somebody else. */
async function isAnotherUser(db: Db, account_id: string, customer_id: string, user_id: string | undefined) {
  if (!user_id) return false
  const other = await ofAccount(db, account_id)
    .selectFrom('external_identities')
    .select('id')
    .where('integration', '=', 'whatsapp')
    .where('customer_id', '=', customer_id)
    .where('external_id', 'not like', '+%')
    .where('external_id', '!=', user_id)
    .limit(1)
    .executeTakeFirst()
  return !!other
}

/**
 * Somebody has a new number or a new id: the customer of the old one has the new one, too. Returns the customer;
 * undefined if nobody known has changed it.
 */
export async function moveIdentity(
  tx: Change,
  account_id: string,
  before: Person,
  after: Person,
): Promise<string | undefined> {
  await waitForTurns(tx, account_id, [...idsOf(before), ...idsOf(after)])
  const customer_id = await findPerson(tx.db, account_id, before)
  if (customer_id) await saveIdentities(tx, account_id, after, customer_id, idsOf(before))
  return customer_id
}

/** Who has unsubscribed by one identity gets nothing by a further one either. `earlier`: ids that the person had before. */
async function saveIdentities(
  tx: Change,
  account_id: string,
  person: Person,
  customer_id: string,
  earlier: string[] = [],
): Promise<void> {
  const ids = idsOf(person)
  const stored = await Promise.all(
    [...ids, ...earlier].map((external_id) => findIdentity(tx.db, account_id, 'whatsapp', external_id)),
  )
  const own = stored.filter((identity) => identity?.customer_id === customer_id)
  const since = own.find((identity) => identity?.unsubscribed_at)?.unsubscribed_at ?? null
  for (const [index, external_id] of ids.entries()) {
    if (stored[index]?.customer_id === customer_id) continue
    const identity = { integration: 'whatsapp' as const, external_id, customer_id, name: person.name ?? null }
    await saveIdentity(tx, account_id, identity)
    await setUnsubscribed(tx, account_id, 'whatsapp', external_id, since)
  }
}

/** In the same order everywhere, so that two messages of one person do not wait for each other forever. */
async function waitForTurns(tx: Change, account_id: string, ids: string[]): Promise<void> {
  for (const id of [...new Set(ids)].sort()) await waitForTurn(tx, account_id, `whatsapp ${id}`)
}
