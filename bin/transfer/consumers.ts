import type pg from 'pg'
import type { Table } from './tables.ts'

/**
 * Events that some consumer has not read yet: usually those of the last moment. Positions in the log are numbers of one
 * database, so only the order is transferred.
 */
export const UNREAD_EVENTS: Table = {
  name: 'events',
  columns: ['account_id', 'customer_id', 'event', 'created_at'],
  key: ['xid', 'id'],
  only: '(xid, id) > any (select xid, id from event_followers)',
}

/** The consumers, and how many events each is behind. */
export const CONSUMERS: Table = {
  name: 'event_followers',
  columns: ['name', 'behind'],
  key: ['name'],
  from: `(select f.name, (select count(*) from events e where (e.xid, e.id) > (f.xid, f.id)) as behind
          from event_followers f) f`,
}

/**
 * Puts each consumer as many imported events behind as it was. If a server has started before, their rows exist
 * already.
 */
export async function placeConsumers(client: pg.Client, rows: string[]): Promise<void> {
  await client.query(
    `insert into event_followers (name, xid, id)
     select f.name, coalesce(e.xid, pg_snapshot_xmin(pg_current_snapshot())), coalesce(e.id, 0)
     from json_to_recordset($1::json) as f (name text, behind integer)
     left join lateral (select xid, id from events order by xid desc, id desc offset f.behind limit 1) e on true
     on conflict (name) do update set xid = excluded.xid, id = excluded.id`,
    [`[${rows.join(',')}]`],
  )
}

/** Puts consumers missing in the file after the imported events, as a new consumer starts after existing ones. */
export async function placeOtherConsumers(client: pg.Client, imported: string[]): Promise<void> {
  await client.query(
    `update event_followers set xid = pg_current_xact_id(), id = (select coalesce(max(id), 0) from events)
     where not name = any ($1)`,
    [imported],
  )
}
