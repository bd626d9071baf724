import { buffer } from 'node:stream/consumers'
import type { Conversation } from '#contract/conversations.ts'
import type { Message } from '#contract/messages.ts'
import { userName } from '#contract/users.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../platform/db/change.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { loopMark } from '../../platform/mail/signed-marks.ts'
import { getConversation } from '../conversations/conversations.ts'
import type { AnswerVariables } from '../email-templates/answer-template.ts'
import { renderForCustomer } from '../email-templates/render-for-customer.ts'
import { readCustomerLanguage } from '../inboxes/customer-language.ts'
import { findCompanyProfile, forCustomer } from '../messages/for-customer.ts'
import { expandMessages, selectMessages } from '../messages/messages.ts'
import {
  answerSubject,
  type QuotedText,
  quoteBelow,
  textWithLinks,
  threadHeaders,
  type WrittenMail,
  writeAnswer,
} from './compose.ts'
import { listOwnAddresses, replyAddress } from './own-addresses.ts'

/** A reply ready for any mail server. */
export interface PreparedAnswer {
  mail: Mail
  conversation_id: string
  references: string[]
}

/** Why a reply cannot be sent, as a sentence for the team. */
export class NoRecipient extends Error {}

const ATTACHED_BYTES = 20_000_000

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
  const answered = await findAnswered(db, account_id, conversation.id, message.number)
  if (message.type === 'bot' && answered?.verdict === 'automatic') return undefined
  const wishes = mailOptionsOf(message)
  const to = answered?.answer_to ?? conversation.customer.email
  if (!to || !/^[^\s@<>"]+@[^\s@<>"]+$/.test(to)) {
    throw new NoRecipient('The customer has no e-mail address. Add one to the customer, then try again.')
  }
  const { attached, links } = await readFiles(context, message)
  const company_name = await readCompanyName(db, account_id)
  const header = `<${message.id}@${new URL(config.baseUrl).hostname}>`
  const thread = threadHeaders(answered)
  const base = wishes.subject ?? (answered?.subject || conversation.subject)
  const subject = answered ? answerSubject(base, company_name) : base || `New message from ${company_name}`
  const from_name = message.user ? userName(message.user) : company_name
  const written = await write(context, message, conversation, { company_name, from_name, subject, links })
  return {
    conversation_id: conversation.id,
    references: thread.References?.split(' ') ?? [],
    mail: {
      ...quoteBelow(written, answered && quote(answered, conversation)),
      message_id: header,
      to,
      cc: wishes.cc ?? (await retainedCopies(context, account_id, answered, to)),
      bcc: wishes.bcc ?? [],
      from_name,
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
  from_name: string
  subject: string
  links: Message['attachments']
}

/** The reply in the company's template, or the default. The subject stays that of the thread. */
async function write(
  context: Context,
  message: Message,
  { customer, inbox_id }: Conversation,
  { company_name, from_name, subject, links }: AnswerFacts,
): Promise<WrittenMail> {
  const words = textWithLinks(message, links)
  const signature = await readSignature(context.db, message)
  const variables: AnswerVariables = {
    language: await readCustomerLanguage(context.db, {
      account_id: message.account_id,
      customer_id: customer.id,
      inbox_id,
    }),
    company: { name: company_name },
    customer: { name: customer.name ?? '', email: customer.email ?? '' },
    agent: { name: from_name },
    message: { text: words },
    signature: signature ?? '',
    subject,
  }
  return (await renderForCustomer(context, message.account_id, 'answer', variables)) ?? writeAnswer(words, signature)
}

/** As its customer may see it: with the company in place of the author, where the inbox says so. */
async function readMessage(db: Db, account_id: string, id: string): Promise<Message | undefined> {
  const row = await selectMessages(db, account_id).where('id', '=', id).where('private', '=', false).executeTakeFirst()
  const [message] = row ? await expandMessages(db, account_id, [row]) : []
  if (!message || message.customer_id || message.metadata?.ses_message_id !== undefined) return undefined
  const { user, metadata } = message
  return { ...forCustomer({ ...message, user }, await findCompanyProfile(db, message)), metadata }
}

/** The customer's newest mail before this message, with its text. */
function findAnswered(db: Db, account_id: string, conversation_id: string, number: number) {
  return db
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
      'verdict',
      'answer_to',
      'from_address',
      'from_name',
      'recipients',
      'cc',
      'messages.body',
      'messages.created_at',
    ])
    .where('message_mails.account_id', '=', account_id)
    .where('message_mails.conversation_id', '=', conversation_id)
    .where('direction', '=', 'in')
    .where('messages.number', '<', number)
    .where((eb) => eb.or([eb('messages.customer_id', 'is not', null), eb('verdict', '=', 'automatic')]))
    .orderBy('messages.number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

type Answered = NonNullable<Awaited<ReturnType<typeof findAnswered>>>

function quote(
  { body, created_at, from_name, from_address }: Answered,
  { customer }: Conversation,
): QuotedText | undefined {
  if (!body?.trim()) return undefined
  return { body, at: created_at, author: from_name ?? customer.name ?? from_address ?? 'you' }
}

/** Recipients and subject that the author chose for this mail. */
function mailOptionsOf({ metadata }: Message): { cc?: string[]; bcc?: string[]; subject?: string } {
  const { mail_cc, mail_bcc, mail_subject } = metadata ?? {}
  const addresses = (given: unknown) =>
    Array.isArray(given) ? given.filter((one) => typeof one === 'string') : undefined
  const [cc, bcc] = [addresses(mail_cc), addresses(mail_bcc)]
  return { ...(cc && { cc }), ...(bcc && { bcc }), ...(typeof mail_subject === 'string' && { subject: mail_subject }) }
}

/** People in copy stay in copy, except ourselves and the recipient. */
async function retainedCopies(
  context: Context,
  account_id: string,
  answered: Answered | undefined,
  to: string,
): Promise<string[]> {
  if (!answered) return []
  const own = await listOwnAddresses(context, account_id)
  const isOther = (address: string) =>
    !own.has(address) && address !== to.toLowerCase() && !/(?:^|\+)reply\+/.test(address)
  return [...new Set([...answered.recipients, ...answered.cc])].filter(isOther).slice(0, 50)
}

async function readFiles({ db, files }: Context, { account_id, attachments }: Message) {
  const ids = attachments.map(({ id }) => id)
  const rows = ids.length
    ? await db
        .selectFrom('files')
        .select(['id', 'key', 'size'])
        .where('account_id', '=', account_id)
        .where('id', 'in', ids)
        .execute()
    : []
  const total = rows.reduce((sum, { size }) => sum + size, 0)
  if (total > ATTACHED_BYTES) return { attached: [], links: attachments }
  const attached: NonNullable<Mail['files']> = []
  for (const { id, filename, content_type } of attachments) {
    const stream = await files.get(rows.find((row) => row.id === id)?.key ?? '-')
    if (stream) attached.push({ filename, content_type, bytes: await buffer(stream) })
  }
  return { attached, links: [] }
}

async function readCompanyName(db: Db, account_id: string): Promise<string> {
  const { company_name } = await db
    .selectFrom('accounts')
    .select('company_name')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  return company_name
}

async function readSignature(db: Db, { account_id, user_id }: Message): Promise<string | null> {
  if (user_id === null) return null
  const row = await db
    .selectFrom('user_settings')
    .select('mail_signature')
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.mail_signature?.trim() || null
}
