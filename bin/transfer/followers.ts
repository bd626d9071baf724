import type pg from 'pg'
import type { Table } from './tables.ts'

/**
 * Events that something follows from and that nobody has looked after yet: usually those of the last moment. The log
 * counts in the numbers of its database, so only their order is carried over.
 */
export const UNFOLLOWED: Table = {
  name: 'events',
  columns: ['account_id', 'customer_id', 'event', 'created_at'],
  key: ['xid', 'id'],
  only: '(xid, id) > any (select xid, id from event_followers)',
}

/** Who follows, and how many events behind. */
export const FOLLOWERS: Table = {
  name: 'event_followers',
  columns: ['name', 'behind'],
  key: ['name'],
  from: `(select f.name, (select count(*) from events e where (e.xid, e.id) > (f.xid, f.id)) as behind
          from event_followers f) f`,
}

/** Puts each as far behind the events that came along as it was. */
export async function insertFollowers(client: pg.Client, rows: string[]): Promise<void> {
  await client.query(
    `insert into event_followers (name, xid, id)
     select f.name, coalesce(e.xid, pg_snapshot_xmin(pg_current_snapshot())), coalesce(e.id, 0)
     from json_to_recordset($1::json) as f (name text, behind integer)
     left join lateral (select xid, id from events order by xid desc, id desc offset f.behind limit 1) e on true`,
    [`[${rows.join(',')}]`],
  )
}
