import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

/** How far a consumer is behind: the age of its oldest unread event. */
export interface ConsumerLag {
  name: string
  seconds: number
}

/** The lag of each consumer. */
export async function readConsumerLag({ countingDb, eventLog }: Context): Promise<ConsumerLag[]> {
  const { rows } = await sql<ConsumerLag>`
    select f.name, greatest(0, coalesce(extract(epoch from clock_timestamp() - e.created_at), 0))::float8 as seconds
    from event_followers f left join lateral (
      select created_at from events where (xid, id) > (f.xid, f.id) order by xid, id limit 1
    ) e on true
    where f.name = any(${eventLog.consumers()})
    order by f.name`.execute(countingDb)
  return rows
}
