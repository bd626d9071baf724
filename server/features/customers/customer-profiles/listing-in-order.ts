import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { BadRequest } from '../../../errors.ts'
import type { Db } from '../../../platform/db/change.ts'
import { all } from '../../conversations/search/conditions.ts'
import { loadCustomers } from '../customers/customers.ts'
import { CUSTOMERS, type Question } from './customer-query.ts'
import { expandList } from './profiles.ts'
import type { Sorting } from './sorting.ts'

/** Where a page begins or ends. */
interface Position {
  /** The customer's value; null for none. */
  value: string | null
  id: string
}

interface PageInOrder {
  after?: string | undefined
  before?: string | undefined
  page_size: number
}

/**
 * A page of customers in an order in which each page continues behind the last customer of the one before, so that nobody
 * is read twice or left out while others are added.
 * @param page `after` is the `next` of the page before, `before` the `previous` of the page behind
 * @throws BadRequest for any other text
 */
export async function listInOrder(
  db: Db,
  account_id: string,
  question: Question,
  sorting: Sorting,
  { after, before, page_size }: PageInOrder,
) {
  const isBackwards = before !== undefined
  const cursor = before ?? after
  const from = cursor === undefined ? undefined : readPosition(cursor, sorting)
  const conditions = [
    ...question.conditions,
    ...(question.hasKeys ? [question.hasKeys] : []),
    ...(from ? [isBeyond(sorting, from, isBackwards)] : []),
  ]
  const { rows } = await sql<Position>`
    select c.id, ${sorting.written} as value from ${CUSTOMERS} c
    where ${all(conditions)} order by ${orderOf(sorting, isBackwards)} limit ${page_size + 1}`.execute(db)
  const page = rows.slice(0, page_size)
  if (isBackwards) page.reverse()
  const [first, last] = [page[0], page.at(-1)]
  const hasMore = rows.length > page_size
  const ids = page.map(({ id }) => id)
  const customers = await loadCustomers(db, account_id, ids)
  const data = await expandList(
    db,
    account_id,
    ids.flatMap((id) => customers.get(id) ?? []),
  )
  return {
    data,
    next: last && (isBackwards || hasMore) ? writePosition(last) : null,
    previous: first && (isBackwards ? hasMore : from !== undefined) ? writePosition(first) : null,
  }
}

/** Those without a value come last in both directions. */
function orderOf({ key, isFilled, direction }: Sorting, isBackwards: boolean): RawBuilder<unknown> {
  const order = sql.raw((direction === 'asc') === isBackwards ? 'desc' : 'asc')
  if (isFilled) return sql`${key} ${order}, c.id ${order}`
  return sql`(${key}) is null ${sql.raw(isBackwards ? 'desc' : 'asc')}, ${key} ${order}, c.id ${order}`
}

function isBeyond(
  { key, type, isFilled, direction }: Sorting,
  { value, id }: Position,
  isBackwards: boolean,
): RawBuilder<SqlBool> {
  const than = sql.raw((direction === 'asc') === isBackwards ? '<' : '>')
  if (value === null) {
    const isAmongEmpty = sql<SqlBool>`(${key}) is null and c.id ${than} ${id}::uuid`
    return isBackwards ? sql<SqlBool>`((${key}) is not null or (${isAmongEmpty}))` : isAmongEmpty
  }
  const isFurther = sql<SqlBool>`(${key}, c.id) ${than} (${value}::${sql.raw(type)}, ${id}::uuid)`
  return isFilled || isBackwards ? isFurther : sql<SqlBool>`(${isFurther} or (${key}) is null)`
}

function writePosition({ value, id }: Position): string {
  return Buffer.from(`${id}${value === null ? '' : ` ${value}`}`).toString('base64url')
}

/** What a position may say, because the database would fail on anything else. */
const READABLE = {
  text: /^[^\0]{0,400}$/,
  float8: /^-?\d{1,20}(\.\d{1,20})?(e[+-]?\d{1,2})?$/,
  integer: /^\d{1,5}$/,
  timestamptz: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
} as const

function readPosition(text: string, { type }: Sorting): Position {
  const [, id, , value = null] =
    /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})( (.*))?$/s.exec(Buffer.from(text, 'base64url').toString()) ?? []
  const isReadable = value === null ? type !== 'timestamptz' : READABLE[type].test(value)
  const isTime = type !== 'timestamptz' || new Date(value ?? '').toJSON() === value
  if (!id || !isReadable || !isTime || value?.startsWith('0000')) {
    throw new BadRequest('The position of the page is invalid. Leave it out to begin with the first page.')
  }
  return { value, id }
}
