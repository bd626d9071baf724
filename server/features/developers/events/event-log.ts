import { sql } from 'kysely'
import type { Message } from '#contract/conversations/messages.ts'
import type { Event } from '#contract/events.ts'
import type { LoggedEvent } from '../../../feature.ts'
import type { Change, Db, Logged } from '../../../platform/db/change.ts'
import { answerTogether } from '../../../platform/db/load-together.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { type JsonText, toJson } from '../../../platform/db/to-json.ts'
import { audience } from './audience.ts'

/** How long a client may be offline and still receive only what it missed. */
const RETENTION_DAYS = 7
/** Rows are kept a little longer: their time is that at which their transaction began. */
const MARGIN_MS = 3_600_000
const PAGE = 500
/** Pages in one statement: its result stays below what the server can hold even if each page is full. */
const MAX_PAGES = 20
const PRUNE_BATCH = 10_000

/** Prepares appending events to the log in the transaction that announced them, and returns what does it. */
export function appendEvents(db: Change['db'], announced: LoggedEvent[]): () => Promise<Logged<Event>[]> {
  const insertion = db
    .insertInto('events')
    .values(
      announced.map(({ account_id, event, request_id }) => ({
        account_id,
        customer_id: audience(event).customer?.customer_id ?? null,
        event: toJson(event),
        request_id: request_id ?? null,
      })),
    )
    .returning('id')
  return async () => {
    const rows = await insertion.execute()
    return announced.map((entry, i) => ({ ...entry, log_id: rows[i]!.id }))
  }
}

type MessageIdentity = Pick<Message, 'account_id' | 'id' | 'created_at'>

/** Replaces a message in the log by its current version, so that clients catching up never see its earlier text. */
export async function replaceInLog({ db }: Pick<Change, 'db'>, message: Message): Promise<void> {
  await ofAccount(db, message.account_id)
    .updateTable('events')
    .set({ event: sql<JsonText>`jsonb_set(event, '{message}', ${toJson(message)}::jsonb)` })
    .where(isAboutMessage(message))
    .execute()
}

/** Removes a message from the log: clients catching up only learn that it was deleted. */
export async function removeFromLog({ db }: Pick<Change, 'db'>, message: MessageIdentity): Promise<void> {
  await ofAccount(db, message.account_id).deleteFrom('events').where(isAboutMessage(message)).execute()
}

/** A row's time is the start of its transaction, slightly before that of the message. */
function isAboutMessage({ id, created_at }: MessageIdentity) {
  return sql<boolean>`created_at > ${created_at}::timestamptz - interval '1 hour'
    and event -> 'message' ->> 'id' = ${id}`
}

interface Cursor {
  xid: string
  id: number
  /** Epoch seconds at which the cursor was issued. */
  at: number
  /** Between pages: the oldest open transaction when the first page was read. */
  oldestOpen?: string
}

export interface Missed {
  events: Event[]
  cursor: string
  more: boolean
  reset: boolean
}

/**
 * All events after a cursor, transaction by transaction, for a whole account or for what one customer may receive.
 *
 * Transactions get their ids when they first write but commit in any order. So the cursor never passes the oldest
 * open transaction; events committed beyond it are returned as well, and again next time. An event may thus come twice,
 * which clients tolerate, but is never skipped.
 */
export async function readEventsAfter(
  db: Db,
  account_id: string,
  cursor: string | undefined,
  options: { customer_id?: string; limit?: number } = {},
): Promise<Missed> {
  const from = cursor === undefined ? undefined : readCursor(cursor)
  const limit = Math.min(Math.max(options.limit ?? PAGE, 1), PAGE)
  const { customer_id } = options
  const read = customer_id === undefined ? readPage : readCustomerPage
  // One more than the page has, to know whether there are more.
  const { now, rows } = await read(db, { account_id, customer_id, from, limit: limit + 1 })
  if (cursor === undefined) return { events: [], cursor: writeCursor(now, 0), more: false, reset: false }
  if (!from || isTooOld(from) || BigInt(from.oldestOpen ?? from.xid) > BigInt(now)) {
    return { events: [], cursor: writeCursor(now, 0), more: false, reset: true }
  }
  const more = rows.length > limit
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const oldestOpen = from.oldestOpen ?? now
  return {
    events: page.map(({ event }) => event),
    cursor: more && last ? writeCursor(last.xid, last.id, oldestOpen) : writeCursor(oldestOpen, 0),
    more,
    reset: false,
  }
}

interface PageQuery {
  account_id: string
  /** The only customer whose events count. */
  customer_id?: string
  from: Cursor | undefined
  limit: number
}

interface LogPage {
  /** The oldest open transaction. */
  now: string
  rows: { xid: string; id: number; event: Event }[]
}

type PageRow = { now: string; xid: string | null; id: number; event: Event }

async function readPage(db: Db, { account_id, from, limit }: PageQuery): Promise<LogPage> {
  const { rows } = await sql<PageRow>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as now, missed.xid::text, missed.id, missed.event
    from (select) snapshot left join lateral (
      select xid, id, event from events
      where account_id = ${account_id} and (xid, id) > (${from?.xid ?? null}::xid8, ${from?.id ?? null}::bigint)
      order by xid, id limit ${limit}
    ) missed on true
    order by missed.xid, missed.id`.execute(db)
  return toPage(rows)
}

/** Thousands of customers' chats ask at once after a server died, so concurrent calls share a statement. */
const readCustomerPage = answerTogether(async (db: Db, queries: readonly PageQuery[]): Promise<LogPage[]> => {
  const column = <Value>(read: (query: PageQuery) => Value) => queries.map(read)
  const { rows } = await sql<PageRow & { place: number }>`
    select query.place::int, pg_snapshot_xmin(pg_current_snapshot())::text as now,
      missed.xid::text, missed.id, missed.event
    from unnest(
      ${column(({ account_id }) => account_id)}::uuid[], ${column(({ customer_id }) => customer_id)}::uuid[],
      ${column(({ from }) => from?.xid ?? null)}::xid8[], ${column(({ from }) => from?.id ?? null)}::bigint[],
      ${column(({ limit }) => limit)}::int[]
    ) with ordinality as query (account_id, customer_id, xid, id, most, place)
    left join lateral (
      select xid, id, event from events
      where events.account_id = query.account_id and events.customer_id = query.customer_id
        and (events.xid, events.id) > (query.xid, query.id)
      order by xid, id limit query.most
    ) missed on true
    order by query.place, missed.xid, missed.id`.execute(db)
  const byPlace = Map.groupBy(rows, ({ place }) => place)
  return queries.map((_, i) => toPage(byPlace.get(i + 1)!))
}, MAX_PAGES)

function toPage(rows: PageRow[]): LogPage {
  return { now: rows[0]!.now, rows: rows.flatMap(({ xid, id, event }) => (xid === null ? [] : [{ xid, id, event }])) }
}

/** A cursor after all events of transactions with smaller ids. */
export function cursorAt(xid: string): string {
  return writeCursor(xid, 0)
}

/**
 * Deletes events that are older than clients may request and were read by these consumers. Consumers removed in this
 * version do not count, because they would keep the log for ever. Runs every hour.
 */
export async function pruneEvents(db: Db, consumers: string[]): Promise<void> {
  const before = new Date(Date.now() - RETENTION_DAYS * 86_400_000 - MARGIN_MS).toISOString()
  for (;;) {
    const { numDeletedRows } = await acrossAccounts(db, 'looks after all accounts at once')
      .deleteFrom('events')
      .where(
        sql<boolean>`ctid = any (array(select ctid from (
          select ctid, created_at, xid from events order by xid, id limit ${PRUNE_BATCH}
        ) oldest where created_at < ${before}
          and xid < all (select xid from event_followers where name = any(${consumers}))))`,
      )
      .executeTakeFirst()
    if (numDeletedRows < PRUNE_BATCH) return
  }
}

/**
 * After a database was copied to another PostgreSQL, its transaction ids start anew, so the log's ids lie in the future
 * and consumers would skip new events. Deletes what every consumer has read, and assigns current ids to the rest.
 * Changes nothing in the original database.
 */
export async function renumberLog({ db }: Change): Promise<void> {
  // Servers that start at the same time wait for each other here.
  const consumers = await db.selectFrom('event_followers').select('name').forUpdate().execute()
  const isAhead = sql<boolean>`xid >= pg_snapshot_xmax(pg_current_snapshot())`
  await acrossAccounts(db, 'looks after all accounts at once')
    .deleteFrom('events')
    .where(isAhead)
    .where(sql<boolean>`not (xid, id) > any (select xid, id from event_followers)`)
    .execute()
  await acrossAccounts(db, 'looks after all accounts at once')
    .updateTable('events')
    .set({ xid: sql<string>`pg_current_xact_id()` })
    .where(isAhead)
    .execute()
  if (consumers.length === 0) return
  await db
    .updateTable('event_followers')
    .set({ xid: await readOldestOpenTransaction(db), id: 0 })
    .where(isAhead)
    .execute()
}

/** The id of the oldest open transaction: all smaller ones have ended. */
async function readOldestOpenTransaction(db: Db): Promise<string> {
  const { rows } = await sql<{ xid: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`.execute(db)
  return rows[0]!.xid
}

function writeCursor(xid: string, id: number, oldestOpen?: string): string {
  const at = Math.floor(Date.now() / 1000)
  return [xid, id, at, ...(oldestOpen ? [oldestOpen] : [])].join('.')
}

function readCursor(cursor: string): Cursor | undefined {
  const [, xid, id, at, oldestOpen] = /^(\d{1,19})\.(\d{1,15})\.(\d{1,11})(?:\.(\d{1,19}))?$/.exec(cursor) ?? []
  return xid === undefined ? undefined : { xid, id: Number(id), at: Number(at), oldestOpen }
}

function isTooOld({ at }: Cursor): boolean {
  return at < Date.now() / 1000 - RETENTION_DAYS * 86_400
}
