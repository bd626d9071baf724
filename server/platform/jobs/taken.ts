import { sql, type Updateable } from 'kysely'
import type { Db } from '../db/change.ts'
import type { Database } from '../db/schema.ts'

/**
 * How long a server that takes a row has it for itself. It renews that while it works, so what a killed server had taken waits
 * this long and no longer, however long the work may take.
 */
export const TAKEN_SECONDS = 60
const RENEW_MS = 20_000

/** Tables whose `taken_until` says until when a server works on a row. */
type Taken = 'inbound_events' | 'deliveries'

/** One try at a row. */
interface Try {
  account_id: string
  id: string
  tries: number
}

/** How a dispatcher keeps what it works on. Rows that another server has begun since stay as they are. */
export function renewing(db: Db, table: Taken) {
  return {
    everyMs: RENEW_MS,
    async renew(under_way: Try[]): Promise<void> {
      await sql`
        update ${sql.table(table)} t set taken_until = clock_timestamp() + make_interval(secs => ${TAKEN_SECONDS})
        from unnest(${under_way.map(({ account_id }) => account_id)}::uuid[], ${under_way.map(({ id }) => id)}::uuid[],
          ${under_way.map(({ tries }) => tries)}::int[]) as own (account_id, id, tries)
        where t.account_id = own.account_id and t.id = own.id and t.tries = own.tries and t.taken_until is not null`.execute(
        db,
      )
    },
  }
}

/** Gives back rows that were taken and are not to be worked on yet; `before` says how each was. */
export async function releaseRows<
  Table extends Taken | 'webhook_deliveries',
  Row extends Pick<Try, 'account_id' | 'id'>,
>(db: Db, table: Table, taken: Row[], before: (row: Row) => Updateable<Database[Table]>): Promise<void> {
  for (const row of taken) {
    const columns = Object.entries(before(row)).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
    await sql`
      update ${sql.table(table)} set ${sql.join(columns)}
      where account_id = ${row.account_id} and id = ${row.id}`.execute(db)
  }
}
