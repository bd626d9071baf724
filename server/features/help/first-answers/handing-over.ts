import type { HandOverReason } from '#contract/help/first-answers.ts'
import { cutText } from '#contract/text/graphemes.ts'
import type { Context } from '../../../context.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { lockConversation, saveConversation } from '../../conversations/conversations/conversations.ts'
import { postMessage } from '../../conversations/conversations/posting.ts'
import { expandMessages, selectMessages } from '../../conversations/messages/messages.ts'
import { alertTeam } from '../../conversations/notifications/alert-team.ts'
import { notifyOfHandOver } from '../../conversations/push/follow-events.ts'

/** The conversation and its message after which a person goes on. */
interface HandOver {
  conversation_id: string
  message_id: string
  reason: HandOverReason | null
}

/**
 * Ends the assistant's turn for good: a note says why and what was asked, the conversation becomes unread, and the team is
 * notified as of a new message.
 */
export async function handOverToTeam(
  context: Pick<Context, 'mailer' | 'config' | 'jobs'>,
  tx: Change,
  account_id: string,
  { conversation_id, message_id, reason }: HandOver,
): Promise<void> {
  await postMessage(
    context,
    tx,
    account_id,
    { kind: 'bot', user_id: null },
    {
      id: deriveId(`hand over ${message_id}`),
      conversation_id,
      private: true,
      isQuiet: true,
      isByAssistant: true,
      body: await summarize(tx.db, account_id, conversation_id, reason),
    },
  )
  const conversation = await lockConversation(tx.db, account_id, conversation_id)
  await saveConversation(tx, conversation!, { assistant: 'handed_over', read: false })
  await notifyOfHandOver(context, tx, { account_id, conversation_id, id: message_id })
  await context.jobs.enqueue(tx.db, alertTeam, { account_id, message_id, is_first: 1 })
}

const BECAUSE: Record<HandOverReason, string> = {
  asked_for_person: 'the customer asked for a person',
  angry: 'the customer seems to be angry',
  no_answer: 'it found no answer in the articles',
  no_model: 'it only names articles',
  too_many: 'the customer wrote too much',
  switched_off: 'it was switched off for this inbox',
  late: 'it could not answer in time',
}

/** Messages in a summary, and the length of each in characters. */
const MAX_MESSAGES = 20
const MAX_LENGTH = 300

/** Why it is handed over and what was said, for whoever goes on. */
async function summarize(db: Db, account_id: string, conversation_id: string, reason: HandOverReason | null) {
  const rows = await selectMessages(db, account_id)
    .where('conversation_id', '=', conversation_id)
    .where('private', '=', false)
    .orderBy('number', 'desc')
    .limit(MAX_MESSAGES)
    .execute()
  const messages = (await expandMessages(db, account_id, rows.reverse(), { withFiles: false })).filter(
    ({ customer_id, body }) => customer_id !== null && body?.trim(),
  )
  const named = await listNamed(db, account_id, conversation_id)
  return [
    `The assistant has handed this conversation over, because ${BECAUSE[reason ?? 'no_answer']}.`,
    ...(messages.length > 0 ? ['**The customer wrote:**', messages.map(({ body }) => quote(body!)).join('\n>\n')] : []),
    ...(named.length > 0
      ? ['**It named these articles:**', named.map((title) => `- ${escapeMarks(title)}`).join('\n')]
      : []),
  ].join('\n\n')
}

/** The articles that were named in a conversation, by their headings. */
async function listNamed(db: Db, account_id: string, conversation_id: string): Promise<string[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('first_answers')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.account_id', '=', 'first_answers.account_id')
        .onRef('messages.id', '=', 'first_answers.message_id'),
    )
    .select('first_answers.articles')
    .where('messages.conversation_id', '=', conversation_id)
    .orderBy('first_answers.created_at')
    .$castTo<{ articles: { title: string }[] }>()
    .execute()
  return [...new Set(rows.flatMap(({ articles }) => articles.map(({ title }) => title)))]
}

/** What a customer typed, as a quotation without formatting. */
function quote(body: string): string {
  return cutText(body.trim(), MAX_LENGTH)
    .split('\n')
    .map((line) => `> ${escapeMarks(line)}`)
    .join('\n')
}

/** A text whose signs are not read as Markdown. */
export function escapeMarks(text: string): string {
  return text.replace(/[\\[\]*_`~<>#]/g, '\\$&')
}
