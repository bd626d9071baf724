import { type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  CUSTOMER_COUNT_LIMIT as COUNT_LIMIT,
  type CustomerFilters,
  type CustomerOrder,
  type CustomerProfile,
  type SortDirection,
} from '#contract/customers/customer-profiles.ts'
import type { PageRequest } from '#contract/wire.ts'
import type { Db } from '../../../platform/db/change.ts'
import type { Realtime } from '../../../platform/realtime/realtime.ts'
import { topicKey } from '../../../platform/realtime/topic-key.ts'
import { all } from '../../conversations/search/conditions.ts'
import { loadCustomers } from '../customers/customers.ts'
import { buildQuestion, CUSTOMERS, type Question, type Source, sourceOf } from './customer-query.ts'
import { listInOrder } from './listing-in-order.ts'
import { expandList } from './profiles.ts'
import { chooseSorting } from './sorting.ts'

const PAGE_SIZE = 10
const PAGE_LIMIT = 100
/** Online customers are sorted at once; beyond this number the rest are sorted by when they were last seen. */
const ONLINE_LIMIT = 5_000
/** With at least this many matches, the customers seen last are scanned first: this many of them. */
const MANY = 500
const WALK = 3_000
/** Number of customers with a tag that are sampled to see whether the words are common among them. */
const SAMPLE = 500
const COMMON = SAMPLE / 20

interface Page extends PageRequest {
  order?: CustomerOrder | 'seen' | undefined
  attribute?: string | undefined
  direction?: SortDirection | undefined
  after?: string | undefined
  before?: string | undefined
}

/**
 * One page of customers: those online first, then by when they were last seen; or in another order.
 * @throws BadRequest if `after` is not the `next` of a page, or `before` not the `previous` of one
 */
export async function listCustomers(
  { db, realtime }: { db: Db; realtime: Realtime },
  account_id: string,
  filters: CustomerFilters,
  { order = 'seen', attribute, direction = 'asc', after, before, ...range }: Page,
) {
  const page_size = Math.min(Math.max(range.page_size ?? range.limit ?? PAGE_SIZE, 1), PAGE_LIMIT)
  const page_number = Math.min(Math.max(range.page ?? 1, 1), Math.ceil(COUNT_LIMIT / page_size))
  const numbers = { page_number, page_size }
  const built = buildQuestion(account_id, filters)
  const isSeen = order === 'seen'
  if (!built) {
    const none = { data: [], ...numbers, total_pages: 1, total_entries: 0 }
    return isSeen ? none : { ...none, next: null, previous: null }
  }
  const question = await chooseWay(db, built)
  const total = await count(db, question)
  if (!isSeen) {
    const sorting = await chooseSorting(db, account_id, { order, attribute, direction })
    const page = await listInOrder(db, account_id, built, sorting, { after, before, page_size })
    return { ...page, ...numbers, total_pages: Math.max(1, Math.ceil(total / page_size)), total_entries: total }
  }
  const online = await listOnline(realtime, account_id)
  const ids = await readPage(db, question, online, total, { offset: (page_number - 1) * page_size, limit: page_size })
  const customers = await loadCustomers(db, account_id, ids)
  const data: CustomerProfile[] = await expandList(
    db,
    account_id,
    ids.flatMap((id) => customers.get(id) ?? []),
  )
  return { data, ...numbers, total_pages: Math.max(1, Math.ceil(total / page_size)), total_entries: total }
}

async function listOnline(realtime: Realtime, account_id: string): Promise<string[]> {
  const presences = await realtime.presence.list(topicKey(account_id, `notification:${account_id}`))
  const keys = Object.keys(presences).filter((key) => key.startsWith('customer:'))
  return keys.slice(0, ONLINE_LIMIT).map((key) => key.slice('customer:'.length))
}

/**
 * Customers with tags and words are searched among those with the tag if these are few, if many of them match the
 * words, or if nearly everybody does; else among those who match the words.
 */
async function chooseWay(db: Db, question: Question): Promise<Question> {
  const { tagged, hasKeys, conditions } = question
  if (!tagged || !hasKeys) return question
  const { rows } = await sql<{ seen: number; matching: number }>`
    select count(*)::int as seen, count(*) filter (where ${all(tagged.conditions)})::int as matching
    from (select * from ${tagged.rows} latest order by last_seen_at desc, id desc limit ${SAMPLE}) c`.execute(db)
  const { seen, matching } = rows[0]!
  const amongTagged = { ...question, hasKeys: undefined }
  const amongAll = { ...question, tagged: undefined }
  if (seen < SAMPLE || matching >= COMMON) return amongTagged
  const [isListed] = conditions
  const withWords = await countRows(db, { rows: CUSTOMERS, conditions: [hasKeys, isListed!] })
  return withWords < COUNT_LIMIT ? amongAll : amongTagged
}

function count(db: Db, question: Question): Promise<number> {
  const { rows, conditions } = sourceOf(question)
  return countRows(db, { rows, conditions: question.hasKeys ? [question.hasKeys, ...conditions] : conditions })
}

async function countRows(db: Db, { rows: from, conditions }: Source): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from (select from ${from} c where ${all(conditions)} limit ${COUNT_LIMIT}) matching`.execute(db)
  return rows[0]?.count ?? 0
}

interface PageRange {
  offset: number
  limit: number
}

/** The ids of one page: first online customers, then the others. */
async function readPage(
  db: Db,
  question: Question,
  online: string[],
  total: number,
  range: PageRange,
): Promise<string[]> {
  const { offset, limit } = range
  const from = sourceOf(question)
  const isPresent = sql<SqlBool>`c.id = any(${online}::uuid[])`
  const onlineIds = online.length === 0 ? [] : await readIds(db, from, [isPresent], { offset: 0, limit: ONLINE_LIMIT })
  const first = onlineIds.slice(offset, offset + limit)
  if (first.length === limit) return first
  const elsewhere = online.length === 0 ? [] : [sql<SqlBool>`c.id <> all(${online}::uuid[])`]
  const remaining = { offset: Math.max(0, offset - onlineIds.length), limit: limit - first.length }
  return [...first, ...(await readOthers(db, question, elsewhere, total, remaining))]
}

/**
 * Few matches of words are read from the word index and sorted. With many, a page is filled quickly by walking from the
 * customer seen last; if all were seen long ago, the index is used after all, unless there are too many to sort.
 */
async function readOthers(
  db: Db,
  question: Question,
  elsewhere: RawBuilder<SqlBool>[],
  total: number,
  range: PageRange,
): Promise<string[]> {
  const { account_id, conditions, hasKeys } = question
  const from = sourceOf(question)
  if (!hasKeys || total >= COUNT_LIMIT) return readIds(db, from, elsewhere, range)
  if (total >= MANY) {
    const rows = sql`(select * from customers where account_id = ${account_id} and merged_into is null
      and deleted_at is null order by last_seen_at desc, id desc limit ${WALK})`
    const ids = await readIds(db, { rows, conditions }, elsewhere, range)
    if (ids.length === range.limit) return ids
  }
  return readIds(db, from, [hasKeys, ...elsewhere], range)
}

async function readIds(
  db: Db,
  from: Source,
  narrower: RawBuilder<SqlBool>[],
  { offset, limit }: PageRange,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from ${from.rows} c where ${all([...from.conditions, ...narrower])}
    order by c.last_seen_at desc, c.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}
