import type { Body } from '#contract/endpoint.ts'
import type { BrowserSession, browserSessions } from '#contract/widget/live-sessions.ts'
import { Invalid, NotFound } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { type JsonText, toJson } from '../../../platform/db/to-json.ts'
import { hashToken, newId } from '../../../platform/secrets.ts'
import { isServed } from '../../accounts/accounts/suspension.ts'
import { resolveCustomer } from '../../customers/customers/customers.ts'
import { columns, present, type SessionRow } from './live-sessions.ts'

type NewSession = Body<typeof browserSessions.create>['browser_session']

/**
 * Starts a recorder's session in a tab, or continues it after a reload: a known token finds its session.
 * @throws Invalid when another account has a session with this token
 */
export async function startSession(change: Change, account_id: string, given: NewSession): Promise<BrowserSession> {
  const { db } = change
  const { token, started_at } = given
  const now = new Date().toISOString()
  const values = { customer_id: await findCustomer(db, account_id, given.customer_id), ...describe(given) }
  const known = token && (await findByToken(db, token))
  if (known && known.account_id !== account_id) throw new Invalid({ token: ['has already been taken'] })
  if (known) return saveSession(change, known, { ...values, finished_at: null, absent_since: null })
  const row = await db
    .insertInto('browser_sessions')
    .values({
      ...values,
      account_id,
      id: newId(),
      token_hash: token ? hashToken(token) : null,
      // A wrong clock would keep a tab on top of the list for ever.
      started_at: started_at && started_at < now ? started_at : now,
    })
    .returning(columns)
    .$castTo<SessionRow>()
    .executeTakeFirstOrThrow()
  return present(row)
}

function describe({ metadata }: NewSession) {
  return metadata ? { metadata: toJson(metadata) } : {}
}

function findByToken(db: Db, token: string) {
  return acrossAccounts(db, 'who holds the secret is told whose it is')
    .selectFrom('browser_sessions')
    .select(['account_id', 'id'])
    .where('token_hash', '=', hashToken(token))
    .where(isServed('browser_sessions.account_id'))
    .executeTakeFirst()
}

/** Identifies a recorder's session. */
interface SessionKey {
  account_id: string
  id: string
}

/**
 * A recorder's session: by its token, or by its id alone if it was started without one, as by Papercups'
 * recorders.
 */
export async function findRecorderSession(db: Db, id: string, token: unknown): Promise<SessionRow | undefined> {
  const found = await acrossAccounts(db, 'recorders know the id alone; it, or the token beside it, is their secret')
    .selectFrom('browser_sessions')
    .select([...columns, 'token_hash'])
    .where('id', '=', id)
    .where(isServed('browser_sessions.account_id'))
    .executeTakeFirst()
  if (!found) return undefined
  const { token_hash, ...row } = found
  const isSecret = token_hash !== null && !(typeof token === 'string' && token_hash.equals(hashToken(token)))
  return isSecret ? undefined : (row as SessionRow)
}

async function getPlace(db: Db, id: string, token: unknown): Promise<SessionKey> {
  const found = await findRecorderSession(db, id, token)
  if (!found) throw new NotFound()
  return found
}

/** The page was left. */
export async function finishSession(change: Change, id: string, token: unknown): Promise<BrowserSession> {
  return saveSession(change, await getPlace(change.db, id, token), { finished_at: new Date().toISOString() })
}

/** The page was reloaded, or its recorder reconnected. */
export async function restartSession(change: Change, id: string, token: unknown): Promise<BrowserSession> {
  return saveSession(change, await getPlace(change.db, id, token), { finished_at: null, absent_since: null })
}

/** The page names the customer in the tab. */
export async function identifySession(
  change: Change,
  id: string,
  token: unknown,
  customer_id: string | null | undefined,
): Promise<BrowserSession> {
  const place = await getPlace(change.db, id, token)
  return saveSession(change, place, { customer_id: await findCustomer(change.db, place.account_id, customer_id) })
}

/** Pages may remember deleted customers, or those of another account: these count as unknown. */
async function findCustomer(db: Db, account_id: string, id: string | null | undefined): Promise<string | null> {
  return (id && (await resolveCustomer(db, id, account_id))?.id) || null
}

interface Saved {
  customer_id?: string | null
  metadata?: JsonText
  finished_at?: string | null
  absent_since?: null
}

async function saveSession({ db }: Change, { account_id, id }: SessionKey, changed: Saved): Promise<BrowserSession> {
  const row = await ofAccount(db, account_id)
    .updateTable('browser_sessions')
    .set({ ...changed, updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<SessionRow>()
    .executeTakeFirstOrThrow()
  return present(row)
}
