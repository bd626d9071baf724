import { type RawBuilder, sql } from 'kysely'

/** A condition on `account_id`: of one account, or of all where none is named. */
export function ofAccount(account_id: string | undefined): RawBuilder<boolean> {
  return account_id === undefined ? sql<boolean>`true` : sql<boolean>`account_id = ${account_id}`
}

/** The seconds since the earliest of some moments; 0 where there are none, or where it is yet to come. */
export function secondsSince(moment: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`greatest(0, coalesce(extract(epoch from clock_timestamp() - min(${moment})), 0))::float8`
}
