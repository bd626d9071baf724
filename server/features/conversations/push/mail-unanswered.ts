import * as z from 'zod/mini'
import type { Context } from '../../../context.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { languageOf } from '../../accounts/users/user-settings.ts'
import { loadUsers } from '../../accounts/users/users.ts'
import { writeMail } from '../../mail/mails/mails.ts'
import { getConversation } from '../conversations/conversations.ts'
import { answersTo, enqueueAlert, findMessage } from '../notifications/alert-team.ts'
import { messageMail } from '../notifications/mail-templates.ts'
import { findLiveAlert } from './alerts.ts'

/** Mails a user what they were notified about and what nobody has read since. */
export const mailUnanswered = defineJob('push.mailUnanswered', {
  schema: z.object({ account_id: z.string(), user_id: z.int(), alert_id: z.string() }),
  mails: ['new_message'],
  run: (context: Context, { account_id, user_id, alert_id }) => mailAlert(context, account_id, user_id, alert_id),
})

/** The id of the mail is that of the mail at once about the same message, so nobody gets both. */
async function mailAlert(context: Context, account_id: string, user_id: number, alert_id: string): Promise<void> {
  const { db, change, config } = context
  const alert = await findLiveAlert(db, account_id, alert_id)
  const message = alert?.message_id ? await findMessage(db, account_id, alert.message_id) : undefined
  const user = (await loadUsers(db, account_id, [user_id])).get(user_id)
  if (!message || !user || user.disabled_at || user.archived_at) return
  const { customer } = await getConversation(db, account_id, message.conversation_id, 'last')
  const language = await languageOf(db, account_id, user_id)
  await change(async (tx) => {
    if (!(await enqueueAlert(tx, account_id, message.id))) return
    await writeMail(context, tx, account_id, {
      id: deriveId(`alert ${message.id} ${user_id}`),
      kind: 'new_message',
      recipient: user.email,
      ...answersTo(config, message.conversation_id),
      content: messageMail(language, { customer, message, baseUrl: config.baseUrl }),
    })
  })
}
