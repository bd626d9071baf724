import { sql } from 'kysely'
import { type Availability, availabilityUpdated } from '#contract/accounts/availability.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** Somebody is present until this many seconds after they were last seen. Their dashboard reports more often. */
export const PRESENT_SECONDS = 120
/** A report within this many seconds of the one before changes nothing, so that several tabs cost no more than one. */
const REPORT_SECONDS = 30

const columns = ['user_id', 'away_at', 'last_present_at'] as const

/** The availability of all users who have ever been present or away. */
export async function listAvailability(db: Db, account_id: string): Promise<Availability[]> {
  return ofAccount(db, account_id).selectFrom('user_availability').select(columns).orderBy('user_id').execute()
}

/** Sets whether a user is away. Repeating it keeps the time since when they are. */
export async function setAway(
  change: Change,
  account_id: string,
  user_id: number,
  isAway: boolean,
): Promise<Availability> {
  const away_at = isAway ? sql<string>`coalesce(user_availability.away_at, clock_timestamp())` : null
  const availability = await change.db
    .insertInto('user_availability')
    .values({ account_id, user_id, away_at: isAway ? sql<string>`clock_timestamp()` : null })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doUpdateSet({ away_at }))
    .returning(columns)
    .executeTakeFirstOrThrow()
  change.announce(account_id, availabilityUpdated, { availability })
  return availability
}

/**
 * A user uses the dashboard now. Announced only if they were absent before. Times are the database's, so servers whose
 * clocks differ agree.
 */
export async function reportPresence(change: Change, account_id: string, user_id: number): Promise<void> {
  const absence = await readAbsence(change.db, account_id, user_id)
  if (absence < REPORT_SECONDS) return
  const last_present_at = sql<string>`clock_timestamp()`
  const availability = await change.db
    .insertInto('user_availability')
    .values({ account_id, user_id, last_present_at })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doUpdateSet({ last_present_at }))
    .returning(columns)
    .executeTakeFirstOrThrow()
  if (absence > PRESENT_SECONDS) change.announce(account_id, availabilityUpdated, { availability })
}

/** Seconds since a user was last present; infinity if never. */
async function readAbsence(db: Db, account_id: string, user_id: number): Promise<number> {
  const row = await ofAccount(db, account_id)
    .selectFrom('user_availability')
    .select(sql<number | null>`extract(epoch from clock_timestamp() - last_present_at)::float8`.as('seconds'))
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.seconds ?? Number.POSITIVE_INFINITY
}

/** Notes that a user was given a conversation automatically: others have their turn first. */
export async function noteTurn({ db }: Change, account_id: string, user_id: number): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('user_availability')
    .set({ last_assigned_at: sql<string>`clock_timestamp()` })
    .where('user_id', '=', user_id)
    .execute()
}
