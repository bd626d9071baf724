import { sql } from 'kysely'
import type { Event } from '#contract/events.ts'
import type { Db, Logged } from '../../../platform/db/change.ts'

/** The position of an event in the log. */
export interface LogEntry {
  account_id: string
  xid: string
  id: number
}

/**
 * The positions of all events committed since a snapshot of the database, each exactly once regardless of the order of
 * commits, and the snapshot for the next call. Without a snapshot: only the current one.
 */
export async function readCommittedSince(
  db: Db,
  snapshot: string | undefined,
): Promise<{ snapshot: string; entries: LogEntry[] }> {
  const [, xmax, open = ''] = snapshot?.split(':') ?? []
  // One statement, because it must be one snapshot. Transactions invisible to a snapshot began after it or were still
  // open.
  const { rows } = await sql<{ snapshot: string; entries: [string, string, number][] }>`
    select pg_current_snapshot()::text as snapshot, (
      select coalesce(json_agg(json_build_array(account_id, xid::text, id) order by xid, id), '[]') from events
      where xid >= ${xmax ?? null}::xid8 or xid = any(${open.split(',').filter(Boolean)}::xid8[])
    ) as entries`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The query returned no row.')
  return { snapshot: row.snapshot, entries: row.entries.map(([account_id, xid, id]) => ({ account_id, xid, id })) }
}

/** All transactions with smaller ids are visible in the snapshot. */
export function oldestOpenIn(snapshot: string): string {
  return snapshot.slice(0, snapshot.indexOf(':'))
}

/** The events at these positions, in order, without those deleted from the log since. */
export async function readEntries(db: Db, entries: LogEntry[]): Promise<Logged<Event>[]> {
  const { rows } = await sql<{ account_id: string; log_id: number; event: Event }>`
    select e.account_id, e.id as log_id, e.event
    from unnest(${entries.map((entry) => entry.account_id)}::uuid[], ${entries.map((entry) => entry.xid)}::xid8[],
      ${entries.map((entry) => entry.id)}::bigint[]) as wanted (account_id, xid, id)
    join events e using (account_id, xid, id)
    order by e.xid, e.id`.execute(db)
  return rows
}
