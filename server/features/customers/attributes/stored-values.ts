import { type RawBuilder, sql } from 'kysely'
import { NUMBER } from '#contract/conversations/attribute-conditions.ts'
import { DAY } from '#contract/customers/attribute-values.ts'

// How the database reads a value that is stored in metadata, where websites store what they like.

type Sql<T> = RawBuilder<T>

/** Characters around a value that do not count. */
export const BLANKS = ' \t\n\r'

/** The value of a key as text; null for none, lists and objects. */
export function textOf(metadata: Sql<unknown>, key: string): Sql<string | null> {
  return sql`case when jsonb_typeof(${metadata} -> ${key}::text) in ('string', 'number', 'boolean')
    then nullif(btrim(${metadata} ->> ${key}::text, ${BLANKS}), '') end`
}

/** Null for what is no number, which would end the query if it were converted. */
export function numberOf(text: Sql<string | null>): Sql<number | null> {
  return sql`case when ${text} ~ ${NUMBER.source} then (${text})::float8 end`
}

/** The day that a value begins with; null for what is none, such as 30 February. */
export function dayIn(text: Sql<string | null>): Sql<string | null> {
  const day = sql`substring(${text} from ${`(?i)${DAY.source}`})`
  const part = (from: number, length: number) => sql`substr(${day}, ${sql.lit(from)}, ${sql.lit(length)})::integer`
  const [year, month, date] = [part(1, 4), part(6, 2), part(9, 2)]
  return sql`case when ${year} > 0 and ${month} between 1 and 12 and ${date} > 0 then
    case when ${date} <= extract(day from make_date(${year}, ${month}, 1) + interval '1 month - 1 day') then ${day} end end`
}
