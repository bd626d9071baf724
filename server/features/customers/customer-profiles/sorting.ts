import { type RawBuilder, sql } from 'kysely'
import type { CustomerOrder, SortDirection } from '#contract/customers/customer-profiles.ts'
import { BadRequest } from '../../../errors.ts'
import type { Db } from '../../../platform/db/change.ts'
import { listAttributes } from '../attributes/definitions.ts'
import { dayIn, numberOf, textOf } from '../attributes/stored-values.ts'

/** By what customers are sorted. */
export interface Sorting {
  /** Of a row with the alias `c`. */
  key: RawBuilder<unknown>
  type: 'text' | 'float8' | 'integer' | 'timestamptz'
  /** The key as text, from which `type` reads it again. */
  written: RawBuilder<string | null>
  /** Whether every customer has a value; those without one come last in both directions. */
  isFilled: boolean
  direction: SortDirection
}

/** Longer texts are compared by their beginning, so that the position of a page fits into an address. */
const COMPARED = 80

/** @param attribute with `order=attribute`: its key. One that is not defined is sorted as text, as it is compared elsewhere. */
export async function chooseSorting(
  db: Db,
  account_id: string,
  { order, attribute, direction }: { order: CustomerOrder; attribute?: string | undefined; direction: SortDirection },
): Promise<Sorting> {
  if (order === 'created') return byTime('created_at', direction)
  if (order === 'last_seen') return byTime('last_seen_at', direction)
  // As in the list: the name, else the address, else the number.
  if (order === 'name') {
    return byText(sql`coalesce(nullif(btrim(c.name), ''), nullif(c.email, ''), nullif(c.phone, ''))`, direction)
  }
  if (!attribute) throw new BadRequest('Name the attribute by which to sort in `attribute`.')
  return byAttribute(db, account_id, attribute, direction)
}

async function byAttribute(db: Db, account_id: string, key: string, direction: SortDirection): Promise<Sorting> {
  const definition = (await listAttributes(db, account_id, 'customer')).find((attribute) => attribute.key === key)
  const text = textOf(sql.ref('c.metadata'), key)
  switch (definition?.kind) {
    case 'number':
      return plain(numberOf(text), 'float8', direction)
    case 'date':
      return plain(sql`${dayIn(text)} collate "C"`, 'text', direction)
    case 'yes_no':
      return plain(
        sql`case when lower(${text}) in ('true', 'yes', '1') then 1 when lower(${text}) in ('false', 'no', '0') then 0 end`,
        'integer',
        direction,
      )
    case 'choice': {
      // In the order in which the team has listed them.
      const choices = definition.choices.map((choice) => choice.toLowerCase())
      return plain(sql`array_position(${choices}::text[], lower(${text}))`, 'integer', direction)
    }
    default:
      return byText(text, direction)
  }
}

function byTime(column: 'created_at' | 'last_seen_at', direction: SortDirection): Sorting {
  const key = sql.ref(`c.${column}`)
  const written = sql<string>`to_char(${key} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return { key, type: 'timestamptz', written, isFilled: true, direction }
}

/** Without regard to case and accents. Folding accents is slow, and most texts have none. */
function byText(text: RawBuilder<unknown>, direction: SortDirection): Sorting {
  const begin = sql`left(${text}, ${sql.lit(COMPARED)})`
  const folded = sql`case when octet_length(${begin}) = length(${begin}) then lower(${begin}) else fold_text(${begin}) end`
  return plain(sql`(${folded}) collate "C"`, 'text', direction)
}

function plain(key: RawBuilder<unknown>, type: Sorting['type'], direction: SortDirection): Sorting {
  return { key, type, written: sql`(${key})::text`, isFilled: false, direction }
}
