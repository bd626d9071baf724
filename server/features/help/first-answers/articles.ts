import { sql } from 'kysely'
import type { AnswerArticle } from '#contract/help/first-answers.ts'
import type { Context } from '../../../context.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { wordsOf } from '../../conversations/search/terms.ts'
import { coverageOf, weighTerms } from '../../conversations/suggestions/weighing.ts'
import { searchArticles } from '../article-search/search.ts'
import { termsOf } from '../article-search/terms.ts'
import { readHelpCenter } from '../help-center/help-center.ts'

/** Articles that are read for one question. */
const MAX_ARTICLES = 6
/** What a model is given of them, and the length of each piece in characters. */
const MAX_PIECES = 6
const MAX_PIECE_LENGTH = 1_500
/** Longer articles are read only so far. */
const MAX_TEXT = 60_000

/** A part of a published article. */
export interface Piece {
  article: AnswerArticle
  text: string
}

/** The published articles that may answer a question, best first; none before the help centre is published. */
export async function findArticles(
  context: Context,
  account_id: string,
  question: string,
  language: string,
): Promise<AnswerArticle[]> {
  const center = await readHelpCenter(context.db, account_id)
  if (!center.is_published) return []
  const hits = await searchArticles(context, center, { q: question, language, limit: MAX_ARTICLES })
  return hits.map(({ id, language, title, url }) => ({ id, language, title, url }))
}

/** The parts of articles that contain most of a question, best first. */
export async function choosePieces(
  { db }: Pick<Context, 'db'>,
  account_id: string,
  question: string,
  articles: AnswerArticle[],
): Promise<Piece[]> {
  if (articles.length === 0) return []
  const rows = await ofAccount(db, account_id)
    .selectFrom('published_articles')
    .select(['article_id', 'language', 'summary', sql<string>`left(text, ${sql.lit(MAX_TEXT)})`.as('text')])
    .where(
      'article_id',
      'in',
      articles.map(({ id }) => id),
    )
    .execute()
  const terms = await weighTerms(db, account_id, termsOf(question))
  return articles
    .flatMap((article, rank) => {
      const row = rows.find(
        (candidate) => candidate.article_id === article.id && candidate.language === article.language,
      )
      if (!row) return []
      return split(`${row.summary}\n${row.text}`).map((text) => ({
        piece: { article, text },
        score: coverageOf(wordsOf(`${article.title} ${text}`), terms) - rank / 100,
      }))
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_PIECES)
    .map(({ piece }) => piece)
}

/** A text in pieces of whole paragraphs, as far as these are short enough. */
function split(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const paragraph of text.split(/\n+/).flatMap(cut)) {
    if (piece && piece.length + paragraph.length > MAX_PIECE_LENGTH) {
      pieces.push(piece)
      piece = ''
    }
    piece += `${piece && '\n'}${paragraph}`
  }
  return [...pieces, piece].filter((part) => part.trim())
}

function cut(paragraph: string): string[] {
  const parts: string[] = []
  for (let at = 0; at < paragraph.length; at += MAX_PIECE_LENGTH) parts.push(paragraph.slice(at, at + MAX_PIECE_LENGTH))
  return parts
}
