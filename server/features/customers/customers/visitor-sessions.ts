import { type SqlBool, sql } from 'kysely'
import { MERGE_UNDO_DAYS } from '#contract/customers/customer-profiles.ts'
import { NotFound } from '../../../errors.ts'
import { type Caller, isTeamOf, type Visitor } from '../../../platform/caller.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { findTogether, loadTogether } from '../../../platform/db/load-together.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { pruneRows } from '../../../platform/db/prune-rows.ts'
import { hashToken } from '../../../platform/secrets.ts'
import { isServed } from '../../accounts/accounts/suspension.ts'
import { resolveCustomer } from './customers.ts'
import { isKnown, requiresProof, trustsUnsignedIds } from './unsigned-claims.ts'

const DAY_MS = 86_400_000
/** A token that was not used for this long is invalid. */
const UNUSED_DAYS = 365

/** The holder of a visitor token, or undefined if it is unknown, revoked, or was not used for a year. */
export async function findVisitorSession(db: Db, token: string) {
  const session = await findByTokenHash(db, hashToken(token))
  const unusedMs = session ? Date.now() - Date.parse(session.last_used_at) : 0
  if (!session || unusedMs > UNUSED_DAYS * DAY_MS) return undefined
  const { account_id, customer_id, id } = session
  if (unusedMs > DAY_MS) await recordUse(db, account_id, id)
  return { account_id, customer_id, session_id: id }
}

const findByTokenHash = findTogether(
  (db, hashes: Buffer[]) =>
    acrossAccounts(db, 'who holds the secret is told whose it is')
      .selectFrom('visitor_sessions')
      .select(['token_hash', 'account_id', 'customer_id', 'id', 'last_used_at'])
      .where('token_hash', 'in', hashes)
      .where('revoked_at', 'is', null)
      .where(isServed('visitor_sessions.account_id'))
      .execute(),
  ({ token_hash }) => token_hash,
)

/** Updated at most once a day, which is precise enough for a limit of a year. */
async function recordUse(db: Db, account_id: string, id: string): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('visitor_sessions')
    .set({ last_used_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
}

/** Whether an admitted visitor still has the same identity. */
export async function isCurrentVisitor(
  db: Db,
  { account_id, session_id, customer_id }: Pick<Visitor, 'account_id' | 'session_id' | 'customer_id'>,
): Promise<boolean> {
  const session = await ofAccount(db, account_id)
    .selectFrom('visitor_sessions')
    .select('id')
    .where('id', '=', session_id)
    .where('customer_id', '=', customer_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return !!session
}

export async function endVisitorSession({ db }: Change, account_id: string, id: string): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('visitor_sessions')
    .set({ revoked_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
}

/** Stores the address that a browser gave for the conversations it starts. */
export async function storeSessionEmail({ db }: Change, account_id: string, id: string, email: string): Promise<void> {
  await ofAccount(db, account_id).updateTable('visitor_sessions').set({ email }).where('id', '=', id).execute()
}

/** Signs out all browsers of a customer, except one session. Returns the ended sessions. */
export async function endVisitorSessionsOf(
  { db }: Change,
  account_id: string,
  customer_id: string,
  except_id?: string,
): Promise<string[]> {
  const ended = await ofAccount(db, account_id)
    .updateTable('visitor_sessions')
    .set({ revoked_at: new Date().toISOString() })
    .where('customer_id', '=', customer_id)
    .where('revoked_at', 'is', null)
    .$if(!!except_id, (query) => query.where('id', '<>', except_id!))
    .returning('id')
    .execute()
  return ended.map(({ id }) => id)
}

/** Deletes the addresses given by browsers of these customers. */
export async function deleteSessionEmails({ db }: Change, account_id: string, customer_ids: string[]): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('visitor_sessions')
    .set({ email: null })
    .where('customer_id', 'in', customer_ids)
    .execute()
}

/**
 * Deletes sessions that ended, or were not used, a year ago. The last session of each customer stays, because their id
 * alone gives access if they never had one; so do those that tell where a conversation's replies go, and those of
 * customers whose merge can still be undone, because undoing it moves sessions back.
 */
export function pruneVisitorSessions(db: Db): Promise<void> {
  const isDue = sql<SqlBool>`
    least(old.revoked_at, old.last_used_at) < now() - make_interval(days => ${UNUSED_DAYS})
    and exists (select from visitor_sessions s where s.account_id = old.account_id and s.customer_id = old.customer_id
      and (s.last_used_at, s.id) > (old.last_used_at, old.id))
    and not exists (select from conversations v
      where v.account_id = old.account_id and v.customer_id = old.customer_id and v.visitor_session_id = old.id)
    and not exists (select from customer_merges m where m.account_id = old.account_id and m.customer_id = old.customer_id
      and m.created_at > now() - make_interval(days => ${MERGE_UNDO_DAYS}))`
  return pruneRows(db, 'visitor_sessions', isDue)
}

/**
 * Whether a caller may read and write as a customer. A visitor is the customer of its session; the team may act for its
 * own customers. Published clients only know ids. An id gives access to a customer who never had a session, and who is
 * anonymous, or was created by a browser where no inbox requires signed identity. So nothing that a stranger could
 * guess or overhear gives access. For merged customers the survivor's `isFromBrowser` counts: the team has decided that
 * they are the same person.
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
  // Ids of merged customers are widely known; the rules apply to the survivor.
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

/** The facts about a customer that decide whether its id alone gives access. */
const loadClaims = loadTogether(async (db, account_id, ids: string[]) => {
  const rows = await ofAccount(db, account_id)
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
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where(isServed('customers.account_id'))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
})

function selectOrigin(db: Db, account_id: string, id: string) {
  return ofAccount(db, account_id).selectFrom('customers').select('origin').where('id', '=', id).executeTakeFirst()
}

/** Like `mayActAsCustomer`, but throws NotFound, so that callers cannot tell whether the customer exists. */
export async function actAsCustomer(db: Db, caller: Caller, account_id: string, customer_id: string): Promise<void> {
  if (!(await mayActAsCustomer(db, caller, account_id, customer_id))) throw new NotFound()
}
