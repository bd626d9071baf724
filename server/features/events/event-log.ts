import { sql } from 'kysely'
import type { Event } from '#contract/events.ts'
import type { Message } from '#contract/messages.ts'
import type { Announced, Change, Db, Logged } from '../../platform/db/change.ts'

/** How long a client may be away and still be told only what it missed. */
const KEPT_DAYS = 7
const PAGE = 500
const PRUNE_BATCH = 10_000

/** Writes what was announced into the log, in the transaction that it speaks of. */
export async function recordEvents(
  db: Change['db'],
  announced: Announced[],
  customerOf: (event: Event) => string | null,
): Promise<Logged[]> {
  const rows = await db
    .insertInto('events')
    .values(
      announced.map(({ account_id, event }) => ({
        account_id,
        customer_id: customerOf(event),
        event: JSON.stringify(event),
      })),
    )
    .returning('id')
    .execute()
  return announced.map((one, i) => ({ ...one, log_id: rows[i]!.id }))
}

type MessageIdentity = Pick<Message, 'account_id' | 'id' | 'created_at'>

/** Lets the log tell a message as it is now: whoever was away never hears what it said before. */
export async function retellMessage({ db }: Pick<Change, 'db'>, message: Message): Promise<void> {
  await db
    .updateTable('events')
    .set({ event: sql<string>`jsonb_set(event, '{message}', ${JSON.stringify(message)}::jsonb)` })
    .where(tellsOf(message))
    .execute()
}

/** Takes a message out of the log: whoever was away hears only that it is gone. */
export async function forgetMessage({ db }: Pick<Change, 'db'>, message: MessageIdentity): Promise<void> {
  await db.deleteFrom('events').where(tellsOf(message)).execute()
}

/** A row bears the time at which its transaction began, which is a little earlier than the message in it. */
function tellsOf({ account_id, id, created_at }: MessageIdentity) {
  return sql<boolean>`account_id = ${account_id} and created_at > ${created_at}::timestamptz - interval '1 hour'
    and event -> 'message' ->> 'id' = ${id}`
}

interface Position {
  xid: string
  id: number
  /** Epoch seconds when the cursor was handed out. */
  at: number
  /** Between pages: the horizon when the first page was read. */
  horizon?: string
}

export interface Missed {
  events: Event[]
  cursor: string
  more: boolean
  reset: boolean
}

/**
 * Everything after a cursor, transaction by transaction, for a whole account or for what one customer may hear.
 *
 * Transactions are numbered when they first write but commit in any order. So the cursor never passes the horizon, the
 * oldest transaction still open; what has already committed beyond it is told as well, and told again next time. An
 * event may thus be heard twice, which clients do not mind, but is never skipped.
 */
export async function readEventsAfter(
  db: Db,
  account_id: string,
  cursor: string | undefined,
  options: { customer_id?: string; limit?: number } = {},
): Promise<Missed> {
  const now = await readHorizon(db)
  const from = cursor === undefined ? undefined : readCursor(cursor)
  if (cursor === undefined) return { events: [], cursor: writeCursor(now, 0), more: false, reset: false }
  if (!from || isTooOld(from) || BigInt(from.horizon ?? from.xid) > BigInt(now)) {
    return { events: [], cursor: writeCursor(now, 0), more: false, reset: true }
  }
  const limit = Math.min(Math.max(options.limit ?? PAGE, 1), PAGE)
  const rows = await db
    .selectFrom('events')
    .select(['xid', 'id', 'event'])
    .where('account_id', '=', account_id)
    .$if(!!options.customer_id, (query) => query.where('customer_id', '=', options.customer_id!))
    .where(sql<boolean>`(xid, id) > (${from.xid}::xid8, ${from.id})`)
    .orderBy('xid')
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  const more = rows.length > limit
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const horizon = from.horizon ?? now
  return {
    events: page.map((row) => row.event as unknown as Event),
    cursor: more && last ? writeCursor(last.xid, last.id, horizon) : writeCursor(horizon, 0),
    more,
    reset: false,
  }
}

/** A cursor for whoever has heard everything of the transactions below one. */
export function cursorAt(xid: string): string {
  return writeCursor(xid, 0)
}

/**
 * Drops what is older than a client may ask for and was looked after by these followers. One that this version no longer
 * has would keep the log for ever. Runs every hour.
 */
export async function pruneEvents(db: Db, followers: string[]): Promise<void> {
  const before = new Date(Date.now() - (KEPT_DAYS + 1) * 86_400_000).toISOString()
  for (;;) {
    const { numDeletedRows } = await db
      .deleteFrom('events')
      .where(
        sql<boolean>`ctid = any (array(select ctid from (
          select ctid, created_at, xid from events order by xid, id limit ${PRUNE_BATCH}
        ) oldest where created_at < ${before}
          and xid < all (select xid from event_followers where name = any(${followers}))))`,
      )
      .executeTakeFirst()
    if (numDeletedRows < PRUNE_BATCH) return
  }
}

/**
 * A database that was copied to another PostgreSQL counts its transactions anew there, so its log lies in the future:
 * everybody would seem to have read what has yet to happen. What was looked after is dropped, the rest is told again as of
 * now. Changes nothing where the log is at home.
 */
export async function renumberLog({ db }: Change): Promise<void> {
  // Servers that start at once come one after the other.
  const followers = await db.selectFrom('event_followers').select('name').forUpdate().execute()
  const isAhead = sql<boolean>`xid >= pg_snapshot_xmax(pg_current_snapshot())`
  await db
    .deleteFrom('events')
    .where(isAhead)
    .where(sql<boolean>`not (xid, id) > any (select xid, id from event_followers)`)
    .execute()
  await db.updateTable('events').set({ xid: sql<string>`pg_current_xact_id()` }).where(isAhead).execute()
  if (followers.length === 0) return
  await db
    .updateTable('event_followers')
    .set({ xid: await readHorizon(db), id: 0 })
    .where(isAhead)
    .execute()
}

/** The oldest transaction that has not ended: everything numbered below it is settled. */
export async function readHorizon(db: Db): Promise<string> {
  const { rows } = await sql<{ xid: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`.execute(db)
  return rows[0]!.xid
}

function writeCursor(xid: string, id: number, horizon?: string): string {
  const at = Math.floor(Date.now() / 1000)
  return [xid, id, at, ...(horizon ? [horizon] : [])].join('.')
}

function readCursor(cursor: string): Position | undefined {
  const [, xid, id, at, horizon] = /^(\d{1,19})\.(\d{1,15})\.(\d{1,11})(?:\.(\d{1,19}))?$/.exec(cursor) ?? []
  return xid === undefined ? undefined : { xid, id: Number(id), at: Number(at), horizon }
}

function isTooOld({ at }: Position): boolean {
  return at < Date.now() / 1000 - KEPT_DAYS * 86_400
}
