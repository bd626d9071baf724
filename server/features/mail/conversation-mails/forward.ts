import { userName } from '#contract/accounts/users.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { displayName } from '#contract/customers/customers.ts'
import type { Body } from '#contract/endpoint.ts'
import { type conversationForwarding, FORWARDED_PER_HOUR } from '#contract/mail/conversation-forwarding.ts'
import type { Context } from '../../../context.ts'
import { NotFound, Refusal } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { consume } from '../../../platform/limits/limits.ts'
import { deriveId, newId } from '../../../platform/secrets.ts'
import { languageOf } from '../../accounts/users/user-settings.ts'
import { getUser } from '../../accounts/users/users.ts'
import { assertVerified } from '../../accounts/users/verified-address.ts'
import { getConversation } from '../../conversations/conversations/conversations.ts'
import { postMessage } from '../../conversations/conversations/posting.ts'
import { listForCustomer } from '../../conversations/messages/for-customer.ts'
import { listMessages } from '../../conversations/messages/messages.ts'
import { hasComplained } from '../../customers/customers/complaints.ts'
import { renderForCustomer } from '../email-templates/render-for-customer.ts'
import { type TranscriptVariables, transcriptMail, transcriptTexts } from '../email-templates/transcript-template.ts'
import { writeMail } from '../mails/mails.ts'
import { writeMessage } from './compose.ts'

type Forward = Body<typeof conversationForwarding.forward>['forward']

/** Only the newest messages, so that every mail program accepts the mail. */
const MAX_MESSAGES = 200
const PER_ACCOUNT = { capacity: FORWARDED_PER_HOUR, perSecond: FORWARDED_PER_HOUR / 3_600 }

/**
 * Sends a conversation by mail, as its customer may see it, and adds a note about it. A repeat with the same key sends
 * nothing.
 * @throws NotFound; Refusal without a mail server or a confirmed address; TooMany
 */
export async function forwardConversation(
  context: Context,
  caller: User,
  conversation_id: string,
  { key, to, note }: Forward,
): Promise<void> {
  const { db, change, config, limits, mailer } = context
  const { account_id, user_id } = caller
  const conversation = await getConversation(db, account_id, conversation_id, 'last')
  if (conversation.archived_at) throw new NotFound()
  if (!mailer.isOn) throw new Refusal(409, 'No mail server is set up. Set SMTP_URL and start again.', 'no_mail_server')
  if (await hasComplained(db, account_id, to)) {
    throw new Refusal(
      409,
      `${to} has marked a mail of yours as spam, so no transcripts go there. Allow automatic mails on the customer's page first.`,
      'complained',
    )
  }
  await assertVerified(context, db, account_id)
  if (config.rateLimits) await consume(limits, `forward:${account_id}`, PER_ACCOUNT)
  const agent = await getUser(db, account_id, user_id)
  const variables = await readTranscript(context, caller, conversation, { agent: userName(agent), note: note?.trim() })
  const content = (await renderForCustomer(context, account_id, 'transcript', variables)) ?? transcriptMail(variables)
  const made = deriveId(`forward ${account_id} ${conversation_id} ${key ?? newId()}`)
  // By this the mail is found and deleted when the customer is erased.
  const thread = `<conversation-${conversation_id}@${new URL(config.baseUrl).hostname}>`
  await change(async (tx) => {
    await writeMail(context, tx, account_id, {
      id: made,
      kind: 'transcript',
      recipient: to,
      from_name: userName(agent),
      // Answers go to the agent who forwarded it. In the conversation its customer would read them.
      reply_to: agent.email,
      content,
      headers: { References: thread },
    })
    const body = [`Forwarded by mail to ${to}.`, note?.trim()].filter(Boolean).join('\n\n')
    await postMessage(
      context,
      tx,
      account_id,
      { kind: 'bot', user_id },
      { id: made, conversation_id, body, private: true, isQuiet: true },
    )
  })
}

async function readTranscript(
  { db }: Context,
  { account_id, user_id }: User,
  conversation: Conversation,
  { agent, note = '' }: { agent: string; note: string | undefined },
): Promise<TranscriptVariables> {
  const language = await languageOf(db, account_id, user_id)
  const { company_name } = await db
    .selectFrom('accounts')
    .select('company_name')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  const { customer, subject, id: conversation_id } = conversation
  const page = await listMessages(db, account_id, { conversation_id, private: false, limit: MAX_MESSAGES })
  const messages = (await listForCustomer(db, account_id, page.data)).toReversed()
  const name = displayName(customer)
  return {
    language,
    company: { name: company_name },
    customer: { name, email: customer.email ?? '' },
    agent: { name: agent },
    note,
    subject: subject ?? '',
    messages: messages.map((message) => ({
      author: message.customer_id ? name : userName(message.user) || company_name,
      ...writeMessage(message, message.attachments),
      is_customer: message.customer_id !== null,
      sent_at: message.created_at,
    })),
    texts: transcriptTexts(language, { agent, customer: name, subject }),
  }
}
