import { sql } from 'kysely'
import type { Db } from '../../platform/db/change.ts'
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
  authorization_id: string | null
  gmail_thread: string | null
}

/**
 * The conversation of a mail, by the first of these signs: an address signed by us, the mails it answers, Gmail's
 * thread in the same mailbox, and last unsigned ids, if its customer sent them. Never by subject.
 */
export async function findConversation(
  db: Db,
  account_id: string,
  { signs, from_address, authorization_id, gmail_thread }: ReceivedMail,
): Promise<FoundConversation | undefined> {
  return (
    (signs.signed && (await read(db, account_id, signs.signed))) ||
    (await findByAnswered(db, account_id, signs.answers)) ||
    (gmail_thread && authorization_id && (await findByGmailThread(db, account_id, authorization_id, gmail_thread))) ||
    (signs.unsigned && (await findOfSender(db, account_id, signs.unsigned, from_address))) ||
    undefined
  )
}

const columns = ['id', 'customer_id', 'inbox_id', 'assignee_id', 'closed_at'] as const

function read(db: Db, account_id: string, id: string): Promise<FoundConversation | undefined> {
  return db
    .selectFrom('conversations')
    .select(columns)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

async function findByAnswered(db: Db, account_id: string, answers: string[]): Promise<FoundConversation | undefined> {
  if (answers.length === 0) return undefined
  const found = await db
    .selectFrom('message_mails')
    .select('conversation_id')
    .where('account_id', '=', account_id)
    .where('message_header', 'in', answers)
    .orderBy(sql`array_position(${answers}::text[], message_header)`)
    .limit(1)
    .executeTakeFirst()
  return found && read(db, account_id, found.conversation_id)
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
  const found = await db
    .selectFrom('message_mails')
    .select('gmail_thread')
    .where('account_id', '=', account_id)
    .where('authorization_id', '=', authorization_id)
    .where('conversation_id', '=', conversation_id)
    .where('gmail_thread', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.gmail_thread ?? undefined
}

async function findByGmailThread(db: Db, account_id: string, authorization_id: string, thread: string) {
  const found = await db
    .selectFrom('message_mails')
    .select('conversation_id')
    .where('account_id', '=', account_id)
    .where('authorization_id', '=', authorization_id)
    .where('gmail_thread', '=', thread)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found && read(db, account_id, found.conversation_id)
}

/** An unsigned id only counts if the sender's address is that of the conversation's customer. */
async function findOfSender(db: Db, account_id: string, id: string, from_address: string) {
  const found = await read(db, account_id, id)
  if (!found) return undefined
  const customer = await db
    .selectFrom('customers')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', '=', found.customer_id)
    .where(sql<boolean>`lower(email) = ${from_address}`)
    .executeTakeFirst()
  return customer && found
}
