import type { Body } from '#contract/endpoint.ts'
import type { BrowserSession, browserSessions } from '#contract/widget/live-sessions.ts'
import { Invalid, NotFound } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { type JsonText, toJson } from '../../../platform/db/to-json.ts'
import { hashToken, newId } from '../../../platform/secrets.ts'
import { isServed } from '../../accounts/accounts/suspension.ts'
import { resolveCustomer } from '../../customers/customers/customers.ts'
import { columns, presentBrowserSession, type SessionRow } from './live-sessions.ts'

type NewSession = Body<typeof browserSessions.create>['browser_session']

/**
 * Starts a recorder's session in a tab, or continues it after a reload: a known token finds its session.
 * @throws Invalid when another account has a session with this token
 */
export async function startSession(change: Change, account_id: string, input: NewSession): Promise<BrowserSession> {
  const { db } = change
  const { token, started_at } = input
  const now = new Date().toISOString()
  const values = { customer_id: await findCustomer(db, account_id, input.customer_id), ...describe(input) }
  const existing = token && (await findByToken(db, token))
  if (existing && existing.account_id !== account_id) throw new Invalid({ token: ['has already been taken'] })
  if (existing) return saveSession(change, existing, { ...values, finished_at: null, absent_since: null })
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
  return presentBrowserSession(row)
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
  const session = await acrossAccounts(db, 'recorders know the id alone; it, or the token beside it, is their secret')
    .selectFrom('browser_sessions')
    .select([...columns, 'token_hash'])
    .where('id', '=', id)
    .where(isServed('browser_sessions.account_id'))
    .executeTakeFirst()
  if (!session) return undefined
  const { token_hash, ...row } = session
  const isSecret = token_hash !== null && !(typeof token === 'string' && token_hash.equals(hashToken(token)))
  return isSecret ? undefined : (row as SessionRow)
}

async function getSessionKey(db: Db, id: string, token: unknown): Promise<SessionKey> {
  const session = await findRecorderSession(db, id, token)
  if (!session) throw new NotFound()
  return session
}

/** The page was left. */
export async function finishSession(change: Change, id: string, token: unknown): Promise<BrowserSession> {
  return saveSession(change, await getSessionKey(change.db, id, token), { finished_at: new Date().toISOString() })
}

/** The page was reloaded, or its recorder reconnected. */
export async function restartSession(change: Change, id: string, token: unknown): Promise<BrowserSession> {
  return saveSession(change, await getSessionKey(change.db, id, token), { finished_at: null, absent_since: null })
}

/** The page names the customer in the tab. */
export async function identifySession(
  change: Change,
  id: string,
  token: unknown,
  customer_id: string | null | undefined,
): Promise<BrowserSession> {
  const key = await getSessionKey(change.db, id, token)
  return saveSession(change, key, { customer_id: await findCustomer(change.db, key.account_id, customer_id) })
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
  return presentBrowserSession(row)
}
