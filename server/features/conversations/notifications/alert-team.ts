import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { Message } from '#contract/conversations/messages.ts'
import type { Config } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { chooseServerLanguage } from '../../../languages.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { replyAddress } from '../../mail/conversation-mails/own-addresses.ts'
import { writeMail } from '../../mail/mails/mails.ts'
import { getConversation } from '../conversations/conversations.ts'
import { expandMessages, selectMessages } from '../messages/messages.ts'
import { conversationMail, messageMail } from './mail-templates.ts'
import { hasDevice, wantsMessages } from './push-wishes.ts'

export const alertTeam = defineJob('notifications.alertTeam', {
  // `is_first`: of its conversation it is the first that the team sees.
  schema: z.object({ account_id: z.string(), message_id: z.string(), is_first: z.optional(z.literal(1)) }),
  mails: ['new_conversation', 'new_message'],
  run: (context: Context, { account_id, message_id, is_first }) =>
    mailAlerts(context, account_id, message_id, is_first === 1),
})

/**
 * Mails a customer's message to users who asked for that. May run twice: the id of a mail is derived from its subject
 * matter. Not while the assistant answers: handing over enqueues it again.
 */
async function mailAlerts(context: Context, account_id: string, message_id: string, isFirst: boolean): Promise<void> {
  const message = await findMessage(context.db, account_id, message_id)
  if (!message) return
  const isOfStart = isFirst || message.number === 1
  const users = await usersToAlert(context.db, account_id, message.conversation_id, isOfStart)
  if (users.length === 0) return
  const { customer, source, assistant } = await getConversation(context.db, account_id, message.conversation_id, 'last')
  if (assistant === 'answering') return
  const alert = { customer, message, baseUrl: context.config.baseUrl }
  // A customer who writes over another channel than the chat is on no page now.
  const page = source === 'chat' ? customer.current_url : null
  await context.change(async (tx) => {
    if (!(await enqueueAlert(tx, account_id, message_id))) return
    for (const { id, email, language, isOfConversation } of users) {
      await writeMail(context, tx, account_id, {
        id: deriveId(`alert ${message.id} ${id}`),
        kind: isOfConversation ? 'new_conversation' : 'new_message',
        recipient: email,
        ...answersTo(context.config, message.conversation_id),
        content: isOfConversation ? conversationMail(language, { ...alert, page }) : messageMail(language, alert),
      })
    }
  })
}

/** An answer to a mail for the team comes back to its conversation, where it becomes a note of its author. */
export function answersTo(config: Config, conversation_id: string) {
  const headers = { References: `<conversation-${conversation_id}@${new URL(config.baseUrl).hostname}>` }
  return { reply_to: replyAddress(config, conversation_id) ?? null, headers }
}

/**
 * Active users who want mails about every message, or about every new conversation. For a first message, those who want
 * both only get the mail about the new conversation. Not those whose devices are notified of this conversation first:
 * their mail follows if nobody has reacted.
 */
async function usersToAlert(db: Db, account_id: string, conversation_id: string, isFirst: boolean) {
  const rows = await selectRecipients(db, account_id)
    .select('user_settings.email_alert_on_new_conversation')
    .where(
      sql<boolean>`not exists (
        select from push_settings s
        join users u on u.account_id = s.account_id and u.id = s.user_id
        join conversations c on c.account_id = s.account_id and c.id = ${conversation_id}
        where s.account_id = users.account_id and s.user_id = users.id and s.mail_after_minutes is not null
          and ${hasDevice} and ${wantsMessages})`,
    )
    .where((eb) =>
      eb.or([
        eb('user_settings.email_alert_on_new_message', '=', true),
        ...(isFirst ? [eb('user_settings.email_alert_on_new_conversation', '=', true)] : []),
      ]),
    )
    .execute()
  return rows.map(({ id, email, language, email_alert_on_new_conversation }) => ({
    id,
    email,
    language: chooseServerLanguage([language]),
    isOfConversation: isFirst && email_alert_on_new_conversation,
  }))
}

/** The users who can be mailed, with their settings. */
export function selectRecipients(db: Db, account_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('users')
    .innerJoin('user_settings', (join) =>
      join.onRef('user_settings.account_id', '=', 'users.account_id').onRef('user_settings.user_id', '=', 'users.id'),
    )
    .select(['users.id', 'users.email', 'user_settings.language'])
    .where('users.disabled_at', 'is', null)
    .where('users.archived_at', 'is', null)
    .orderBy('users.id')
}

/** A message with its author, if it still exists. */
export async function findMessage(db: Db, account_id: string, id: string): Promise<Message | undefined> {
  const row = await selectMessages(db, account_id).where('id', '=', id).executeTakeFirst()
  const [message] = row ? await expandMessages(db, account_id, [row]) : []
  return message
}

/**
 * Whether a message exists; locks it until the transaction ends. A message read earlier may have been erased since, and
 * must not survive in a mail.
 */
export async function enqueueAlert({ db }: Change, account_id: string, id: string): Promise<boolean> {
  const held = await ofAccount(db, account_id)
    .selectFrom('messages')
    .select('id')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  return !!held
}

/** The last few messages of a conversation, oldest first; notes only for the team. */
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
