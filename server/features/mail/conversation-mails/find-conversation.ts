import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import type { Database } from '../../../platform/db/schema.ts'
import { readMailHistory } from './mail-history.ts'
import type { ThreadSigns } from './thread-signs.ts'

/** A mail's conversation. */
export interface FoundConversation {
  id: string
  customer_id: string
  inbox_id: string
  assignee_id: number | null
  closed_at: string | null
}

interface ReceivedMail {
  signs: ThreadSigns
  /** The sender's address in lower case. */
  from_address: string
  /** The addresses in To and Cc, in lower case. */
  named: string[]
  /** Addresses of the account, in lower case. */
  own: ReadonlySet<string>
  /** Sent by the team, in another program or in a member's name. */
  isOfTeam: boolean
  authorization_id: string | null
  gmail_thread: string | null
}

/**
 * The conversation of a mail, by the first of these signs: an address signed by us, the mails it answers, Gmail's
 * thread in the same mailbox, and last unsigned ids. Never by subject. Message-IDs and threads count only for those who
 * took part, because everybody can write them, and many people know that of a newsletter.
 */
export async function findConversation(
  db: Db,
  account_id: string,
  mail: ReceivedMail,
): Promise<FoundConversation | undefined> {
  const { signs } = mail
  return (
    (signs.signed && (await read(db, account_id, signs.signed))) ||
    (await findByAnswered(db, account_id, mail)) ||
    (await findByOwnThread(db, account_id, mail)) ||
    (signs.unsigned && (await findOfSender(db, account_id, signs.unsigned, mail))) ||
    undefined
  )
}

const columns = ['id', 'customer_id', 'inbox_id', 'assignee_id', 'closed_at'] as const

function read(db: Db, account_id: string, id: string): Promise<FoundConversation | undefined> {
  return ofAccount(db, account_id).selectFrom('conversations').select(columns).where('id', '=', id).executeTakeFirst()
}

const ANSWERED_LIMIT = 50
const CONVERSATIONS_LIMIT = 5

async function findByAnswered(db: Db, account_id: string, mail: ReceivedMail): Promise<FoundConversation | undefined> {
  const { answers } = mail.signs
  if (answers.length === 0) return undefined
  const rows = await ofAccount(db, account_id)
    .selectFrom('message_mails')
    .select(['conversation_id', 'direction', 'from_address', 'recipients', 'cc', 'bcc'])
    .where('message_header', 'in', answers)
    // Somebody may have used the Message-ID of a mail of ours for one of theirs.
    .orderBy(sql`array_position(${answers}::text[], message_header)`)
    .orderBy('direction', 'desc')
    .limit(ANSWERED_LIMIT)
    .execute()
  const row = rows.find((answered) => mail.isOfTeam || tookPart(answered, mail))
  if (row) return read(db, account_id, row.conversation_id)
  const ids = [...new Set(rows.map((row) => row.conversation_id))].slice(0, CONVERSATIONS_LIMIT)
  for (const id of ids) {
    const conversation = await readAsCorrespondent(db, account_id, id, mail)
    if (conversation) return conversation
  }
  return undefined
}

type AnsweredMail = Pick<
  Selectable<Database['message_mails']>,
  'direction' | 'from_address' | 'recipients' | 'cc' | 'bcc'
>

/**
 * Whether the sender wrote or received the mail that they answer. Whoever got a mail of a stranger answers that
 * stranger, too; an answer that does not go to them is about another mail with the same id.
 */
function tookPart(answered: AnsweredMail, { from_address, named, own }: ReceivedMail): boolean {
  const { direction, from_address: author, recipients, cc, bcc } = answered
  if (author === from_address) return true
  const isReceiver = [...recipients, ...cc, ...bcc].some((address) => address.toLowerCase() === from_address)
  return isReceiver && (direction === 'out' || !author || own.has(author) || named.includes(author))
}

async function readAsCorrespondent(
  db: Db,
  account_id: string,
  id: string,
  { isOfTeam, from_address, own }: ReceivedMail,
): Promise<FoundConversation | undefined> {
  const conversation = await read(db, account_id, id)
  if (!conversation || isOfTeam) return conversation
  // Whom a stranger has put in copy does not belong to the stranger's conversation.
  const { correspondents } = await readMailHistory(db, account_id, conversation, { own })
  return correspondents.has(from_address) ? conversation : undefined
}

async function findByOwnThread(db: Db, account_id: string, mail: ReceivedMail) {
  const { authorization_id, gmail_thread } = mail
  if (!gmail_thread || !authorization_id) return undefined
  const conversation = await findByGmailThread(db, account_id, authorization_id, gmail_thread)
  return conversation && readAsCorrespondent(db, account_id, conversation.id, mail)
}

/** Whether a Gmail thread already belongs to a conversation. */
export async function isKnownGmailThread(db: Db, account_id: string, authorization_id: string, thread: string) {
  return (await findByGmailThread(db, account_id, authorization_id, thread)) !== undefined
}

/** The Gmail thread of a conversation in one mailbox. */
export async function findGmailThread(
  db: Db,
  account_id: string,
  authorization_id: string,
  conversation_id: string,
): Promise<string | undefined> {
  const row = await ofAccount(db, account_id)
    .selectFrom('message_mails')
    .select('gmail_thread')
    .where('authorization_id', '=', authorization_id)
    .where('conversation_id', '=', conversation_id)
    .where('gmail_thread', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.gmail_thread ?? undefined
}

async function findByGmailThread(db: Db, account_id: string, authorization_id: string, thread: string) {
  const row = await ofAccount(db, account_id)
    .selectFrom('message_mails')
    .select('conversation_id')
    .where('authorization_id', '=', authorization_id)
    .where('gmail_thread', '=', thread)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && read(db, account_id, row.conversation_id)
}

/** An unsigned id only counts for the conversation's customer and the team, who answers its notifications. */
async function findOfSender(db: Db, account_id: string, id: string, { from_address, isOfTeam }: ReceivedMail) {
  const conversation = await read(db, account_id, id)
  if (!conversation || isOfTeam) return conversation
  const customer = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select('id')
    .where('id', '=', conversation.customer_id)
    .where(sql<boolean>`lower(email) = ${from_address}`)
    .executeTakeFirst()
  return customer && conversation
}
