import { sql, type Updateable } from 'kysely'
import type { Db } from '../db/change.ts'
import type { Database } from '../db/schema.ts'

/**
 * How long a claim on a row lasts. The server renews it while it works, so the rows of a killed server wait only this
 * long, however long the work takes.
 */
export const CLAIM_SECONDS = 60
const RENEW_MS = 20_000

/** Tables whose `taken_until` says until when a server has claimed a row. */
type ClaimedTable = 'inbound_events' | 'deliveries'

/** One try at a row. */
interface Try {
  account_id: string
  id: string
  tries: number
}

/** Renews a dispatcher's claims. Rows that another server has claimed since are left alone. */
export function claimRenewal(db: Db, table: ClaimedTable) {
  return {
    everyMs: RENEW_MS,
    async renew(running: Try[]): Promise<void> {
      await sql`
        update ${sql.table(table)} t set taken_until = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})
        from unnest(${running.map(({ account_id }) => account_id)}::uuid[], ${running.map(({ id }) => id)}::uuid[],
          ${running.map(({ tries }) => tries)}::int[]) as own (account_id, id, tries)
        where t.account_id = own.account_id and t.id = own.id and t.tries = own.tries and t.taken_until is not null`.execute(
        db,
      )
    },
  }
}

/** Releases rows that were claimed too early; `before` holds their earlier state. */
export async function releaseRows<
  Table extends ClaimedTable | 'webhook_deliveries',
  Row extends Pick<Try, 'account_id' | 'id'>,
>(db: Db, table: Table, taken: Row[], before: (row: Row) => Updateable<Database[Table]>): Promise<void> {
  for (const row of taken) {
    const columns = Object.entries(before(row)).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
    await sql`
      update ${sql.table(table)} set ${sql.join(columns)}
      where account_id = ${row.account_id} and id = ${row.id}`.execute(db)
  }
}
