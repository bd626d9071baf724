import type { Body, Query } from '#contract/endpoint.ts'
import type { BrowserSession, browserSessions, VisitedSession } from '#contract/widget/live-sessions.ts'
import { isId } from '#contract/wire.ts'
import { NotFound } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { getCustomerId, loadCustomers } from '../../customers/customers/customers.ts'

export const columns = [
  'id',
  'account_id',
  'customer_id',
  'metadata',
  'started_at',
  'finished_at',
  'updated_at',
] as const

export type SessionRow = { [Column in (typeof columns)[number]]: BrowserSession[Column] }

export function presentBrowserSession(row: SessionRow): BrowserSession {
  return { ...row, object: 'browser_session' }
}

type Filters = Omit<Query<typeof browserSessions.list>, 'limit'>

const DEFAULT_SESSIONS = 100
const MAX_SESSIONS = 500

function matching(db: Db, account_id: string, { customer_id, ids, active }: Filters) {
  return ofAccount(db, account_id)
    .selectFrom('browser_sessions')
    .$if(!!customer_id, (query) => query.where('customer_id', '=', customer_id!))
    .$if(!!ids, (query) => query.where('id', 'in', [...ids!.filter(isId), NOBODY]))
    .$if(active !== undefined, (query) => query.where('finished_at', active ? 'is' : 'is not', null))
}

/** Matches no session: for a filter with an empty list of ids. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** An account's sessions, last changed first. */
export async function listSessions(
  db: Db,
  account_id: string,
  { limit = DEFAULT_SESSIONS, ...filters }: Filters & { limit?: number | undefined },
): Promise<VisitedSession[]> {
  const rows = await matching(db, account_id, filters)
    .select(columns)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(Math.min(Math.max(limit, 1), MAX_SESSIONS))
    .$castTo<SessionRow>()
    .execute()
  return withCustomers(db, account_id, rows)
}

/** Number of matching sessions. */
export async function countSessions(db: Db, account_id: string, filters: Filters): Promise<number> {
  const { count } = await matching(db, account_id, filters)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** One session. Throws NotFound if the account has none with this id. */
export async function getSession(db: Db, account_id: string, id: string): Promise<VisitedSession> {
  const rows = await matching(db, account_id, { ids: [id] })
    .select(columns)
    .$castTo<SessionRow>()
    .execute()
  const [session] = await withCustomers(db, account_id, rows)
  if (!session) throw new NotFound()
  return session
}

async function withCustomers(db: Db, account_id: string, rows: SessionRow[]): Promise<VisitedSession[]> {
  const customers = await loadCustomers(
    db,
    account_id,
    rows.flatMap(({ customer_id }) => customer_id ?? []),
  )
  return rows.map((row) => ({ ...presentBrowserSession(row), customer: customers.get(row.customer_id ?? '') ?? null }))
}

type Changes = Body<typeof browserSessions.update>['browser_session']

/** Changes a session. Throws NotFound if the account has none with this id. */
export async function updateSession(
  { db }: Change,
  account_id: string,
  id: string,
  { metadata, customer_id, ...others }: Changes,
): Promise<BrowserSession> {
  const row = await ofAccount(db, account_id)
    .updateTable('browser_sessions')
    .set({
      ...others,
      ...(customer_id !== undefined && {
        customer_id: customer_id && (await getCustomerId(db, account_id, customer_id)),
      }),
      ...(metadata !== undefined && { metadata: toJson(metadata) }),
      updated_at: new Date().toISOString(),
    })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<SessionRow>()
    .executeTakeFirst()
  if (!row) throw new NotFound()
  return presentBrowserSession(row)
}

/** Deletes a session. */
export async function deleteSession({ db }: Change, account_id: string, id: string): Promise<void> {
  const { numDeletedRows } = await ofAccount(db, account_id)
    .deleteFrom('browser_sessions')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!numDeletedRows) throw new NotFound()
}
