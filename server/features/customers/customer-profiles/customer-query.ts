import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type CustomerFilters, PATTERN_FIELDS } from '#contract/customers/customer-profiles.ts'
import { keyQuery, matchQuery, prefixTerms } from '../../conversations/search/terms.ts'

/** Rows with the alias `c`, and their conditions. */
export interface Source {
  rows: RawBuilder<unknown>
  conditions: RawBuilder<SqlBool>[]
}

export interface Question {
  account_id: string
  /** Conditions for all customers; the first names the account and excludes unlisted ones. */
  conditions: RawBuilder<SqlBool>[]
  /** Condition for the words of a search, using the word index; undefined without words. */
  hasKeys: RawBuilder<SqlBool> | undefined
  /** The same query on columns repeated in `customer_tags`, if only few filters are set. */
  tagged: Source | undefined
}

export const CUSTOMERS = sql`customers`
/** Maximum number of words in a search. */
const MAX_WORDS = 10

/** A word such as `plan:pro`, which matches a field of the customer's metadata. */
const FACT = /^[^:]+:[^:/]+$/

/** The table from which customers of a query are read in the order of the list. */
export function sourceOf({ tagged, conditions }: Question): Source {
  return tagged ?? { rows: CUSTOMERS, conditions }
}

/** Translates filters. Returns undefined if nothing can match, such as a search for a full stop. */
export function buildQuestion(account_id: string, filters: CustomerFilters): Question | undefined {
  const all = [...new Set(filters.q?.split(/\s+/).filter(Boolean))].slice(0, MAX_WORDS)
  const facts = all.filter((word) => FACT.test(word))
  const words = all.filter((word) => !FACT.test(word))
  const tag_ids = [...new Set([...(filters.tag_ids ?? []), ...(filters.tag_id ? [filters.tag_id] : [])])]
  const conditions = [
    sql<SqlBool>`c.account_id = ${account_id} and c.merged_into is null and c.deleted_at is null
      and c.origin <> 'test'`,
    ...fieldConditions(account_id, filters),
    ...tag_ids.map((tag_id) => hasTag(account_id, tag_id)),
    ...facts.map(matchesFact),
  ]
  const tagged = facts.length > 0 ? undefined : filterByTags(account_id, filters, tag_ids)
  if (words.length === 0) return { account_id, conditions, hasKeys: undefined, tagged }
  const terms = prefixTerms(words)
  if (terms.length === 0) return undefined
  const match = sql`words @@ ${matchQuery(terms)}::tsquery`
  conditions.push(sql`c.${match}`)
  tagged?.conditions.push(
    sql`(select ${match} from customers own where own.account_id = ${account_id} and own.id = c.id)`,
  )
  const keys = keyQuery(terms, account_id)
  return {
    account_id,
    conditions,
    hasKeys: sql`search_keys(c.account_id, null, c.words, null) @@ ${keys}::tsquery`,
    tagged,
  }
}

function fieldConditions(account_id: string, filters: CustomerFilters): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = []
  if (filters.include_anonymous === false) conditions.push(sql`c.email is not null`)
  if (filters.company_id) conditions.push(sql`c.company_id = ${filters.company_id}`)
  if (filters.external_id) conditions.push(sql`c.external_id = ${filters.external_id}`)
  if (filters.blocked !== undefined) conditions.push(sql`(c.blocked_at is not null) = ${filters.blocked}`)
  if (filters.issue_id) {
    conditions.push(sql`exists (select from customer_issues i where i.account_id = ${account_id}
      and i.customer_id = c.id and i.issue_id = ${filters.issue_id})`)
  }
  for (const field of PATTERN_FIELDS) {
    const value = filters[field]
    // Underscores in e-mail addresses are literal.
    const compare = value?.includes('%') ? sql`like` : sql`=`
    if (value) conditions.push(sql`lower(${sql.ref(`c.${field}`)}) ${compare} lower(${value})`)
  }
  return conditions
}

function hasTag(account_id: string, tag_id: string): RawBuilder<SqlBool> {
  return sql`exists (select from customer_tags t where t.account_id = ${account_id}
    and t.customer_id = c.id and t.tag_id = ${tag_id})`
}

/**
 * Reads customers with tags from one index in the order of the list, however many have the tag and whenever they were
 * seen. That table knows nothing of companies, issues and the like.
 */
function filterByTags(account_id: string, filters: CustomerFilters, tag_ids: string[]): Source | undefined {
  const { include_anonymous, tag_id: _, tag_ids: __, q: ___, ...others } = filters
  const [first, ...rest] = tag_ids
  if (!first || Object.values(others).some((value) => value !== undefined)) return undefined
  const rows = sql`(select customer_id as id, last_seen_at, has_email from customer_tags
    where account_id = ${account_id} and tag_id = ${first} and last_seen_at is not null)`
  const conditions = rest.map((tag_id) => hasTag(account_id, tag_id))
  if (include_anonymous === false) conditions.push(sql`c.has_email`)
  return { rows, conditions }
}

/** Matches metadata, or a word with a colon that was no metadata field, such as an external id. */
function matchesFact(fact: string): RawBuilder<SqlBool> {
  const [key, value] = fact.split(':')
  const terms = prefixTerms([fact])
  const isWord = terms.length > 0 ? sql`c.words @@ ${matchQuery(terms)}::tsquery` : sql`false`
  return sql`(c.metadata ->> ${key} = ${value} or ${isWord})`
}
