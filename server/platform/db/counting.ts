import { type RawBuilder, sql } from 'kysely'

/** A condition on `account_id`: that account, or all accounts if none is given. */
export function isOfAccount(account_id: string | undefined): RawBuilder<boolean> {
  return account_id === undefined ? sql<boolean>`true` : sql<boolean>`account_id = ${account_id}`
}

/** The seconds since the earliest of some moments; 0 if there is none, or if it lies in the future. */
export function secondsSince(moment: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`greatest(0, coalesce(extract(epoch from clock_timestamp() - min(${moment})), 0))::float8`
}
