import { sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'

/** Differences that do harm nowhere: signatures of other systems are valid for minutes, second factors for half of one. */
const TOLERATED_MS = 5_000

/**
 * How many milliseconds this machine's clock is ahead of the database's, negative if it is behind.
 * @returns undefined if the database took too long to tell
 */
export async function measureClock(db: Db): Promise<number | undefined> {
  const asked = Date.now()
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db)
  const answered = Date.now()
  // The database answered at some moment in between, so half of that time is the error.
  if (answered - asked > TOLERATED_MS) return undefined
  return Math.round((asked + answered) / 2 - rows[0]!.now)
}

/** A sentence for the log if the clock is off by more than is harmless. */
export function describeClock(aheadMs: number | undefined): string | undefined {
  if (aheadMs === undefined || Math.abs(aheadMs) <= TOLERATED_MS) return undefined
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  return `The clock of this server is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's. Correct it on the machine that is wrong, for example by NTP: signed identities, second factors and signed calls of other systems may be refused meanwhile, and sessions and planned work end or begin at the wrong time.`
}
