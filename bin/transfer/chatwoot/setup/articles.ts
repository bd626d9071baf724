import pino from 'pino'
import { MAX_COLLECTIONS } from '#contract/help/article-collections.ts'
import { MAX_ARTICLE_LENGTH, MAX_ARTICLES } from '#contract/help/articles.ts'
import { renderBody } from '#server/features/help/articles/rendering.ts'
import { freeSlug, slugOf } from '#server/features/help/help-center/slug.ts'
import { toJson } from '#server/platform/db/to-json.ts'
import { Workers } from '#server/platform/workers/workers.ts'
import type { Step } from '../../moving-in/reader.ts'
import { onClient } from '../../secrets.ts'
import { newId } from '../expressions.ts'
import { languageOf, moveHelpCenter } from './help-center.ts'
import { textOf } from './lists.ts'
import type { MovedAccount, StagedRow } from './moved-account.ts'

const PUBLISHED = 1
const ARCHIVED = 2
const MAX_TITLE = 200
const MAX_SUMMARY = 500
const MAX_NAME = 100
const MAX_DESCRIPTION = 300
const MAX_ICON = 16
/** Pictures in articles are at the old server. */
const OLD_PICTURE = '/rails/active_storage/'

/** An article with all its languages, or a collection. */
interface Group {
  id: string
  rows: StagedRow[]
}

/**
 * Moves articles in their collections. The help center itself stays unpublished until somebody has looked at it; in it
 * published articles are published, unless their portal was archived.
 */
export async function moveArticles(step: Step, moved: MovedAccount): Promise<void> {
  const { client } = step
  const { account, account_id } = moved
  const center = await moveHelpCenter(client, moved)
  if (!center) return
  const collections = await moveCollections(step, moved, center.default_language)
  const groups = await readGroups(step, 'articles', 'associated_article_id', account)
  const slugs = await readSlugs(step, account_id)
  const workers = new Workers({ processes: 1, perAccount: 1, priority: 5 })
  let oldPictures = 0
  try {
    let { count } = (
      await client.query<{ count: number }>('select count(*)::int as count from articles where account_id = $1', [
        account_id,
      ])
    ).rows[0]!
    for (const { id, rows } of groups) {
      const fitting = rows.filter(({ content }) => textOf(content).length <= MAX_ARTICLE_LENGTH)
      for (const row of rows) if (!fitting.includes(row)) await leave(step, 'articles', row.id, 'is too long')
      if (fitting.length === 0) continue
      if (count >= MAX_ARTICLES) {
        for (const row of fitting) await leave(step, 'articles', row.id, 'is one too many')
        continue
      }
      const [first] = fitting
      const isArchived = fitting.every(({ status }) => status === ARCHIVED)
      const inserted = await client.query(
        `insert into articles (account_id, id, collection_id, position, author_id, archived_at, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
        [
          ...[account_id, id, collections.get(String(first.category_id)) ?? null, first.position ?? 0],
          ...[authorOf(moved, first), isArchived ? first.changed : null, first.born, first.changed],
        ],
      )
      count += inserted.rowCount ?? 0
      for (const row of fitting) {
        const language = languageOf(row.locale) ?? center.default_language
        const taken = slugs.get(language) ?? new Set()
        slugs.set(language, taken)
        const isNew = await addTranslation(step, moved, { id, language, row, taken })
        if (!isNew) continue
        if (textOf(row.content).includes(OLD_PICTURE)) oldPictures++
        const isPublic = row.status === PUBLISHED && center.openPortals.has(String(row.portal_id)) && textOf(row.title)
        if (isPublic && textOf(row.content)) await publish(step, moved, workers, { id, language, row })
      }
    }
  } finally {
    workers.stop()
  }
  if (oldPictures > 0) {
    await client.query('insert into remarks (line) values ($1)', [
      `${oldPictures === 1 ? '1 article shows' : `${oldPictures} articles show`} pictures of the old server. Upload these pictures anew before it is switched off.`,
    ])
  }
}

/** Rows of one thing in several languages belong together: all but one refer to it. */
async function readGroups(
  { client }: Step,
  table: 'articles' | 'categories',
  root: string,
  account: string,
): Promise<Group[]> {
  const { rows } = await client.query<StagedRow>(
    `select o.*, ${newId(table, 'o.id')} as new_id, coalesce(o.created_at at time zone 'UTC', now()) as born,
       coalesce(o.updated_at at time zone 'UTC', o.created_at at time zone 'UTC', now()) as changed,
       case when exists (select from old_${table} r where r.id = o.${root} and r.account_id = o.account_id) then o.${root} else o.id end as root
     from old_${table} o where o.account_id = $1 order by o.position nulls last, o.id`,
    [account],
  )
  const groups = new Map<string, Group>()
  for (const row of rows) {
    const group = groups.get(row.root)
    const isTaken = group?.rows.some(({ locale }) => locale === row.locale)
    if (group && !isTaken) group.rows.push(row)
    // Two in one language cannot be translations of each other.
    else groups.set(isTaken ? row.id : row.root, { id: row.new_id, rows: [row] })
  }
  return [...groups.values()].map(({ rows: all }) => {
    const first = all.find(({ id, root: number }) => id === number) ?? all[0]
    return { id: first.new_id, rows: all }
  })
}

/** @returns the ids of collections by the numbers of categories */
async function moveCollections(
  step: Step,
  { account, account_id }: MovedAccount,
  fallback: string,
): Promise<Map<string, string>> {
  const { client } = step
  const { rows: existing } = await client.query<{ id: string; slug: string }>(
    'select id, slug from article_collections where account_id = $1',
    [account_id],
  )
  const ids = new Set(existing.map(({ id }) => id))
  const slugs = new Set(existing.map(({ slug }) => slug))
  const byCategory = new Map<string, string>()
  for (const { id, rows } of await readGroups(step, 'categories', 'associated_category_id', account)) {
    const [first] = rows
    if (!ids.has(id)) {
      if (ids.size >= MAX_COLLECTIONS) {
        for (const row of rows) await leave(step, 'categories', row.id, 'is one too many')
        continue
      }
      const slug = freeSlug(slugOf(textOf(first.slug) || textOf(first.name), 'collection'), slugs)
      const texts = Object.fromEntries(
        rows.map((row) => [
          languageOf(row.locale) ?? fallback,
          {
            name: textOf(row.name).slice(0, MAX_NAME) || 'Articles',
            description: textOf(row.description).slice(0, MAX_DESCRIPTION),
          },
        ]),
      )
      const icon = textOf(first.icon)
      await client.query(
        `insert into article_collections (account_id, id, position, slug, icon, texts, created_at, updated_at)
         select $1, $2, coalesce(max(position), 0) + 1, $3, $4, $5, $6, $7 from article_collections where account_id = $1`,
        [account_id, id, slug, icon.length > MAX_ICON ? '' : icon, toJson(texts), first.born, first.changed],
      )
      ids.add(id)
      slugs.add(slug)
    }
    for (const row of rows) byCategory.set(String(row.id), id)
  }
  return byCategory
}

interface Translation {
  id: string
  language: string
  row: StagedRow
}

/** Adds the draft of one language. @returns false if it is there already */
async function addTranslation(
  { client }: Step,
  moved: MovedAccount,
  { id, language, row, taken }: Translation & { taken: Set<string> },
): Promise<boolean> {
  const title = textOf(row.title).slice(0, MAX_TITLE)
  row.new_slug = freeSlug(slugOf(textOf(row.slug) || title, 'article'), taken)
  const { rowCount } = await client.query(
    `insert into article_translations (account_id, article_id, language, title, summary, body, slug, is_slug_chosen, updated_by, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, true, $8, $9) on conflict (account_id, article_id, language) do nothing`,
    [
      ...[moved.account_id, id, language, title, textOf(row.description).slice(0, MAX_SUMMARY), row.content ?? ''],
      ...[row.new_slug, authorOf(moved, row), row.changed],
    ],
  )
  if (rowCount === 0) return false
  taken.add(row.new_slug)
  return true
}

/** Publishes a draft, as its author had done. */
async function publish(
  step: Step,
  moved: MovedAccount,
  workers: Workers,
  { id, language, row }: Translation,
): Promise<void> {
  const { client } = step
  const { account_id } = moved
  const context = { db: onClient(client), workers, log: pino({ level: 'silent' }) }
  const rendered = await renderBody(context, account_id, row.content, '/help/files/').catch(() => undefined)
  if (!rendered) {
    await client.query('insert into remarks (line) values ($1)', [
      `The article “${textOf(row.title)}” takes too long to show, so it is a draft. Split it into several.`,
    ])
    return
  }
  await client.query(
    `with draft as (
       select * from article_translations where account_id = $1 and article_id = $2 and language = $3),
     revision as (
       insert into article_revisions (account_id, id, article_id, language, number, title, summary, body, user_id, created_at)
       select account_id, ${newId('article revisions', '$4::bigint')}, article_id, language, 1, title, summary, body, updated_by, updated_at from draft returning id)
     insert into published_articles (account_id, article_id, language, revision_id, version, slug, title, summary, html, text, first_published_at, published_at)
     select d.account_id, d.article_id, d.language, r.id, d.version, d.slug, d.title, d.summary, $5, $6, d.updated_at, d.updated_at from draft d, revision r`,
    [account_id, id, language, row.id, rendered.html, rendered.text],
  )
}

async function readSlugs({ client }: Step, account_id: string): Promise<Map<string, Set<string>>> {
  const { rows } = await client.query<{ language: string; slug: string }>(
    `select language, slug from article_translations where account_id = $1
     union select language, slug from published_articles where account_id = $1`,
    [account_id],
  )
  const slugs = new Map<string, Set<string>>()
  for (const { language, slug } of rows) slugs.set(language, (slugs.get(language) ?? new Set()).add(slug))
  return slugs
}

const authorOf = ({ users }: MovedAccount, { author_id }: StagedRow) => users.get(String(author_id)) ?? null

async function leave({ client }: Step, kind: string, id: string, reason: string): Promise<void> {
  await client.query('insert into not_taken values ($1, $2, $3)', [kind, id, reason])
}
