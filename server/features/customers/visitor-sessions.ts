import { sql } from 'kysely'
import { NotFound } from '../../errors.ts'
import { type Caller, isTeamOf, type Visitor } from '../../platform/caller.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { findTogether, loadTogether } from '../../platform/db/load-together.ts'
import { hashToken } from '../../platform/secrets.ts'
import { resolveCustomer } from './customers.ts'
import { isKnown, requiresProof, trustsUnsignedIds } from './unsigned-claims.ts'

const DAY_MS = 86_400_000
/** A token that nobody has used for so long opens nothing any more. */
const UNUSED_DAYS = 365

/** Who holds a visitor token, or undefined when it is unknown, revoked, or was not used for a year. */
export async function findVisitorSession(db: Db, token: string) {
  const found = await findByTokenHash(db, hashToken(token))
  const unusedMs = found ? Date.now() - Date.parse(found.last_used_at) : 0
  if (!found || unusedMs > UNUSED_DAYS * DAY_MS) return undefined
  const { account_id, customer_id, id } = found
  if (unusedMs > DAY_MS) await noteUse(db, account_id, id)
  return { account_id, customer_id, session_id: id }
}

const findByTokenHash = findTogether(
  (db, hashes) =>
    db
      .selectFrom('visitor_sessions')
      .select(['token_hash', 'account_id', 'customer_id', 'id', 'last_used_at'])
      .where(sql<boolean>`"token_hash" = any(${hashes})`)
      .where('revoked_at', 'is', null)
      .execute(),
  ({ token_hash }) => token_hash,
)

/** Once a day is enough to tell a year. */
async function noteUse(db: Db, account_id: string, id: string): Promise<void> {
  await db
    .updateTable('visitor_sessions')
    .set({ last_used_at: new Date().toISOString() })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

/** Whether a visitor who was let in is still who they were then. */
export async function isCurrentVisitor(
  db: Db,
  { account_id, session_id, customer_id }: Pick<Visitor, 'account_id' | 'session_id' | 'customer_id'>,
): Promise<boolean> {
  const found = await db
    .selectFrom('visitor_sessions')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', '=', session_id)
    .where('customer_id', '=', customer_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return !!found
}

export async function endVisitorSession({ db }: Change, account_id: string, id: string): Promise<void> {
  await db
    .updateTable('visitor_sessions')
    .set({ revoked_at: new Date().toISOString() })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

/** Notes the address that a browser gave for what it writes itself. */
export async function noteSessionEmail({ db }: Change, account_id: string, id: string, email: string): Promise<void> {
  await db
    .updateTable('visitor_sessions')
    .set({ email })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

/** Signs every browser of a customer out, but the one whose session is to be kept. Answers with the sessions that ended. */
export async function endVisitorSessionsOf(
  { db }: Change,
  account_id: string,
  customer_id: string,
  kept?: string,
): Promise<string[]> {
  const ended = await db
    .updateTable('visitor_sessions')
    .set({ revoked_at: new Date().toISOString() })
    .where('account_id', '=', account_id)
    .where('customer_id', '=', customer_id)
    .where('revoked_at', 'is', null)
    .$if(!!kept, (query) => query.where('id', '<>', kept!))
    .returning('id')
    .execute()
  return ended.map(({ id }) => id)
}

/** Forgets the addresses that browsers of these customers gave. */
export async function forgetSessionEmails({ db }: Change, account_id: string, customer_ids: string[]): Promise<void> {
  await db
    .updateTable('visitor_sessions')
    .set({ email: null })
    .where('account_id', '=', account_id)
    .where('customer_id', 'in', customer_ids)
    .execute()
}

/**
 * Whether a caller may read and write as a customer does. A visitor is exactly the customer of its session; the team may
 * look at its own customers. Published clients know nothing but ids; those open a customer who was never claimed by a
 * session, and who is anonymous, or was made by a browser where no inbox demands signed identity. Everything a stranger
 * could guess or overhear therefore opens nothing. `isFromBrowser` is said of the survivor of a merge: the team has decided
 * that it is whom a browser made.
 */
export async function mayActAsCustomer(
  db: Db,
  caller: Caller,
  account_id: string,
  customer_id: string,
  inbox_id?: string | null,
  isFromBrowser = false,
): Promise<boolean> {
  if (caller.kind === 'visitor' && caller.account_id === account_id && caller.customer_id === customer_id) return true
  if (isTeamOf(account_id, caller)) return true
  // Ids of merged customers are known to browsers and strangers alike; what counts is who they became part of.
  const resolved = await resolveCustomer(db, customer_id, account_id)
  if (resolved && resolved.id !== customer_id) {
    const absorbed = await selectOrigin(db, account_id, customer_id)
    return mayActAsCustomer(db, caller, account_id, resolved.id, inbox_id, absorbed?.origin === 'browser')
  }
  if (caller.kind === 'visitor') return false
  const customer = await loadClaims(db, account_id, customer_id)
  if (!customer || customer.is_claimed) return false
  if (!isKnown(customer)) return true
  if (customer.identity_proven_at || (await requiresProof(db, account_id, inbox_id))) return false
  return customer.origin === 'browser' || isFromBrowser || (await trustsUnsignedIds(db, account_id))
}

/** What speaks for and against callers that know nothing but a customer's id. */
const loadClaims = loadTogether(async (db, account_id, ids: string[]) => {
  const rows = await db
    .selectFrom('customers')
    .select(['id', 'name', 'email', 'phone', 'external_id', 'origin', 'identity_proven_at'])
    .select(({ exists, selectFrom }) => [
      exists(
        selectFrom('visitor_sessions')
          .select('visitor_sessions.id')
          .where('visitor_sessions.account_id', '=', account_id)
          .whereRef('visitor_sessions.customer_id', '=', 'customers.id'),
      ).as('is_claimed'),
    ])
    .where('account_id', '=', account_id)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
})

function selectOrigin(db: Db, account_id: string, id: string) {
  return db
    .selectFrom('customers')
    .select('origin')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** As `mayActAsCustomer`, but throws NotFound, so that callers without rights cannot tell whether the customer exists. */
export async function actAsCustomer(db: Db, caller: Caller, account_id: string, customer_id: string): Promise<void> {
  if (!(await mayActAsCustomer(db, caller, account_id, customer_id))) throw new NotFound()
}
