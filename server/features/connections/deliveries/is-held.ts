import { type RawBuilder, sql } from 'kysely'

/** The problem shown for a held delivery. */
export const HELD_PROBLEM =
  'It waited for more than a day until its connection worked again. Send it or discard it: it is not sent automatically.'

/**
 * SQL condition: whether a delivery had waited for more than a day when its connection was reconnected. A reply of last
 * week may be outdated, so a person decides. `table` is the query's name for the deliveries.
 */
export function isHeld(table: string): RawBuilder<boolean> {
  const d = sql.ref(table)
  return sql<boolean>`(${d}.state = 'waiting' and exists (
    select from authorizations held_by where held_by.account_id = ${d}.account_id and held_by.id = ${d}.authorization_id
      and ${d}.begun_at < held_by.connected_at - interval '1 day'))`
}
