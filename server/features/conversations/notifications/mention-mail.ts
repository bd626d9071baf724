import * as z from 'zod/mini'
import type { Context } from '../../../context.ts'
import { chooseServerLanguage } from '../../../languages.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { readUserSettings } from '../../accounts/users/user-settings.ts'
import { loadUsers } from '../../accounts/users/users.ts'
import { writeMail } from '../../mail/mails/mails.ts'
import { getConversation } from '../conversations/conversations.ts'
import { answersTo, enqueueAlert, findMessage, lastMessages } from './alert-team.ts'
import { mentionMail } from './mail-templates.ts'

export const mailMention = defineJob('notifications.mailMention', {
  schema: z.object({ account_id: z.string(), message_id: z.string(), user_id: z.int() }),
  mails: ['mention'],
  run: (context: Context, { account_id, message_id, user_id }) =>
    writeMentionMail(context, account_id, message_id, user_id),
})

/** Mails a mention to a user who has not looked yet and wants such mails. */
async function writeMentionMail(
  context: Context,
  account_id: string,
  message_id: string,
  user_id: number,
): Promise<void> {
  const { db, change, config } = context
  const message = await findMessage(db, account_id, message_id)
  const user = (await loadUsers(db, account_id, [user_id])).get(user_id)
  if (!message || !user || user.disabled_at || user.archived_at) return
  const conversation = await getConversation(db, account_id, message.conversation_id, 'last')
  const mention = conversation.mentions.find(
    (candidate) => candidate.message_id === message_id && candidate.user_id === user_id,
  )
  if (!mention || mention.seen_at) return
  const messages = await lastMessages(db, conversation, { notes: true })
  await change(async (tx) => {
    const { email_alert_on_mention, language } = await readUserSettings(tx, account_id, user_id)
    if (!email_alert_on_mention || !(await enqueueAlert(tx, account_id, message_id))) return
    await writeMail(context, tx, account_id, {
      id: deriveId(`mention ${message_id} ${user_id}`),
      kind: 'mention',
      recipient: user.email,
      ...answersTo(config, conversation.id),
      content: mentionMail(chooseServerLanguage([language]), {
        conversation,
        author: message.user,
        messages,
        baseUrl: config.baseUrl,
      }),
    })
  })
}
