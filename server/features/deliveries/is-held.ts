import { type RawBuilder, sql } from 'kysely'

/** The problem that people see on such a delivery. */
export const HELD_PROBLEM =
  'It waited for over a day until its connection worked again. Send it, or discard it: nobody else will.'

/**
 * Whether a delivery had waited for over a day when its connection was made again: an answer of last week may no longer be one, so a
 * person decides. `table` is the name by which the query knows the deliveries.
 */
export function isHeld(table: string): RawBuilder<boolean> {
  const d = sql.ref(table)
  return sql<boolean>`(${d}.state = 'waiting' and exists (
    select from authorizations held_by where held_by.account_id = ${d}.account_id and held_by.id = ${d}.authorization_id
      and ${d}.begun_at < held_by.connected_at - interval '1 day'))`
}
