import { sql } from 'kysely'
import type { Query } from '#contract/endpoint.ts'
import type { GapKind, GapState, HelpGap, helpGaps } from '#contract/help/article-feedback.ts'
import { NotFound } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'

const PAGE = 100
const MAX_PAGE = 200
const MAX_COMMENTS = 20

function select(db: Db, account_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('help_gaps')
    .select(['id', 'kind', 'language', 'words', 'article_id', 'count', 'state', 'last_at'])
    .select(
      sql<string | null>`(select t.title from article_translations t
        where t.account_id = help_gaps.account_id and t.article_id = help_gaps.article_id
        order by t.language = help_gaps.language desc, t.updated_at limit 1)`.as('title'),
    )
    .$castTo<GapRow>()
}

interface GapRow extends Omit<HelpGap, 'object' | 'article' | 'comments'> {
  article_id: string | null
  title: string | null
}

/** What is missing, the most frequent first. */
export async function listGaps(
  db: Db,
  account_id: string,
  { kind, state = 'open', q = '', limit = PAGE }: Query<typeof helpGaps.list>,
): Promise<HelpGap[]> {
  const text = q.trim()
  const rows = await select(db, account_id)
    .where('state', '=', state)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .$if(text !== '', (query) =>
      query.where(sql<boolean>`fold_text(words) like '%' || btrim(fold_text(${text})) || '%'`),
    )
    .orderBy('count', 'desc')
    .orderBy('id')
    .limit(Math.min(limit, MAX_PAGE))
    .execute()
  return withComments(db, account_id, rows)
}

async function withComments(db: Db, account_id: string, rows: GapRow[]): Promise<HelpGap[]> {
  const article_ids = rows.flatMap(({ kind, article_id }) => (kind === 'not_helpful' && article_id ? [article_id] : []))
  const votes =
    article_ids.length === 0
      ? []
      : await ofAccount(db, account_id)
          .selectFrom('article_votes')
          .select(['article_id', 'language', 'comment'])
          .where('article_id', 'in', article_ids)
          .where('comment', 'is not', null)
          .where('is_helpful', '=', false)
          .orderBy('created_at', 'desc')
          .limit(1000)
          .execute()
  return rows.map(({ article_id, title, ...row }) => ({
    ...row,
    object: 'help_gap',
    article: article_id === null ? null : { id: article_id, title: title ?? '' },
    comments:
      row.kind === 'not_helpful'
        ? votes
            .filter((vote) => vote.article_id === article_id && vote.language === row.language)
            .flatMap(({ comment }) => comment ?? [])
            .slice(0, MAX_COMMENTS)
        : [],
  }))
}

/** Marks what is missing as done, ignored or open. @throws NotFound */
export async function updateGap({ db }: Change, account_id: string, id: string, state: GapState): Promise<HelpGap> {
  const { numUpdatedRows } = await ofAccount(db, account_id)
    .updateTable('help_gaps')
    .set({ state })
    .where('id', '=', id)
    .executeTakeFirst()
  if (!numUpdatedRows) throw new NotFound()
  const [gap] = await withComments(db, account_id, await select(db, account_id).where('id', '=', id).execute())
  return gap!
}

type Occurrence = { kind: GapKind; language: string } & ({ words: string } | { article_id: string })

/**
 * Counts that something is missing. What was done opens again and is counted from the beginning; what is ignored stays
 * ignored.
 */
export async function countGap(db: Db, account_id: string, { kind, language, ...about }: Occurrence): Promise<void> {
  const words = 'words' in about ? about.words : null
  const article_id = 'article_id' in about ? about.article_id : null
  await sql`
    insert into help_gaps (account_id, id, kind, language, words, article_id)
    values (${account_id}, ${newId()}, ${kind}, ${language}, ${words}, ${article_id})
    on conflict (account_id, kind, language, words, article_id) do update set
      count = case when help_gaps.state = 'done' then 1 else help_gaps.count + 1 end,
      state = case when help_gaps.state = 'done' then 'open' else help_gaps.state end,
      last_at = now()`.execute(db)
}
