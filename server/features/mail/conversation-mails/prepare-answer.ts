import { buffer } from 'node:stream/consumers'
import { userName } from '#contract/accounts/users.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { Message } from '#contract/conversations/messages.ts'
import { type Inbox, senderName } from '#contract/widget/inboxes.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { loopMark } from '../../../platform/mail/signed-marks.ts'
import { getConversation } from '../../conversations/conversations/conversations.ts'
import { findMailOptions } from '../../conversations/conversations/mail-options.ts'
import { findCompanyProfile, forCustomer } from '../../conversations/messages/for-customer.ts'
import { expandMessages, selectMessages } from '../../conversations/messages/messages.ts'
import { acceptsAutomaticMail } from '../../customers/customers/complaints.ts'
import { readCustomerLanguage } from '../../widget/inboxes/customer-language.ts'
import { getInbox } from '../../widget/inboxes/inboxes.ts'
import type { AnswerVariables } from '../email-templates/answer-template.ts'
import { renderForCustomer } from '../email-templates/render-for-customer.ts'
import { findAnswered, isAfterAutomaticMail, quoteOf } from './answered-mail.ts'
import { readAttachableBytes } from './attachable-bytes.ts'
import { answerSubject, quoteBelow, threadHeaders, type WrittenMail, writeAnswer, writeMessage } from './compose.ts'
import { replyAddress } from './own-addresses.ts'
import { chooseRecipients } from './recipients.ts'

/** A reply ready for any mail server. */
export interface PreparedAnswer {
  mail: Mail
  conversation_id: string
  references: string[]
}

/** Why a reply cannot be sent, as a sentence for the team. */
export class NoRecipient extends Error {}

/**
 * Writes the mail of a team message. Undefined if there is nothing to send: the message was deleted, came by mail
 * itself, or would be a machine answering a machine.
 * @throws NoRecipient
 */
export async function prepareAnswer(
  context: Context,
  account_id: string,
  message_id: string,
  from_address: string | null,
): Promise<PreparedAnswer | undefined> {
  const { db, config } = context
  const message = await readMessage(db, account_id, message_id)
  if (!message) return undefined
  const conversation = await getConversation(db, account_id, message.conversation_id, 'last')
  const position = { account_id, conversation_id: conversation.id, number: message.number }
  const { customer } = conversation
  const isMachine = message.type === 'bot'
  if (isMachine && (!acceptsAutomaticMail(customer) || (await isAfterAutomaticMail(db, position)))) return undefined
  const options = await findMailOptions(db, account_id, message_id)
  const recipients = await chooseRecipients(context, account_id, conversation, { before: message.number, options })
  const { to, cc, bcc } = recipients
  if (to.length === 0 || !to.every((address) => /^[^\s@<>"]+@[^\s@<>"]+$/.test(address))) {
    throw new NoRecipient('The customer has no e-mail address. Add one to the customer, then try again.')
  }
  const answered = await findAnswered(db, position, recipients)
  const { attached, links } = await readFiles(context, message, await readAttachableBytes(context, account_id))
  const company_name = await readCompanyName(db, account_id)
  const header = `<${message.id}@${new URL(config.baseUrl).hostname}>`
  const thread = threadHeaders(answered)
  const base = options?.subject ?? (answered?.subject || conversation.subject)
  const subject = answered ? answerSubject(base, company_name) : base || `New message from ${company_name}`
  const inbox = await getInbox(db, account_id, conversation.inbox_id)
  const agent = message.user ? userName(message.user) : company_name
  const written = await write(context, message, conversation, { company_name, agent, inbox, subject, links })
  return {
    conversation_id: conversation.id,
    references: thread.References?.split(' ') ?? [],
    mail: {
      ...quoteBelow(written, answered && quoteOf(answered, conversation, recipients, options?.quotes)),
      message_id: header,
      to,
      cc,
      bcc,
      from_name: senderName(inbox, { agent, company: company_name }),
      from_address,
      reply_to: replyAddress(config, conversation.id) ?? null,
      subject,
      files: attached,
      isOfPerson: message.type !== 'bot',
      headers: {
        ...thread,
        ...(message.type === 'bot' && { 'Auto-Submitted': 'auto-replied' }),
        'X-Parley-Loop': loopMark(config.secretKey!, header),
      },
    },
  }
}

interface AnswerFacts {
  company_name: string
  agent: string
  inbox: Inbox
  subject: string
  links: Message['attachments']
}

/** The reply in the company's template, or the default. The subject stays that of the thread. */
async function write(
  context: Context,
  message: Message,
  { customer, inbox_id }: Conversation,
  { company_name, agent, inbox, subject, links }: AnswerFacts,
): Promise<WrittenMail> {
  const content = writeMessage(message, links)
  const signature = (await readSignature(context.db, message)) ?? (inbox.mail_signature?.trim() || null)
  const variables: AnswerVariables = {
    language: await readCustomerLanguage(context.db, {
      account_id: message.account_id,
      customer_id: customer.id,
      inbox_id,
    }),
    company: { name: company_name },
    customer: { name: customer.name ?? '', email: customer.email ?? '' },
    agent: { name: agent },
    message: content,
    signature: signature ?? '',
    subject,
  }
  return (await renderForCustomer(context, message.account_id, 'answer', variables)) ?? writeAnswer(content, signature)
}

/** As its customer may see it: with the company in place of the author, where the inbox says so. */
async function readMessage(db: Db, account_id: string, id: string): Promise<Message | undefined> {
  const row = await selectMessages(db, account_id).where('id', '=', id).where('private', '=', false).executeTakeFirst()
  const [message] = row ? await expandMessages(db, account_id, [row]) : []
  if (!message || message.customer_id || (await isReceived(db, account_id, id))) return undefined
  const { user, metadata } = message
  return { ...forCustomer({ ...message, user }, await findCompanyProfile(db, message)), metadata }
}

/** Whether it arrived by mail. Deliveries that an older version planned may be of such messages. */
async function isReceived(db: Db, account_id: string, message_id: string): Promise<boolean> {
  const mail = await ofAccount(db, account_id)
    .selectFrom('message_mails')
    .select('message_id')
    .where('message_id', '=', message_id)
    .where('direction', '=', 'in')
    .executeTakeFirst()
  return mail !== undefined
}

/** The files of a message, in their order: those that fit into its mail, and those that become links. */
async function readFiles({ db, files }: Context, { account_id, attachments }: Message, limit: number) {
  const ids = attachments.map(({ id }) => id)
  const rows = ids.length
    ? await ofAccount(db, account_id).selectFrom('files').select(['id', 'key', 'size']).where('id', 'in', ids).execute()
    : []
  const attached: NonNullable<Mail['files']> = []
  const links: Message['attachments'] = []
  let free = limit
  for (const attachment of attachments) {
    const { id, filename, content_type } = attachment
    const { key, size } = rows.find((row) => row.id === id) ?? { key: '-', size: 0 }
    if (size > free) {
      links.push(attachment)
      continue
    }
    const stream = await files.get(key)
    if (stream) attached.push({ filename, content_type, bytes: await buffer(stream) })
    free -= size
  }
  return { attached, links }
}

async function readCompanyName(db: Db, account_id: string): Promise<string> {
  const { company_name } = await db
    .selectFrom('accounts')
    .select('company_name')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  return company_name
}

/** The author's own signature; a bot and somebody without an account have none. */
async function readSignature(db: Db, { account_id, user_id, external_author }: Message): Promise<string | null> {
  if (user_id === null || external_author) return null
  const row = await ofAccount(db, account_id)
    .selectFrom('user_settings')
    .select('mail_signature')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.mail_signature?.trim() || null
}
