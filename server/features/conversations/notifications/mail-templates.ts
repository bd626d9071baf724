import { type User, userName } from '#contract/accounts/users.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { Message } from '#contract/conversations/messages.ts'
import { type Customer, displayName } from '#contract/customers/customers.ts'
import { cutText } from '#contract/text/graphemes.ts'
import { plainText } from '#contract/text/plain.ts'
import { type ReplyVariables, replyTexts } from '../../mail/email-templates/reply-template.ts'
import type { Brand, MailContent } from '../../mail/mails/mail-templates.ts'
import { messageToHtml, textToHtml } from '../../mail/mails/message-html.ts'
import { translate } from '../../mail/mails/translate.ts'

const PREVIEW = 120
const PAGE_LENGTH = 100

interface Alert {
  customer: Customer
  message: Message
  baseUrl: string
}

/** To the team: a customer wrote. */
export function messageMail(language: string, alert: Alert): MailContent {
  return alertMail(language, 'message', translate(language, 'message_text'), alert)
}

/** To the team: a new conversation, possibly with the page of the website. */
export function conversationMail(language: string, alert: Alert & { page: string | null }): MailContent {
  const name = displayName(alert.customer)
  const page = pageWithoutQuery(alert.page)
  const text = translate(language, page ? 'conversation_text_page' : 'conversation_text', { name, page })
  return alertMail(language, 'conversation', text, alert)
}

function alertMail(
  language: string,
  about: 'message' | 'conversation',
  text: string,
  { customer, message, baseUrl }: Alert,
): MailContent {
  const { name, email } = customer
  const who = name && email ? '_both' : ''
  const values = { name: displayName(customer), email: email ?? '' }
  return {
    language,
    subject: translate(language, `${about}_subject${who}`, values),
    preview: cutText(textOf(language, message), PREVIEW),
    parts: [
      { type: 'text', text },
      quote(language, message, displayName(customer)),
      {
        type: 'button',
        label: translate(language, 'view'),
        href: `${baseUrl}/conversations/all/${message.conversation_id}`,
      },
      { type: 'small', text: translate(language, 'alerts'), href: `${baseUrl}/settings/profile` },
    ],
  }
}

interface Mentioned {
  conversation: Conversation
  author: User | null
  messages: Message[]
  baseUrl: string
}

/** To a mentioned user. */
export function mentionMail(language: string, { conversation, author, messages, baseUrl }: Mentioned): MailContent {
  const customer = displayName(conversation.customer)
  const text = translate(language, 'mention_text', { name: userName(author), customer })
  return {
    language,
    subject: translate(language, 'mention_subject'),
    preview: text,
    parts: [
      { type: 'text', text },
      ...messages.map((message) => quote(language, message, customer)),
      {
        type: 'button',
        label: translate(language, 'view'),
        href: `${baseUrl}/conversations/mentions/${conversation.id}`,
      },
      { type: 'small', text: translate(language, 'alerts'), href: `${baseUrl}/settings/profile` },
    ],
  }
}

interface Warning {
  conversation_id: string
  customer: string
  messages: Message[]
  baseUrl: string
}

/** To the team: a deadline comes close. */
export function deadlineMail(language: string, { conversation_id, customer, messages, baseUrl }: Warning): MailContent {
  const text = translate(language, 'push_deadline_warned', { customer })
  const newest = messages.at(-1)
  return {
    language,
    subject: text,
    preview: newest ? cutText(textOf(language, newest), PREVIEW) : text,
    parts: [
      { type: 'text', text },
      ...messages.map((message) => quote(language, message, customer)),
      { type: 'button', label: translate(language, 'view'), href: `${baseUrl}/conversations/all/${conversation_id}` },
      { type: 'small', text: translate(language, 'alerts'), href: `${baseUrl}/settings/profile` },
    ],
  }
}

interface Reply {
  company: string
  brand: Brand
  /** Where the customer was last seen on the website. */
  page: string | null
  messages: Message[]
  unsubscribe: string
}

/** To a customer who has left the page: the team has replied. */
export function replyMail(language: string, { company, brand, page, messages, unsubscribe }: Reply): MailContent {
  const text = translate(language, messages.length > 1 ? 'reply_text_several' : 'reply_text', { company })
  const visit = page && /^https?:\/\//.test(page) ? page : null
  return {
    language,
    brand,
    subject: translate(language, 'reply_subject', { company }),
    preview: cutText(textOf(language, messages.at(-1)!), PREVIEW),
    parts: [
      { type: 'text', text },
      ...messages.map((message) => quote(language, message, translate(language, 'you'))),
      ...(visit ? [{ type: 'button' as const, label: translate(language, 'reply_visit'), href: visit }] : []),
      { type: 'small', text: translate(language, 'reply_back') },
      { type: 'small', text: translate(language, 'unsubscribe'), href: unsubscribe },
    ],
  }
}

/** The same, as variables of a company's template. */
export function replyVariables(
  language: string,
  { company, page, messages, unsubscribe, customer }: Reply & { customer: Customer },
): ReplyVariables {
  const quoted = messages.map((message) => quote(language, message, translate(language, 'you')))
  return {
    language,
    company: { name: company },
    customer: { name: customer.name ?? '', email: customer.email ?? '' },
    agent: { name: userName(messages.findLast(({ user_id }) => user_id)?.user ?? null) },
    messages: quoted.map(({ author, text, html }, at) => ({
      author,
      text,
      html,
      is_customer: !!messages[at]!.customer_id,
      sent_at: messages[at]!.created_at,
    })),
    page_url: page && /^https?:\/\//.test(page) ? page : '',
    unsubscribe_url: unsubscribe,
    texts: replyTexts(language, company, messages.length),
  }
}

function quote(language: string, message: Message, customer: string) {
  const author = message.customer_id ? customer : userName(message.user)
  const html = [messageToHtml(message), ...filesOf(language, message).map(textToHtml)].filter(Boolean).join('<br>')
  const text = textOf(language, message)
  return { type: 'quote' as const, author, text, html: html || textToHtml(text) }
}

/** The page without its query, which is for machines and often private. */
function pageWithoutQuery(page: string | null): string {
  if (!page || !/^https?:/.test(page) || !URL.canParse(page)) return ''
  const { host, pathname } = new URL(page)
  return `${host}${pathname}`.replace(/\/$/, '').slice(0, PAGE_LENGTH)
}

/** The text of a message, and the names of its files. */
function textOf(language: string, message: Message): string {
  const parts = [plainText(message).trim(), ...filesOf(language, message)]
  return parts.filter(Boolean).join('\n') || translate(language, 'file')
}

function filesOf(language: string, { attachments = [] }: Message): string[] {
  return attachments.map(({ filename }) => translate(language, 'attached', { filename }))
}
