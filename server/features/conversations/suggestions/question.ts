import { withoutMarks } from '#contract/text/plain.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** Messages of a customer that are read for one question, the newest. */
const MAX_MESSAGES = 5
/** What is searched for, in characters: longer mails say what they want at the beginning. */
const MAX_LENGTH = 1_000

/** What a customer wrote since the team last answered; empty if nobody waits. */
export async function readQuestion(db: Db, account_id: string, conversation_id: string): Promise<string> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('messages')
    .select(['body', 'customer_id', 'email_subject'])
    .where('conversation_id', '=', conversation_id)
    .where('private', '=', false)
    .where('type', '=', 'reply')
    .orderBy('number', 'desc')
    .limit(MAX_MESSAGES)
    .execute()
  const answered = rows.findIndex(({ customer_id }) => customer_id === null)
  const waiting = (answered < 0 ? rows : rows.slice(0, answered)).reverse()
  return waiting
    .flatMap(({ email_subject, body }) => [email_subject ?? '', withoutMarks(body?.slice(0, 2 * MAX_LENGTH) ?? '')])
    .join('\n')
    .trim()
    .slice(0, MAX_LENGTH)
}
