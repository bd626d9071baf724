import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Context } from '../../../context.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { lockConversation, saveConversation } from '../../conversations/conversations/conversations.ts'
import { postMessage } from '../../conversations/conversations/posting.ts'
import { updateConversation } from '../../conversations/conversations/updating.ts'
import { readQuestion } from '../../conversations/suggestions/question.ts'
import { translate } from '../../mail/mails/translate.ts'
import { readCustomerLanguage } from '../../widget/inboxes/customer-language.ts'
import { type Decision, decide, handOver } from './deciding.ts'
import { handOverToTeam } from './handing-over.ts'
import { wishOf } from './wishes.ts'

/**
 * Answers a message of a customer. Runs twice if the server was killed: what the assistant did about a message is
 * stored once, in the transaction that sends its answer.
 */
export const answerMessage = defineJob('firstAnswers.answer', {
  schema: z.object({ account_id: z.string(), message_id: z.string() }),
  // Later tries would answer what the customer has given up; the schedule hands over what is late.
  tries: 3,
  concurrency: 5,
  // A slow model would delay the answers to others.
  startsAlone: true,
  timeout: 120,
  run: (context: Context, { account_id, message_id }) => answer(context, account_id, message_id),
})

/** A message that waits for the assistant, with what decides about its answer. */
interface Waiting {
  account_id: string
  message_id: string
  conversation_id: string
  customer_id: string
  inbox_id: string
  body: string
  assistant: 'answering' | 'handed_over'
  first_answers: string
  /** Answers in this conversation, answers to this customer within a day, and their messages within a minute. */
  answers: number
  answers_today: number
  messages_now: number
  /** How often the assistant has asked back in this conversation. */
  misses: number
}

/** Nobody gets more answers, nor is anybody answered who writes more quickly: a person goes on. */
const MAX_ANSWERS = 10
const MAX_ANSWERS_A_DAY = 20
const MAX_MESSAGES_A_MINUTE = 8

async function answer(context: Context, account_id: string, message_id: string): Promise<void> {
  const waiting = await findWaiting(context.db, account_id, message_id)
  if (!waiting) return
  const language = await readCustomerLanguage(context.db, waiting)
  // Whoever waits for a person may say that an article has helped. Anything else is for that person, and asks no model.
  if (waiting.assistant === 'handed_over' && wishOf(waiting.body) !== 'helped') return
  const decision = await decideAbout(context, waiting, language)
  await context.change((tx) => carryOut(context, tx, waiting, decision, language))
}

/** Hands over a conversation whose newest message was not answered in time. */
export async function handOverLate(context: Context, account_id: string, message_id: string): Promise<void> {
  const waiting = await findWaiting(context.db, account_id, message_id)
  if (waiting?.assistant !== 'answering') return
  const language = await readCustomerLanguage(context.db, waiting)
  await context.change((tx) => carryOut(context, tx, waiting, handOver(language, 'late'), language))
}

async function decideAbout(context: Context, waiting: Waiting, language: string): Promise<Decision> {
  const { account_id, conversation_id, body: message } = waiting
  const isTooMuch =
    waiting.answers >= MAX_ANSWERS ||
    waiting.answers_today >= MAX_ANSWERS_A_DAY ||
    waiting.messages_now > MAX_MESSAGES_A_MINUTE
  if (waiting.assistant === 'answering' && isTooMuch) return handOver(language, 'too_many')
  if (waiting.assistant === 'answering' && waiting.first_answers === 'never') return handOver(language, 'switched_off')
  const question = await readQuestion(context.db, account_id, conversation_id, { withAssistant: true })
  return decide(context, { account_id, message, question, language, misses: waiting.misses })
}

/** The message, unless a newer one of its customer waits, a person has answered, or it was dealt with already. */
async function findWaiting(db: Db, account_id: string, message_id: string): Promise<Waiting | undefined> {
  const { rows } = await sql<Waiting>`
    select m.account_id, m.id as message_id, m.conversation_id, c.customer_id, c.inbox_id, coalesce(m.body, '') as body,
      c.assistant, i.first_answers,
      (select count(*)::integer from first_answers f
        join messages a on a.account_id = f.account_id and a.id = f.message_id
        where a.account_id = c.account_id and a.conversation_id = c.id) as answers,
      (select count(*)::integer from first_answers f
        join messages a on a.account_id = f.account_id and a.id = f.message_id
        where f.account_id = c.account_id and f.created_at > now() - interval '1 day'
          and a.customer_id = c.customer_id) as answers_today,
      (select count(*)::integer from messages a
        where a.account_id = c.account_id and a.conversation_id = c.id and a.customer_id is not null
          and a.created_at > now() - interval '1 minute') as messages_now,
      (select count(*)::integer from first_answers f
        join messages a on a.account_id = f.account_id and a.id = f.message_id
        where a.account_id = c.account_id and a.conversation_id = c.id and f.kind = 'asked_back') as misses
    from messages m
    join conversations c on c.account_id = m.account_id and c.id = m.conversation_id
    join inboxes i on i.account_id = c.account_id and i.id = c.inbox_id
    where m.account_id = ${account_id} and m.id = ${message_id} and c.archived_at is null
      and c.assistant in ('answering', 'handed_over') and c.first_replied_at is null
      and not exists (select from messages n where n.account_id = m.account_id and n.conversation_id = m.conversation_id
        and n.number > m.number and n.customer_id is not null)
      and not exists (select from first_answers f where f.account_id = m.account_id and f.message_id = m.id)`.execute(
    db,
  )
  return rows[0]
}

/** Does what was decided, unless the customer or a person wrote meanwhile, or it is done already. */
async function carryOut(
  context: Pick<Context, 'mailer' | 'config' | 'jobs'>,
  tx: Change,
  { account_id, message_id, conversation_id, assistant }: Waiting,
  { kind, reason, answer, articles }: Decision,
  language: string,
): Promise<void> {
  const conversation = await lockConversation(tx.db, account_id, conversation_id)
  if (conversation?.assistant !== assistant || !(await findWaiting(tx.db, account_id, message_id))) return
  const answer_id = answer === null ? null : deriveId(`first answer ${message_id}`)
  await tx.db
    .insertInto('first_answers')
    .values({ account_id, message_id, answer_id, kind, reason, articles: toJson(articles) })
    .execute()
  if (answer_id) {
    await postMessage(context, tx, account_id, ASSISTANT, {
      id: answer_id,
      conversation_id,
      body: answer,
      isQuiet: true,
      isByAssistant: true,
      template: buttonsFor({ kind, hasArticles: articles.length > 0 }, language),
    })
  }
  if (kind === 'handed_over') await handOverToTeam(context, tx, account_id, { conversation_id, message_id, reason })
  if (kind === 'helped') await close(tx, account_id, conversation_id)
}

/** The name of nobody stands above what the assistant writes. */
const ASSISTANT = { kind: 'bot', user_id: null } as const

/** “That helped” below whatever may have helped, and “I want a person” until one has been asked for. */
function buttonsFor({ kind, hasArticles }: { kind: Decision['kind']; hasArticles: boolean }, language: string) {
  const keys = [
    ...(kind === 'answer' || hasArticles ? (['assistant_helped'] as const) : []),
    ...(kind === 'handed_over' ? [] : (['assistant_person'] as const)),
  ]
  return keys.length > 0 ? { header: null, buttons: keys.map((key) => ({ text: translate(language, key) })) } : null
}

/** The customer was helped: nobody has to answer. */
async function close(tx: Change, account_id: string, conversation_id: string): Promise<void> {
  const conversation = await lockConversation(tx.db, account_id, conversation_id)
  await saveConversation(tx, conversation!, { assistant: 'helped', read: true })
  await updateConversation(tx, { account_id, user_id: null, address: '' }, conversation_id, { status: 'closed' })
}
