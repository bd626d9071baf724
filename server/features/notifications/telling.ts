import type { Conversation } from '#contract/conversations.ts'
import type { Message } from '#contract/messages.ts'
import type { Parley } from '../../parley.ts'
import type { Db } from '../../platform/db/change.ts'
import { deriveId } from '../../platform/secrets.ts'
import { getConversation } from '../conversations/conversations.ts'
import { writeMail } from '../mails/mails.ts'
import { expandMessages, selectMessages } from '../messages/messages.ts'
import { alertLetter } from './letters.ts'

/** A mention that was seen on screen within this time needs no mail. */
const MENTION_MINUTES = 2
/** A customer who is still on the page reads the answer there; only who has left gets a mail. */
const REPLY_MINUTES = 20

/**
 * Tells people of a new message by mail: users who asked for it at once, mentioned users and the customer after a
 * while, if they have not seen it by then. May run twice: a mail has its id from what it is about.
 */
export async function tellOfMessage(parley: Parley, account_id: string, message_id: string): Promise<void> {
  const message = await findMessage(parley.db, account_id, message_id)
  if (!message) return
  if (message.customer_id && !message.private) return alertTeam(parley, message)
  if (message.type === 'bot' || message.user_id === null) return
  const conversation = await getConversation(parley.db, account_id, message.conversation_id, 'last')
  const mentioned = conversation.mentions.filter((mention) => mention.message_id === message_id)
  await parley.db.transaction().execute(async (trx) => {
    for (const { user_id } of mentioned) {
      const payload = { account_id, message_id, user_id }
      await parley.jobs.enqueue(trx, 'notifications.mailMention', payload, { not_before: inMinutes(MENTION_MINUTES) })
    }
    if (message.private || conversation.source !== 'chat') return
    const payload = { account_id, message_id }
    await parley.jobs.enqueue(trx, 'notifications.mailReply', payload, { not_before: inMinutes(REPLY_MINUTES) })
  })
}

async function alertTeam(parley: Parley, message: Message): Promise<void> {
  const { account_id } = message
  const users = await usersToAlert(parley.db, account_id, message.number === 1)
  if (users.length === 0) return
  const { customer } = await getConversation(parley.db, account_id, message.conversation_id, 'last')
  const { baseUrl } = parley.config
  await parley.change(async (open) => {
    for (const { id, email, language } of users) {
      await writeMail(parley, open, account_id, {
        id: deriveId(`alert ${message.id} ${id}`),
        kind: message.number === 1 ? 'new_conversation' : 'new_message',
        recipient: email,
        letter: alertLetter(language, { customer, message, baseUrl }),
      })
    }
  })
}

/** People who may sign in and asked to be told of every message, or of every new conversation. */
async function usersToAlert(db: Db, account_id: string, isFirst: boolean) {
  const rows = await db
    .selectFrom('users')
    .innerJoin('user_settings', (join) =>
      join.onRef('user_settings.account_id', '=', 'users.account_id').onRef('user_settings.user_id', '=', 'users.id'),
    )
    .select(['users.id', 'users.email', 'user_settings.language'])
    .where('users.account_id', '=', account_id)
    .where('users.disabled_at', 'is', null)
    .where('users.archived_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('user_settings.email_alert_on_new_message', '=', true),
        ...(isFirst ? [eb('user_settings.email_alert_on_new_conversation', '=', true)] : []),
      ]),
    )
    .orderBy('users.id')
    .execute()
  return rows.map((row) => ({ ...row, language: row.language === 'vi' ? ('vi' as const) : ('en' as const) }))
}

/** A message with who wrote it, if it is still there. */
export async function findMessage(db: Db, account_id: string, id: string): Promise<Message | undefined> {
  const row = await selectMessages(db, account_id).where('id', '=', id).executeTakeFirst()
  const [message] = row ? await expandMessages(db, account_id, [row]) : []
  return message
}

/** The last few messages of a conversation, oldest first; without notes unless they are for the team. */
export async function lastMessages(
  db: Db,
  { account_id, id }: Pick<Conversation, 'account_id' | 'id'>,
  { notes }: { notes: boolean },
): Promise<Message[]> {
  const rows = await selectMessages(db, account_id)
    .where('conversation_id', '=', id)
    .$if(!notes, (query) => query.where('private', '=', false))
    .orderBy('number', 'desc')
    .limit(5)
    .execute()
  return expandMessages(db, account_id, rows.reverse())
}

function inMinutes(minutes: number): Date {
  return new Date(Date.now() + minutes * 60_000)
}
