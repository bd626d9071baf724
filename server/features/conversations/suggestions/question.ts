import { withoutMarks } from '#contract/text/plain.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** Messages of a customer that are read for one question, the newest. */
const MAX_MESSAGES = 5
/** What is searched for, in characters: longer mails say what they want at the beginning. */
const MAX_LENGTH = 1_000

interface QuestionOptions {
  /** The assistant takes part: what it wrote answers as well, and the newest words count rather than the first ones. */
  withAssistant?: boolean
}

/** What a customer wrote since they were last answered; empty if nobody waits. */
export async function readQuestion(
  db: Db,
  account_id: string,
  conversation_id: string,
  { withAssistant = false }: QuestionOptions = {},
): Promise<string> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('messages')
    .select(['body', 'customer_id', 'email_subject'])
    .where('conversation_id', '=', conversation_id)
    .where('private', '=', false)
    .$if(!withAssistant, (query) => query.where('type', '=', 'reply'))
    .orderBy('number', 'desc')
    .limit(MAX_MESSAGES)
    .execute()
  const answered = rows.findIndex(({ customer_id }) => customer_id === null)
  const waiting = (answered < 0 ? rows : rows.slice(0, answered)).reverse()
  const text = waiting
    .flatMap(({ email_subject, body }) => [email_subject ?? '', withoutMarks(body?.slice(0, 2 * MAX_LENGTH) ?? '')])
    .join('\n')
    .trim()
  return withAssistant ? text.slice(-MAX_LENGTH) : text.slice(0, MAX_LENGTH)
}
