import { sql } from 'kysely'
import type { Db } from '../db/change.ts'
import { toJson } from '../db/to-json.ts'
import { DEAD } from './queues.ts'

/** Jobs of one name. */
export interface JobCount {
  name: string
  waiting: number
  running: number
  /** How many of them are dead. */
  failed: number
  oldest_seconds: number
  overdue_seconds: number
}

/** Unfinished and dead jobs by name, of one account or of all. Schedules count only while they run or are due. */
export async function countJobs(db: Db, account_id?: string): Promise<JobCount[]> {
  const isOurs = account_id === undefined ? sql`true` : sql`data @> ${toJson({ account_id })}::jsonb`
  const since = (moment: string, condition: string) =>
    sql.raw(
      `coalesce(greatest(0, extract(epoch from clock_timestamp() - min(${moment}) filter (where ${condition}))), 0)::float8`,
    )
  const waits = `state < 'active' and name <> '${DEAD}'`
  const { rows } = await sql<JobCount>`
    select case name when ${DEAD} then coalesce(source_name, name) else name end as name,
      (count(*) filter (where ${sql.raw(waits)}))::integer as waiting,
      (count(*) filter (where state = 'active'))::integer as running,
      (count(*) filter (where name = ${DEAD}))::integer as failed,
      ${since('created_on', waits)} as oldest_seconds,
      ${since('start_after', waits)} as overdue_seconds
    from jobs.job where state <= 'active' and ${isOurs}
    group by 1 order by 1`.execute(db)
  return rows
}
