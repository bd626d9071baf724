import { type SqlBool, sql } from 'kysely'
import type { Query } from '#contract/endpoint.ts'
import type { ArticleCounts, ArticleSummary, articles } from '#contract/help/articles.ts'
import { BadRequest } from '../../../errors.ts'
import { readCursor, writeCursor } from '../../../platform/cursor.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { unplanned } from '../../../platform/db/unplanned.ts'
import { keyQuery, matchQuery, prefixTerms } from '../../conversations/search/terms.ts'
import { type Addresses, articleColumns, presentArticles } from './presenting.ts'

const PAGE = 50
const MAX_PAGE = 100

type Filters = Query<typeof articles.list>

/** One page of articles: those of a collection in their order, otherwise the last changed first. */
export async function listArticles(
  db: Db,
  addresses: Addresses,
  account_id: string,
  filters: Filters,
): Promise<{ data: ArticleSummary[]; next: string | null }> {
  const limit = Math.min(filters.limit ?? PAGE, MAX_PAGE)
  const isOrdered = !!filters.collection_id && filters.collection_id !== 'none'
  const conditions = conditionsOf(account_id, filters)
  if (!conditions) return { data: [], next: null }
  const query = ofAccount(db, account_id)
    .selectFrom('articles')
    .select([...articleColumns, 'position'])
    .where(sql<SqlBool>`${sql.join(conditions, sql` and `)}`)
    .limit(limit + 1)
  const rows = isOrdered
    ? await query.where(afterPosition(filters.after)).orderBy('position').orderBy('id').execute()
    : await query.where(afterTime(filters.after)).orderBy('updated_at', 'desc').orderBy('id', 'desc').execute()
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1)! : undefined
  const next = last && (isOrdered ? writePosition(last) : writeCursor({ at: last.updated_at, id: last.id }))
  const data = await presentArticles(
    db,
    addresses,
    account_id,
    page.map(({ position: _, ...row }) => row),
  )
  return { data, next: next ?? null }
}

/** How many articles there are in each state, whose languages count apart: with one draft it is among the drafts. */
export async function countArticles(
  db: Db,
  account_id: string,
  { collection_id, language }: Query<typeof articles.counts>,
): Promise<ArticleCounts> {
  const isListed = sql`archived_at is null`
  const { rows } = await sql<Record<keyof Omit<ArticleCounts, 'object'>, string>>`
    with states as (
      select t.article_id, bool_or(${STATES.draft}) as draft, bool_or(${STATES.published}) as published,
        bool_or(${STATES.changed}) as changed
      from article_translations t left join published_articles p
        on p.account_id = t.account_id and p.article_id = t.article_id and p.language = t.language
      where t.account_id = ${account_id} and ${language ? sql`t.language = ${language}` : sql`true`}
      group by t.article_id)
    select count(*) filter (where ${isListed}) as "all", count(*) filter (where ${isListed} and draft) as draft,
      count(*) filter (where ${isListed} and published) as published,
      count(*) filter (where ${isListed} and changed) as changed,
      count(*) filter (where not ${isListed}) as archived
    from articles join states on states.article_id = articles.id
    where articles.account_id = ${account_id} and ${inCollection(collection_id) ?? sql`true`}`.execute(db)
  const { all, draft, published, changed, archived } = rows[0]!
  return {
    object: 'article_counts',
    ...{ all: Number(all), draft: Number(draft), published: Number(published) },
    ...{ changed: Number(changed), archived: Number(archived) },
  }
}

function inCollection(collection_id: Filters['collection_id']) {
  if (collection_id === 'none') return sql`collection_id is null`
  return collection_id ? sql`collection_id = ${collection_id}` : undefined
}

/** Undefined if nothing can match. */
function conditionsOf(account_id: string, { collection_id, language, state, q }: Filters) {
  const conditions = [state === 'archived' ? sql`archived_at is not null` : sql`archived_at is null`]
  const ofCollection = inCollection(collection_id)
  if (ofCollection) conditions.push(ofCollection)
  const ofTranslation = [sql`t.account_id = articles.account_id and t.article_id = articles.id`]
  if (language) ofTranslation.push(sql`t.language = ${language}`)
  if (state && state !== 'archived') ofTranslation.push(STATES[state])
  if (ofTranslation.length > 1) {
    conditions.push(
      sql`exists (select from article_translations t left join published_articles p
        on p.account_id = t.account_id and p.article_id = t.article_id and p.language = t.language
        where ${sql.join(ofTranslation, sql` and `)})`,
    )
  }
  if (!q?.trim()) return conditions
  const terms = prefixTerms(q.trim().split(/\s+/).slice(0, 10))
  if (terms.length === 0) return undefined
  // The planner would not use the index for a word that it knows to be in most rows.
  conditions.push(
    sql`id in (select t.article_id from article_translations t
      where search_keys(t.account_id, null, t.words, null) @@ ${unplanned(keyQuery(terms, account_id), 'tsquery')}
      and t.account_id = ${account_id} and t.words @@ ${matchQuery(terms)}::tsquery)`,
  )
  return conditions
}

const STATES = {
  draft: sql`p.version is null`,
  published: sql`p.version is not null`,
  changed: sql`p.version <> t.version`,
}

function afterTime(after: string | undefined) {
  if (!after) return sql<SqlBool>`true`
  const { at, id } = readCursor(after)
  return sql<SqlBool>`(articles.updated_at, articles.id) < (${at}::timestamptz, ${id}::uuid)`
}

function writePosition({ position, id }: { position: number; id: string }): string {
  return Buffer.from(`${position} ${id}`).toString('base64url')
}

function afterPosition(after: string | undefined) {
  if (!after) return sql<SqlBool>`true`
  const [, position, id] = /^(\d{1,9}) ([0-9a-f-]{36})$/.exec(Buffer.from(after, 'base64url').toString()) ?? []
  if (!position || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id!)) {
    throw new BadRequest('The cursor in `after` is invalid. Leave it out to begin with the first page.')
  }
  return sql<SqlBool>`(articles.position, articles.id) > (${Number(position)}, ${id}::uuid)`
}
