import type { WritingSource } from '#contract/conversations/writing-help.ts'
import { withoutMarks } from '#contract/text/plain.ts'
import type { Context } from '../../../context.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { suggest } from '../suggestions/suggest.ts'

/** A source with the piece of its text that the model is given. */
export interface SourcePiece extends WritingSource {
  text: string
}

/** Of each source. Six of them leave room for the conversation within a small model's context. */
const PIECE = 650
const LEAD = 150

/** What may answer the question that waits in a conversation: pieces of published articles and saved replies, numbered. */
export async function readSources(
  context: Context,
  account_id: string,
  conversation_id: string,
): Promise<SourcePiece[]> {
  const { articles, saved_replies } = await suggest(context, account_id, conversation_id)
  const texts = await readArticles(context, account_id, articles)
  const pieces = [
    ...articles.map(({ id, language, title, url, excerpt }) => ({
      kind: 'article' as const,
      name: title,
      url,
      text: pieceOf(texts.get(`${id} ${language}`) ?? '', excerpt.text),
    })),
    ...saved_replies.map(({ name, content, excerpt }) => ({
      kind: 'saved_reply' as const,
      name,
      url: null,
      text: pieceOf(withoutMarks(content), excerpt.text),
    })),
  ]
  return pieces.map((piece, at) => ({ number: at + 1, ...piece }))
}

async function readArticles(
  { db }: Context,
  account_id: string,
  articles: readonly { id: string }[],
): Promise<Map<string, string>> {
  if (articles.length === 0) return new Map()
  const rows = await ofAccount(db, account_id)
    .selectFrom('published_articles')
    .select(['article_id', 'language', 'text'])
    .where(
      'article_id',
      'in',
      articles.map(({ id }) => id),
    )
    .execute()
  return new Map(rows.map(({ article_id, language, text }) => [`${article_id} ${language}`, text]))
}

/** The piece of a text around its best part. */
function pieceOf(text: string, best: string): string {
  const passage = best.replaceAll('…', '')
  const start = Math.max(0, text.length <= PIECE ? 0 : text.indexOf(passage) - LEAD)
  return text.slice(start, start + PIECE).trim()
}
