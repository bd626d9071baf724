import * as z from 'zod/mini'
import type { Context } from '../../../context.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { replyAddress } from '../../mail/conversation-mails/own-addresses.ts'
import { renderForCustomer } from '../../mail/email-templates/render-for-customer.ts'
import { writeMail } from '../../mail/mails/mails.ts'
import { getConversation } from '../conversations/conversations.ts'
import { listReplyAddresses } from '../conversations/reply-address.ts'
import { forCustomer } from '../messages/for-customer.ts'
import { selectMessages } from '../messages/messages.ts'
import { enqueueAlert, findMessage, lastMessages } from './alert-team.ts'
import { readConsent } from './consent.ts'
import { replyMail, replyVariables } from './mail-templates.ts'
import { loadSender } from './sender.ts'
import { unsubscribeLink } from './unsubscribing.ts'

export const mailReply = defineJob('notifications.mailReply', {
  schema: z.object({ account_id: z.string(), message_id: z.string() }),
  mails: ['reply'],
  run: (context: Context, { account_id, message_id }) => writeReplyMail(context, account_id, message_id),
})

const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/

/**
 * Mails the team's messages to a customer with an address who has not seen them. A newer reply replaces this one, so
 * that several in a row become one mail.
 */
async function writeReplyMail(context: Context, account_id: string, message_id: string): Promise<void> {
  const { db, change, config } = context
  const message = await findMessage(db, account_id, message_id)
  if (!message || message.seen_at) return
  const conversation = await getConversation(db, account_id, message.conversation_id, 'last')
  const { customer } = conversation
  if (conversation.archived_at || conversation.source !== 'chat') return
  const addresses = await listReplyAddresses(db, [{ account_id, conversation_id: conversation.id }])
  const recipient = addresses.get(`${account_id} ${conversation.id}`)
  if (!recipient || !ADDRESS.test(recipient)) return
  if (await hasNewer(context, account_id, conversation.id, message.number)) return
  const { acceptsMail, mailsReplies, language, hasSession } = await readConsent(db, account_id, customer.id)
  if (!acceptsMail || !mailsReplies) return
  const sender = await loadSender(context, conversation)
  if (!sender) return
  const { account, company, brand } = sender
  const messages = await lastMessages(db, conversation, { notes: false })
  const unsubscribe = unsubscribeLink(config, account_id, customer.id)
  const thread = `<conversation-${conversation.id}@${new URL(config.baseUrl).hostname}>`
  const reply = {
    company: brand.name,
    brand,
    // Without a session, anybody who guesses an id could have set the page.
    page: hasSession ? customer.current_url : null,
    messages: company ? messages.map((item) => forCustomer(item, company)) : messages,
    unsubscribe: unsubscribe.href,
  }
  const variables = replyVariables(language, { ...reply, customer })
  const content = (await renderForCustomer(context, account_id, 'reply', variables)) ?? replyMail(language, reply)
  await change(async (tx) => {
    if (!(await enqueueAlert(tx, account_id, message_id))) return
    await writeMail(context, tx, account_id, {
      id: deriveId(`reply ${message_id}`),
      kind: 'reply',
      recipient,
      from_name:
        company?.name || message.user?.display_name || message.user?.full_name || `${account.company_name} Team`,
      // Mails to the signed address are added to this conversation. Without inbound mail they go to the author; but
      // where the company stands for its people, a personal address would reveal one of them.
      reply_to: replyAddress(config, conversation.id) ?? (company ? null : (message.user?.email ?? null)),
      content,
      headers: {
        'In-Reply-To': thread,
        References: thread,
        ...unsubscribe.headers,
      },
    })
  })
}

/** Whether the team has written to the customer again; that message gets its own mail. */
async function hasNewer({ db }: Context, account_id: string, conversation_id: string, number: number) {
  const newer = await selectMessages(db, account_id)
    .where('conversation_id', '=', conversation_id)
    .where('number', '>', number)
    .where('private', '=', false)
    .where('type', '=', 'reply')
    .where('user_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return !!newer
}
