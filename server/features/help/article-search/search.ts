import { sql } from 'kysely'
import type { ArticleHit } from '#contract/help/public-articles.ts'
import { MAX_ARTICLE_HITS } from '#contract/help/public-articles.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import type { HelpCenterRow } from '../help-center/help-center.ts'
import { countTerms, type WeighedTerm } from './counting.ts'
import { presentHits } from './presenting.ts'
import { vocabularies } from './spelling.ts'
import { stemQuery, termsOf, wordQuery } from './terms.ts'

/** Articles that are ranked for one search, found by its rarest words. */
const MAX_CANDIDATES = 400
/** A hit matches at least this share of the weight of all words, … */
const MIN_COVERAGE = 0.2
/** … and reaches this share of the best hit. */
const MIN_SHARE = 0.25
/** What an article in another language than the reader's is worth. */
const DEFAULT_LANGUAGE = 0.6
const OTHER_LANGUAGE = 0.4

interface Search {
  q: string
  language: string
  limit?: number | undefined
}

interface Candidate {
  article_id: string
  language: string
  score: number
  coverage: number
}

/**
 * Published articles for a question, best first: those with its rare words, in titles above all, in the reader's
 * language first. Each article is found once.
 */
export async function searchArticles(
  context: Context,
  center: HelpCenterRow,
  { q, language, limit = 10 }: Search,
): Promise<ArticleHit[]> {
  const { account_id } = center
  const terms = termsOf(q)
  if (terms.length === 0) return []
  const statistics = vocabularies(context)
  const total = await statistics.totalOf(account_id, center.version)
  if (total === 0) return []
  const readVocabulary = () => statistics.wordsOf(account_id, center.version)
  const weighed = await countTerms(context.db, account_id, terms, { total, readVocabulary })
  const searched = weighed.filter(({ count }) => count > 0)
  if (searched.length === 0) return []
  const found = await rank(context.db, account_id, weighed, searched)
  const languages = { language, default_language: center.default_language }
  const best = bestOfEach(found, languages).slice(0, Math.min(limit, MAX_ARTICLE_HITS))
  return presentHits(context, center, best, { q, language })
}

/** Scores the candidates by the weights of the words that are in their titles and texts. */
async function rank(db: Db, account_id: string, all: WeighedTerm[], searched: WeighedTerm[]): Promise<Candidate[]> {
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
  const sum = all.reduce((total, { weight }) => total + weight, 0)
  const { rows } = await sql<Candidate>`
    with candidates as materialized (${candidatesFor(account_id, searched)})
    select article_id, language, (${score})::float8 as score, ((${matched}) / ${sum}::real)::float8 as coverage
    from candidates order by score desc, article_id limit 200`.execute(db)
  return rows.filter(({ coverage }) => coverage >= MIN_COVERAGE)
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
  const keys = terms.map(({ key }) => `(${key})`).join(operator)
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

/** Each article once, with its score in the language that fits the reader best. */
function bestOfEach(
  candidates: Candidate[],
  { language, default_language }: { language: string; default_language: string },
): Candidate[] {
  const primary = (tag: string) => tag.split('-')[0]
  const factor = (tag: string) => {
    if (tag === language || primary(tag) === primary(language)) return 1
    return tag === default_language ? DEFAULT_LANGUAGE : OTHER_LANGUAGE
  }
  const best = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const score = candidate.score * factor(candidate.language)
    if ((best.get(candidate.article_id)?.score ?? 0) < score) best.set(candidate.article_id, { ...candidate, score })
  }
  const sorted = [...best.values()].sort((a, b) => b.score - a.score)
  const least = (sorted[0]?.score ?? 0) * MIN_SHARE
  return sorted.filter(({ score }) => score >= least)
}
