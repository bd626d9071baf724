import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { countTerms, type WeighedTerm } from './counting.ts'
import { type QuestionTerm, stemQuery, termsOf, wordQuery } from './terms.ts'

/** A match has at least this share of the weight of all words. */
const MIN_COVERAGE = 0.2
const MAX_RANKED = 200

/** What a question is searched in. */
export interface SearchedArticles {
  /** How many there are, each language counted. */
  total(): Promise<number>
  /** How many contain each of the words. */
  count(terms: QuestionTerm[]): Promise<number[]>
  /** The words of their titles; only called if a word is in none of them. */
  titleWords(): Promise<string[]>
  /** Those that may match, as a query with `article_id`, `language`, `title_words` and `body_words`. */
  candidates(terms: WeighedTerm[]): RawBuilder<unknown>
}

/** An article that matches a question in one language. */
export interface RankedArticle {
  article_id: string
  language: string
  score: number
  /** Its share of the weight of all words of the question. */
  coverage: number
}

/** The articles that match a question, best first, by the weights of the words in their titles and texts. */
export async function rankArticles(db: Db, articles: SearchedArticles, q: string): Promise<RankedArticle[]> {
  const terms = termsOf(q)
  if (terms.length === 0) return []
  const total = await articles.total()
  if (total === 0) return []
  const weighed = await countTerms(articles, terms, total)
  const searched = weighed.filter(({ count }) => count > 0)
  if (searched.length === 0) return []
  const score = sql.join(
    searched.map(
      (term) => sql`(case when title_words @@ ${wordQuery(term)}::tsquery then ${5 * term.weight}::real
        when title_words @@ ${stemQuery(term)}::tsquery then ${4 * term.weight}::real else 0 end
        + case when body_words @@ ${wordQuery(term)}::tsquery then ${2 * term.weight}::real
        when body_words @@ ${stemQuery(term)}::tsquery then ${1.5 * term.weight}::real else 0 end)`,
    ),
    sql` + `,
  )
  const matched = sql.join(
    searched.map(
      (term) => sql`case when body_words @@ ${stemQuery(term)}::tsquery then ${term.weight}::real else 0 end`,
    ),
    sql` + `,
  )
  const sum = weighed.reduce((total, { weight }) => total + weight, 0)
  const { rows } = await sql<RankedArticle>`
    with candidates as materialized (${articles.candidates(searched)})
    select article_id, language, (${score})::float8 as score, ((${matched}) / ${sum}::real)::float8 as coverage
    from candidates order by score desc, article_id limit ${sql.lit(MAX_RANKED)}`.execute(db)
  return rows.filter(({ coverage }) => coverage >= MIN_COVERAGE)
}
