import { type RawBuilder, sql } from 'kysely'

/**
 * A value that PostgreSQL does not look at while it plans. Where it does, it goes on planning a prepared statement for each
 * value, if that seems to save anything, and planning a search takes longer than its execution.
 */
export function unplanned(value: string, type: 'tsquery' | 'timestamptz' | 'uuid'): RawBuilder<unknown> {
  return sql`(select ${value}::${sql.raw(type)})`
}
