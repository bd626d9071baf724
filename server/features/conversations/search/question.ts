import { sql } from 'kysely'
import { parseSearch, type SearchOperator, type SearchPart } from '#contract/conversations/search-query.ts'
import type { Db } from '../../../platform/db/change.ts'
import { unplanned } from '../../../platform/db/unplanned.ts'
import { startOfLocalDay } from './local-day.ts'
import { fewTerms, keyQuery, matchQuery, type Term, wordsOf } from './terms.ts'

/** Authors: these users, or customers with such a name (with their ids if they are few). */
export interface Authors {
  user_ids: number[]
  customer_ids: string[] | 'many'
  /** Condition on the customers' words. */
  customers: string
}

/** A parsed search, with all names looked up. All conditions must hold. */
export interface Question {
  account_id: string
  parts: SearchPart[]
  terms: Term[]
  authors: Authors[]
  /** Each is a list of ids, one of which must match. A null assignee means unassigned. */
  tag_ids: string[][]
  inbox_ids: string[][]
  assignee_ids: (number | null)[][]
  statuses: string[]
  /** Only messages with a file. */
  hasFile: boolean
  /** Times: from (inclusive) and until (exclusive). */
  since: string | null
  until: string | null
}

const FEW_CUSTOMERS = 200
/** Maximum number of words, phrases and operators, in the order of typing. */
const MAX_PARTS = 30

/**
 * Interprets a search for one user. Returns undefined if nothing can match: no words at all, an unknown name,
 * conditions that exclude each other.
 */
export async function buildQuestion(
  db: Db,
  account_id: string,
  me: number,
  text: string,
): Promise<Question | undefined> {
  const parts = firstParts(text)
  const terms: Term[] = []
  const values = new Map<SearchOperator, Value[]>()
  for (const part of parts) {
    const words = wordsOf(part.value)
    if (part.kind !== 'operator') {
      if (words.length > 0) terms.push({ words, isPrefix: part.kind === 'word' })
    } else values.set(part.operator, [...(values.get(part.operator) ?? []), { value: part.value, words }])
  }
  if (terms.length === 0 && values.size === 0) return undefined
  const question: Question = {
    account_id,
    parts,
    terms: fewTerms(terms),
    ...(await resolveValues(db, account_id, me, values)),
  }
  return isPossible(question) ? question : undefined
}

interface Value {
  value: string
  words: string[]
}

async function resolveValues(db: Db, account_id: string, me: number, values: Map<SearchOperator, Value[]>) {
  const every = <T>(operator: SearchOperator, find: (value: Value) => Promise<T>): Promise<T[]> =>
    inOrder(once(values.get(operator) ?? []), find)
  const zone = values.has('before') || values.has('after') ? await readZone(db, account_id) : 'UTC'
  const days = (operator: SearchOperator) =>
    (values.get(operator) ?? []).map(({ value }) => startOfLocalDay(value, zone)).sort()
  return {
    authors: await every('from', (value) => findAuthors(db, account_id, me, value)),
    tag_ids: await every('tag', ({ words }) => findNamed(db, 'tags', account_id, words)),
    inbox_ids: await every('inbox', ({ words }) => findNamed(db, 'inboxes', account_id, words)),
    assignee_ids: await every('assignee', (value) => findAssignees(db, account_id, me, value)),
    statuses: [...new Set((values.get('status') ?? []).map(({ value }) => value))],
    hasFile: values.has('has'),
    since: days('after').at(-1) ?? null,
    until: days('before').at(0) ?? null,
  }
}

function isPossible(question: Question): boolean {
  const { authors, tag_ids, inbox_ids, assignee_ids, statuses, since, until } = question
  if (statuses.length > 1 || (since && until && since >= until)) return false
  if (authors.some(({ user_ids, customer_ids }) => user_ids.length + customer_ids.length === 0)) return false
  return [tag_ids, inbox_ids, assignee_ids].every((choices) => choices.every((ids) => ids.length > 0))
}

const asName = (words: string[]): Term => ({ words, isPrefix: true })

async function findNamed(db: Db, table: 'tags' | 'inboxes', account_id: string, words: string[]): Promise<string[]> {
  if (words.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)}
    where account_id = ${account_id} and words_of(name) @@ ${matchQuery([asName(words)])}::tsquery`.execute(db)
  return rows.map(({ id }) => id)
}

async function findUsers(db: Db, account_id: string, me: number, { value, words }: Value): Promise<number[]> {
  if (value.toLowerCase() === 'me') return [me]
  if (words.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select id from users where account_id = ${account_id}
    and words_of(concat_ws(' ', display_name, full_name, email)) @@ ${matchQuery([asName(words)])}::tsquery`.execute(db)
  return rows.map(({ id }) => id)
}

async function findAssignees(db: Db, account_id: string, me: number, value: Value): Promise<(number | null)[]> {
  return value.value.toLowerCase() === 'nobody' ? [null] : findUsers(db, account_id, me, value)
}

async function findAuthors(db: Db, account_id: string, me: number, value: Value): Promise<Authors> {
  const user_ids = await findUsers(db, account_id, me, value)
  if (value.words.length === 0 || value.value.toLowerCase() === 'me') {
    return { user_ids, customer_ids: [], customers: '' }
  }
  const term = asName(value.words)
  const ids = await findCustomers(db, account_id, [term], FEW_CUSTOMERS + 1)
  return {
    user_ids,
    customer_ids: ids.length > FEW_CUSTOMERS ? 'many' : ids,
    customers: matchQuery([term]),
  }
}

/** Ids of customers by words of their name and e-mail address, at most `limit`. */
export async function findCustomers(db: Db, account_id: string, terms: Term[], limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customers
    where search_keys(account_id, null, words, null) @@ ${unplanned(keyQuery(terms, account_id), 'tsquery')}
    and account_id = ${account_id} and words @@ ${unplanned(matchQuery(terms), 'tsquery')} limit ${sql.lit(limit)}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

async function readZone(db: Db, account_id: string): Promise<string> {
  const account = await db.selectFrom('accounts').select('time_zone').where('id', '=', account_id).executeTakeFirst()
  return account?.time_zone ?? 'UTC'
}

/** Each part once. */
function firstParts(text: string): SearchPart[] {
  const named = (part: SearchPart) => `${part.kind} ${part.kind === 'operator' ? part.operator : ''} ${part.value}`
  return [...new Map(parseSearch(text).map((part) => [named(part), part])).values()].slice(0, MAX_PARTS)
}

/** Each value once, and at most three per operator: more would not narrow the search any further. */
function once(values: Value[]): Value[] {
  return [...new Map(values.map((value) => [value.value.toLowerCase(), value])).values()].slice(0, 3)
}

/** Sequentially, because they share one connection. */
async function inOrder<From, To>(from: From[], work: (item: From) => Promise<To>): Promise<To[]> {
  const to: To[] = []
  for (const item of from) to.push(await work(item))
  return to
}
