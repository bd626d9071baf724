import { plainText } from '#contract/text/plain.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** The newest messages of a conversation that a model is given. */
const MOST_MESSAGES = 20
/** A long mail says what it wants at its beginning. */
const MOST_CHARACTERS_OF_ONE = 1_500

/**
 * The newest messages of a conversation as text, oldest first, as many as fit: who wrote, and what. Private notes only if
 * they are wanted; of files not even their names.
 */
export async function readThread(
  db: Db,
  account_id: string,
  conversation_id: string,
  { notes, characters }: { notes: boolean; characters: number },
): Promise<string> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('messages')
    .select(['body', 'customer_id', 'private', 'email_subject', 'source'])
    .where('conversation_id', '=', conversation_id)
    .$if(!notes, (query) => query.where('private', '=', false))
    .orderBy('number', 'desc')
    .limit(MOST_MESSAGES)
    .execute()
  const lines: string[] = []
  let remaining = characters
  for (const { body, customer_id, private: isNote, email_subject, source } of rows) {
    const text = plainText({ body: body?.slice(0, 2 * MOST_CHARACTERS_OF_ONE) ?? null, customer_id, source }).trim()
    if (!text) continue
    const author = isNote ? 'Note of the team' : customer_id ? 'Customer' : 'Team'
    const subject = email_subject ? ` (subject: ${email_subject.slice(0, 200)})` : ''
    const line = `${author}${subject}: ${text.slice(0, MOST_CHARACTERS_OF_ONE)}`
    if (line.length > remaining) break
    remaining -= line.length
    lines.unshift(line)
  }
  return lines.join('\n\n')
}
