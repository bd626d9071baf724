import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import type { HelpCenterRow } from '../help-center/help-center.ts'
import type { WeighedTerm } from './counting.ts'
import type { SearchedArticles } from './ranking.ts'
import { vocabularies } from './spelling.ts'
import { lexemesOf, type QuestionTerm, stemQuery } from './terms.ts'

/** Articles that are ranked for one search, found by its rarest words. */
const MAX_CANDIDATES = 400
/** Counting stops here: more frequent words all say little. */
const MAX_COUNT = 500

/** What an account has published, found by an index. */
export function publishedArticles(
  context: Context,
  { account_id, version }: Pick<HelpCenterRow, 'account_id' | 'version'>,
): SearchedArticles {
  const statistics = vocabularies(context)
  return {
    total: () => statistics.totalOf(account_id, version),
    titleWords: () => statistics.wordsOf(account_id, version),
    count: (terms) => count(context.db, account_id, terms),
    candidates: (terms) => candidatesFor(account_id, terms),
  }
}

/**
 * Articles with one of the rarest words. Words that are in more articles than are ranked only narrow: they must occur
 * together, and those with the words in their titles come first.
 */
function candidatesFor(account_id: string, searched: WeighedTerm[]) {
  const rare: WeighedTerm[] = []
  let sum = 0
  for (const term of searched.toSorted((a, b) => a.count - b.count)) {
    sum += term.count
    if (sum > MAX_CANDIDATES) break
    rare.push(term)
  }
  const operator = rare.length > 0 ? ' | ' : ' & '
  const terms = rare.length > 0 ? rare : searched
  const query = terms.map((term) => `(${stemQuery(term)})`).join(operator)
  const keys = terms.map((term) => `(${keyOf(account_id, term)})`).join(operator)
  const inTitle = searched.map((term) => `(${stemQuery(term)})`).join(' | ')
  // The index finds words; that two of them follow each other is only known from the row. The words of the whole text
  // are large, so they are read only once the candidates are chosen. The condition on the index is a subquery: of a
  // constant the planner knows that it is in most rows, and would compute the keys of every row instead.
  const [bodyWords, follows] = hasPairs(searched)
    ? [sql`p.words`, sql`and p.words @@ ${query}::tsquery`]
    : [sql`strip(p.words)`, sql``]
  return sql`
    select p.article_id, p.language, p.title_words, ${bodyWords} as body_words
    from (
      select p.ctid as place from published_articles p
      where search_keys(p.account_id, null, p.words, null) @@ (select ${keys}::tsquery) and p.account_id = ${account_id} ${follows}
      order by p.title_words @@ ${inTitle}::tsquery desc limit ${sql.lit(MAX_CANDIDATES)}) chosen
    join published_articles p on p.ctid = chosen.place and p.account_id = ${account_id}`
}

/** Pairs of characters need the positions of words. */
function hasPairs(terms: WeighedTerm[]): boolean {
  return terms.some(({ words }) => words.length > 1)
}

/** As `search_keys` writes them: every word with the beginning of the account's id in front. */
function keyOf(account_id: string, term: QuestionTerm): string {
  const scope = account_id.slice(0, 8)
  return lexemesOf(term, (word) => `'${scope}${[...word].slice(0, 64).join('')}'`).join(' & ')
}

async function count(db: Db, account_id: string, terms: QuestionTerm[]): Promise<number[]> {
  const keys = terms.map((term) => keyOf(account_id, term))
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from (
        select from published_articles p
        where search_keys(p.account_id, null, p.words, null) @@ wanted.key::tsquery
        and p.account_id = ${account_id} limit ${sql.lit(MAX_COUNT)}) matching) as count
    from unnest(${keys}::text[]) with ordinality wanted (key, place) order by place`.execute(db)
  return rows.map(({ count }) => Number(count))
}
