import { sql } from 'kysely'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import type { QuotedText } from './compose.ts'
import type { Recipients } from './recipients.ts'

/** The conversation as far as a reply needs it. */
interface ReplyPosition {
  account_id: string
  conversation_id: string
  /** The number of the reply. */
  number: number
}

function select(db: Db, { account_id, conversation_id, number }: ReplyPosition) {
  return ofAccount(db, account_id)
    .selectFrom('message_mails')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.account_id', '=', 'message_mails.account_id')
        .onRef('messages.id', '=', 'message_mails.message_id'),
    )
    .select([
      'message_header',
      'refs',
      'message_mails.subject',
      'answer_to',
      'from_address',
      'from_name',
      'recipients',
      'cc',
      'messages.body',
      'messages.created_at',
    ])
    .where('message_mails.conversation_id', '=', conversation_id)
    .where('direction', '=', 'in')
    .where('verdict', '!=', 'automatic')
    .where('messages.customer_id', 'is not', null)
    .where('messages.number', '<', number)
}

/**
 * The mail that a reply answers: the newest of somebody who gets the reply, else the one that began the conversation.
 * One of a stranger is not continued, because its subject and thread are theirs.
 */
export async function findAnswered(db: Db, position: ReplyPosition, { to, cc }: Recipients) {
  const addresses = [...to, ...cc].map((address) => address.toLowerCase())
  const newest = await select(db, position)
    .where((eb) =>
      eb.or([
        sql<boolean>`from_address = any(${addresses}::text[])`,
        // Where answers go to the Reply-To of a proven mail.
        sql<boolean>`proof = 'pass' and answer_to = any(${addresses}::text[])`,
      ]),
    )
    .orderBy('messages.number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest ?? select(db, position).orderBy('messages.number').limit(1).executeTakeFirst()
}

type Answered = NonNullable<Awaited<ReturnType<typeof findAnswered>>>

/** Whether the newest mail before a message was a machine's, to which no machine answers. */
export async function isAfterAutomaticMail(
  db: Db,
  { account_id, conversation_id, number }: ReplyPosition,
): Promise<boolean> {
  const newest = await ofAccount(db, account_id)
    .selectFrom('message_mails')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.account_id', '=', 'message_mails.account_id')
        .onRef('messages.id', '=', 'message_mails.message_id'),
    )
    .select('verdict')
    .where('message_mails.conversation_id', '=', conversation_id)
    .where('direction', '=', 'in')
    .where('messages.number', '<', number)
    .where((eb) => eb.or([eb('messages.customer_id', 'is not', null), eb('verdict', '=', 'automatic')]))
    .orderBy('messages.number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.verdict === 'automatic'
}

/**
 * The earlier mail, to be quoted. If the author does not say, it is quoted only where everybody has it already or takes
 * part in the conversation: nobody reads what was written before they came without a decision of the author.
 */
export function quoteOf(
  { body, created_at, from_name, from_address, answer_to, recipients, cc }: Answered,
  { customer }: Conversation,
  { to, cc: copies, bcc, history }: Recipients,
  quotes: boolean | null | undefined,
): QuotedText | undefined {
  const readers = new Set([...recipients, ...cc, from_address, answer_to].map((address) => address?.toLowerCase()))
  const isShared = [...to, ...copies, ...bcc]
    .map((address) => address.toLowerCase())
    .every((address) => readers.has(address) || history.participants.has(address))
  if (!(quotes ?? isShared) || !body?.trim()) return undefined
  return { body, at: created_at, author: from_name ?? customer.name ?? from_address ?? 'you' }
}
