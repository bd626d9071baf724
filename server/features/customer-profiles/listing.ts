import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { CustomerFilters, CustomerProfile } from '#contract/customer-profiles.ts'
import type { PageWanted } from '#contract/wire.ts'
import type { Db } from '../../platform/db/change.ts'
import type { Realtime } from '../../platform/realtime/realtime.ts'
import { loadCustomers } from '../customers/customers.ts'
import { cutWords, keyQuery, matchQuery, type Term } from '../search/terms.ts'
import { expandList } from './profiles.ts'

const PAGE_SIZE = 10
const PAGE_LIMIT = 100
/** Counting and turning pages stop here: nobody walks further by hand, and a page must not cost more in a large account. */
const COUNT_LIMIT = 10_000
/** People who are online are sorted in one go; of more than so many the rest stand where they were last seen. */
const ONLINE_LIMIT = 5_000
/** From so many matches on, the customers seen last are looked through first: so many of them. */
const MANY = 500
const WALK = 3_000

export interface Question {
  account_id: string
  conditions: RawBuilder<SqlBool>[]
  /** Holds for the customers with these words, by reading the index of words; without words undefined. */
  hasKeys: RawBuilder<SqlBool> | undefined
}

/** Understands filters. Answers undefined when nothing can match, such as a search for a full stop. */
export async function ask(db: Db, account_id: string, filters: CustomerFilters): Promise<Question | undefined> {
  const conditions = [sql<SqlBool>`c.account_id = ${account_id} and c.merged_into is null and c.deleted_at is null`]
  if (filters.include_anonymous === false) conditions.push(sql`c.email is not null`)
  if (filters.company_id) conditions.push(sql`c.company_id = ${filters.company_id}`)
  if (filters.external_id) conditions.push(sql`c.external_id = ${filters.external_id}`)
  if (filters.blocked !== undefined) conditions.push(sql`(c.blocked_at is not null) = ${filters.blocked}`)
  for (const tag_id of new Set([...(filters.tag_ids ?? []), ...(filters.tag_id ? [filters.tag_id] : [])])) {
    conditions.push(sql`exists (select from customer_tags t where t.account_id = ${account_id}
      and t.customer_id = c.id and t.tag_id = ${tag_id})`)
  }
  if (filters.issue_id) {
    conditions.push(sql`exists (select from customer_issues i where i.account_id = ${account_id}
      and i.customer_id = c.id and i.issue_id = ${filters.issue_id})`)
  }
  if (!filters.q?.trim()) return { account_id, conditions, hasKeys: undefined }
  const terms = await termsOf(db, filters.q)
  if (terms.length === 0) return undefined
  conditions.push(sql`c.words @@ ${matchQuery(terms)}::tsquery`)
  const keys = keyQuery(terms, account_id)
  return { account_id, conditions, hasKeys: sql`search_keys(c.account_id, null, c.words, null) @@ ${keys}::tsquery` }
}

async function termsOf(db: Db, q: string): Promise<Term[]> {
  const cut = await cutWords(db, q.split(/\s+/).filter(Boolean))
  return cut.filter((words) => words.length > 0).map((words) => ({ words, isPrefix: true }))
}

/** One page of customers: who is online first, then who was seen last. */
export async function listCustomers(
  { db, realtime }: { db: Db; realtime: Realtime },
  account_id: string,
  filters: CustomerFilters,
  wanted: PageWanted,
) {
  const page_size = Math.min(Math.max(wanted.page_size ?? wanted.limit ?? PAGE_SIZE, 1), PAGE_LIMIT)
  const page_number = Math.min(Math.max(wanted.page ?? 1, 1), Math.ceil(COUNT_LIMIT / page_size))
  const numbers = { page_number, page_size }
  const question = await ask(db, account_id, filters)
  if (!question) return { data: [], ...numbers, total_pages: 1, total_entries: 0 }
  const online = await listOnline(realtime, account_id)
  const total = await count(db, question)
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
  const present = await realtime.presence.list(`notification:${account_id}`)
  const keys = Object.keys(present).filter((key) => key.startsWith('customer:'))
  return keys.slice(0, ONLINE_LIMIT).map((key) => key.slice('customer:'.length))
}

async function count(db: Db, { conditions, hasKeys }: Question): Promise<number> {
  const all = allOf(hasKeys ? [hasKeys, ...conditions] : conditions)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from customers c where ${all} limit ${COUNT_LIMIT}) matching`.execute(db)
  return rows[0]?.count ?? 0
}

interface Place {
  offset: number
  limit: number
}

/** The ids of one page: first of those who are online, then of the others. */
async function readPage(db: Db, question: Question, online: string[], total: number, place: Place): Promise<string[]> {
  const { offset, limit } = place
  const isHere = sql<SqlBool>`c.id = any(${online}::uuid[])`
  const here =
    online.length === 0
      ? []
      : await readIds(db, sql`customers`, [...question.conditions, isHere], { offset: 0, limit: ONLINE_LIMIT })
  const first = here.slice(offset, offset + limit)
  if (first.length === limit) return first
  const elsewhere = online.length === 0 ? [] : [sql<SqlBool>`c.id <> all(${online}::uuid[])`]
  const rest = { offset: Math.max(0, offset - here.length), limit: limit - first.length }
  return [...first, ...(await readOthers(db, question, elsewhere, total, rest))]
}

/**
 * Few matches of words are found by the index of words and sorted. Of many, a page is soon met by walking from who was
 * seen last; if they were all seen long ago, the index is asked after all, unless they are too many to sort.
 */
async function readOthers(
  db: Db,
  { account_id, conditions, hasKeys }: Question,
  elsewhere: RawBuilder<SqlBool>[],
  total: number,
  place: Place,
): Promise<string[]> {
  const all = [...conditions, ...elsewhere]
  if (!hasKeys || total >= COUNT_LIMIT) return readIds(db, sql`customers`, all, place)
  if (total >= MANY) {
    const latest = sql`(select * from customers where account_id = ${account_id} and merged_into is null
      and deleted_at is null order by last_seen_at desc, id desc limit ${WALK})`
    const met = await readIds(db, latest, all, place)
    if (met.length === place.limit) return met
  }
  return readIds(db, sql`customers`, [hasKeys, ...all], place)
}

async function readIds(
  db: Db,
  source: RawBuilder<unknown>,
  conditions: RawBuilder<SqlBool>[],
  { offset, limit }: Place,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from ${source} c where ${allOf(conditions)}
    order by c.last_seen_at desc, c.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

export function allOf(conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}
