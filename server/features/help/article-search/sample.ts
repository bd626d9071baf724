import { sql } from 'kysely'
import type { SampleArticle } from '#contract/help/public-articles.ts'
import type { Db } from '../../../platform/db/change.ts'
import { rankArticles, type SearchedArticles } from './ranking.ts'
import { type QuestionTerm, stemQuery, termsOf } from './terms.ts'

/** A bot quotes what it finds, so it has to be surer than a list of results. */
const ENOUGH = 0.3

/** A few articles do not show which words are in every text, so the common ones of English are known here. */
const COMMON_WORDS = new Set(
  'a an the is are was were be do does did can could will would i you we it me my your our of to in on at for with and or if how what when where who why which there this that have has from us'.split(
    ' ',
  ),
)
/** In how many articles such a word would be. */
const COMMON_COUNT = 50

const isCommon = ({ words }: QuestionTerm) => words.every((word) => COMMON_WORDS.has(word))

/** The ids of those of the given articles that answer a question, best first. Nothing is stored. */
export async function searchSample(db: Db, articles: SampleArticle[], q: string): Promise<string[]> {
  if (termsOf(q).every(isCommon)) return []
  const ranked = await rankArticles(db, sampleArticles(db, articles), q)
  return ranked.filter(({ coverage }) => coverage >= ENOUGH).map(({ article_id }) => article_id)
}

/** Articles that are nowhere but in this request. They are few, so they need no index. */
function sampleArticles(db: Db, articles: SampleArticle[]): SearchedArticles {
  const rows = sql`
    select id as article_id, '' as language, words_of(title) as title_words, words_of(title || ' ' || body) as body_words
    from unnest(${articles.map(({ id }) => id)}::text[], ${articles.map(({ title }) => title)}::text[],
      ${articles.map(({ text }) => text)}::text[]) as sample (id, title, body)`
  return {
    total: async () => articles.length,
    candidates: () => rows,
    async count(terms) {
      const { rows: counts } = await sql<{ count: number }>`
        with sample as materialized (${rows})
        select (select count(*) from sample where body_words @@ wanted.query::tsquery) as count
        from unnest(${terms.map(stemQuery)}::text[]) with ordinality wanted (query, place) order by place`.execute(db)
      return counts.map(({ count }, at) => (isCommon(terms[at]!) ? COMMON_COUNT : Number(count)))
    },
    async titleWords() {
      const { rows: words } = await sql<{ word: string }>`
        select distinct word from (${rows}) sample, unnest(tsvector_to_array(title_words)) word`.execute(db)
      return words.map(({ word }) => word)
    },
  }
}
