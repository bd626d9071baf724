import { sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { DIRECT_IDENTIFIERS, type DirectIdentifiers } from '../../customers/customers/columns.ts'
import { lexemesOf, stemQuery } from '../../help/article-search/terms.ts'
import { dayOf, keyScope } from '../search/terms.ts'
import { UNKNOWN, type Weighed } from './weighing.ts'

/** What was asked in an open conversation. */
export interface OpenQuestion {
  conversation_id: string
  customer_id: string
  terms: Weighed[]
}

/** A message of a customer in a closed conversation. */
export interface Asked {
  message_id: string
  conversation_id: string
  body: string
  customer: DirectIdentifiers
}

/** The least share of the question's weight that a message contains; less is chance. */
const MIN_COVERAGE = 0.3
/** A word that is in more of the newest thousand messages says little by itself, and brings more than can be ranked. */
const COMMON = 20
/** Common words are looked up in pairs, the rarest of them. */
const MAX_PAIRED = 3
/** Messages that are ranked for each group of days. */
const MAX_RANKED = 200
/** Of them the best are looked at: whether they are closed, and in which language. */
const MAX_READ = 80
/** What is kept of them, more than are shown: some were never answered. */
const MAX_FOUND = 24
/** The index has the words of each day by themselves. The first look-up covers this many days, each further one four times as many. */
const FIRST_DAYS = 4
const MAX_DAYS = 256
/** No further look-up begins after this many milliseconds: what is older than that is worth less. */
const ENOUGH_MS = 40
/** What a question in another language than the customer's is worth. */
const OTHER_LANGUAGE = 0.7
/** Much longer messages contain many words by chance. */
const LONG = 150

/** Questions of closed conversations that contain most of the words of this one, best first. */
export async function findAlike(db: Db, account_id: string, question: OpenQuestion): Promise<Asked[]> {
  const oldest = await readOldest(db, account_id)
  const started = performance.now()
  const ranked: Ranked[] = []
  let days = FIRST_DAYS
  for (let newest = dayOf(new Date().toISOString()); newest >= oldest; ) {
    const from = Math.max(oldest, newest - days + 1)
    ranked.push(...(await rankDays(db, account_id, question, [from, newest])))
    if (ranked.length >= MAX_FOUND || performance.now() - started > ENOUGH_MS) break
    days = Math.min(4 * days, MAX_DAYS)
    newest = from - 1
  }
  return ranked.toSorted((a, b) => b.score - a.score).slice(0, MAX_FOUND)
}

interface Ranked extends Asked {
  score: number
}

async function rankDays(
  db: Db,
  account_id: string,
  { conversation_id, customer_id, terms }: OpenQuestion,
  [from, to]: [number, number],
): Promise<Ranked[]> {
  const keys = Array.from({ length: to - from + 1 }, (_, i) => keysOf(account_id, to - i, terms))
  const matches = terms.map((term) => sql`words @@ ${stemQuery(term)}::tsquery`)
  const has = terms.map(({ weight, count }, at) => ({ weight, count, it: sql`has[${sql.lit(at + 1)}]` }))
  const covered = has.map(({ weight, it }) => sql`case when ${it} then ${weight}::real else 0 end`)
  // Only what nobody else has written is unknown: a word of older days tells that these ones are about something else.
  const whole = has.map(({ weight, count, it }) =>
    count > 1
      ? sql`${weight}::real`
      : sql`case when bool_or(${it}) then ${weight}::real else ${UNKNOWN * weight}::real end`,
  )
  const told = sql.join(DIRECT_IDENTIFIERS.flatMap((field) => [sql.lit(field), sql.ref(`cu.${field}`)]))
  // The first query has no other indexable condition and no limit, so that the planner cannot choose anything but the
  // index; it is only executed as far as the second one reads.
  const { rows } = await sql<Ranked>`
    with named as materialized (
      select account_id, message_id, conversation_id, words from message_words w
      where search_keys(w.account_id, search_day(w.created_at), w.words, w.user_id) @@ any(${keys}::tsquery[])
      and w.customer_id is not null and w.conversation_id <> ${conversation_id}),
    read as materialized (
      select *, array[${sql.join(matches)}] as has from named where account_id = ${account_id} limit ${sql.lit(MAX_RANKED)}),
    asked as (select ${sql.join(whole, sql` + `)} as weight from read),
    ranked as (
      select read.*, (${sql.join(covered, sql` + `)}) / asked.weight as coverage from read, asked
      order by coverage desc limit ${sql.lit(MAX_READ)})
    select r.message_id, r.conversation_id, m.body, json_build_object(${told}) as customer,
      (r.coverage * case when split_part(lower(cu.browser_language), '-', 1) is distinct from
        split_part(lower(me.browser_language), '-', 1) then ${OTHER_LANGUAGE}::real else 1 end
        / (1 + greatest(0, length(r.words) - ${sql.lit(LONG)}) / ${sql.lit(LONG)}::real))::float8 as score
    from ranked r
    join conversations c on c.account_id = r.account_id and c.id = r.conversation_id and c.status = 'closed'
    join messages m on m.account_id = r.account_id and m.id = r.message_id
    join customers cu on cu.account_id = r.account_id and cu.id = c.customer_id
    join customers me on me.account_id = r.account_id and me.id = ${customer_id}
    where r.coverage >= ${MIN_COVERAGE} and m.body is not null
    order by score desc, m.created_at desc limit ${sql.lit(MAX_FOUND)}`.execute(db)
  return rows
}

/** For the index: any rare word on a day, or two of the others together. */
function keysOf(account_id: string, day: number, terms: readonly Weighed[]): string {
  const scope = keyScope(account_id, day)
  const keyOf = (term: Weighed) =>
    `(${lexemesOf(term, (word) => `'${scope}${[...word].slice(0, 64).join('')}'`).join(' & ')})`
  const rare = terms.filter(({ count }) => count <= COMMON).map(keyOf)
  const common = terms
    .filter(({ count }) => count > COMMON)
    .toSorted((a, b) => a.count - b.count)
    .slice(0, MAX_PAIRED)
    .map(keyOf)
  const pairs = common.flatMap((key, at) => common.slice(at + 1).map((other) => `(${key} & ${other})`))
  const keys = [...rare, ...pairs]
  return (keys.length > 0 ? keys : common).join(' | ')
}

/** The day of the oldest message. */
async function readOldest(db: Db, account_id: string): Promise<number> {
  const { rows } = await sql<{ at: string | null }>`
    select min(created_at) as at from message_words where account_id = ${account_id}`.execute(db)
  const at = rows[0]?.at
  return at ? dayOf(at) : Number.POSITIVE_INFINITY
}
