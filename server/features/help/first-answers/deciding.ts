import type { AnswerArticle, FirstAnswerKind, HandOverReason } from '#contract/help/first-answers.ts'
import type { Context } from '../../../context.ts'
import { translate } from '../../mail/mails/translate.ts'
import { findArticles } from './articles.ts'
import { escapeMarks } from './handing-over.ts'
import { wishOf } from './wishes.ts'
import { writeAnswer } from './writing.ts'

/** What the assistant does about a message. */
export interface Decision {
  kind: FirstAnswerKind
  reason: HandOverReason | null
  /** What it writes, as Markdown; null for nothing. */
  answer: string | null
  articles: AnswerArticle[]
}

export interface Inquiry {
  account_id: string
  /** The newest message of the customer. */
  message: string
  /** What they wrote since the last answer, with that message. */
  question: string
  /** The language in which they are answered. */
  language: string
  /** How often the assistant has not known an answer in this conversation. */
  misses: number
}

/** Articles that are offered where nothing writes an answer. */
const OFFERED = 3
/** The second time that it does not know, a person goes on. */
const MAX_MISSES = 1

/** Decides what is answered, from published articles alone; stores nothing. */
export async function decide(context: Context, inquiry: Inquiry): Promise<Decision> {
  const { account_id, message, question, language } = inquiry
  const wish = wishOf(message)
  if (wish === 'helped') return { kind: 'helped', reason: null, answer: null, articles: [] }
  if (wish === 'person') return handOver(language, 'asked_for_person')
  if (wish === 'anger') return handOver(language, 'angry')
  const articles = await findArticles(context, account_id, question, language)
  const written = await writeAnswer(context, inquiry, articles)
  if (written === 'gone') {
    return articles.length > 0 ? offer(language, articles.slice(0, OFFERED)) : handOver(language, 'no_answer')
  }
  if (!written) return inquiry.misses < MAX_MISSES ? askBack(language) : handOver(language, 'no_answer')
  const sources = `${translate(language, 'assistant_sources')}\n\n${listOf(written.articles)}`
  return { kind: 'answer', reason: null, answer: `${written.text}\n\n${sources}`, articles: written.articles }
}

/** A person goes on, and the customer is told so. */
export function handOver(language: string, reason: HandOverReason): Decision {
  const handedOver = translate(language, 'assistant_handed_over')
  const answer = reason === 'no_answer' ? `${translate(language, 'assistant_unknown')} ${handedOver}` : handedOver
  return { kind: 'handed_over', reason, answer, articles: [] }
}

/** The customer may say it in other words, once. */
function askBack(language: string): Decision {
  return { kind: 'asked_back', reason: null, answer: translate(language, 'assistant_ask_back'), articles: [] }
}

/** Without a model the best articles are named, and a person goes on. */
function offer(language: string, articles: AnswerArticle[]): Decision {
  const intro = translate(language, 'assistant_articles')
  const answer = `${intro}\n\n${listOf(articles)}\n\n${translate(language, 'assistant_handed_over')}`
  return { kind: 'handed_over', reason: 'no_model', answer, articles }
}

/** Articles as links, one in each line. */
function listOf(articles: AnswerArticle[]): string {
  return articles.map(({ title, url }) => `- [${escapeMarks(title)}](${url})`).join('\n')
}
