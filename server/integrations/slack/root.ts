import type { KnownBlock, MrkdwnElement } from '@slack/web-api'
import { userName } from '#contract/accounts/users.ts'
import type { Conversation, ConversationRow } from '#contract/conversations/conversations.ts'
import type { Message } from '#contract/conversations/messages.ts'
import { SOURCE_NAMES } from '#contract/conversations/sources.ts'
import { type Customer, displayName } from '#contract/customers/customers.ts'
import { cutText } from '#contract/text/graphemes.ts'
import { isolate } from '#contract/text/isolate.ts'
import { asNote, escapeMrkdwn, linkTo, toMrkdwn } from './format.ts'

/** The conversation's state as shown by the first message of its thread. */
export type Shown = 'unhandled' | 'in progress' | 'closed'

const STATUS: Record<Shown, string> = {
  unhandled: ':wave: Unhandled',
  'in progress': ':speech_balloon: In progress',
  closed: ':white_check_mark: Closed',
}

export function statusOf({ status, first_replied_at }: Pick<ConversationRow, 'status' | 'first_replied_at'>): Shown {
  if (status === 'closed') return 'closed'
  return first_replied_at ? 'in progress' : 'unhandled'
}

/** Slack accepts 3000 characters in a section, including sender and hint. */
const SECTION = 2_900
const FIELD = 500

/**
 * The first message of a thread: text and author, details of the customer, the conversation's state, and a button. If
 * its message was deleted, the rest stays.
 */
export function writeRoot(
  conversation: Conversation,
  message: Message | undefined,
  address: string,
): { text: string; blocks: KnownBlock[] } {
  const { id } = conversation
  const isClosed = conversation.status === 'closed'
  const sender = message ? senderOf(message, conversation.customer) : displayName(conversation.customer)
  const text = message ? writeBody(message, address) : '_This message was deleted._'
  const head = headOf(conversation, sender)
  const hint = `Reply in this thread to answer, or begin with \`;;\` for a private note. ${linkTo(address, 'View in the dashboard')}`
  const button = isClosed
    ? { text: 'Reopen conversation', action_id: 'open_conversation' }
    : { text: 'Mark as resolved', action_id: 'close_conversation' }
  return {
    text: cutLines(`${escapeMrkdwn(isolate(sender))}: ${text}`),
    blocks: [
      { type: 'section', text: mrkdwn(cutLines(`${head}\n\n${text}`)) },
      { type: 'context', elements: [mrkdwn(hint)] },
      { type: 'section', fields: fieldsOf(conversation) },
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            action_id: button.action_id,
            value: id,
            text: { type: 'plain_text', text: button.text },
            ...(!isClosed && { style: 'primary' as const }),
          },
        ],
      },
    ],
  }
}

/** Whole lines only, because half a link or emphasis would be shown as characters. */
function cutLines(text: string): string {
  return text.length <= SECTION ? text : text.slice(0, text.lastIndexOf('\n', SECTION))
}

function headOf({ source, subject, customer }: Conversation, sender: string): string {
  if (source !== 'email') return `*${escapeMrkdwn(isolate(sender))}* wrote:`
  const from = customer.email && customer.email !== sender ? `${isolate(sender)} (${customer.email})` : sender
  return `*From:* ${escapeMrkdwn(from)}\n*Subject:* ${escapeMrkdwn(cutText(subject ?? 'No subject', FIELD / 2))}`
}

function fieldsOf(conversation: Conversation): MrkdwnElement[] {
  const { source, customer } = conversation
  const field = (name: string, value: string | null) =>
    mrkdwn(`*${name}:*\n${value ? escapeMrkdwn(cutText(value, FIELD)) : 'N/A'}`)
  const device = [customer.os, customer.browser].filter(Boolean).join(' · ')
  const ofChat =
    source === 'chat'
      ? [field('Last seen URL', customer.current_url), field('Device', device), field('Timezone', customer.time_zone)]
      : []
  return [
    field('Name', customer.name),
    field('Email', customer.email),
    field('Source', SOURCE_NAMES[source]),
    ...ofChat,
    mrkdwn(`*Status:*\n${STATUS[statusOf(conversation)]}`),
  ]
}

function mrkdwn(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text }
}

export function senderOf({ customer_id, type, user }: Message, customer: Customer | null | undefined): string {
  if (customer_id) return displayName(customer)
  return type === 'bot' && !user ? 'Bot' : userName(user)
}

/** A message's text, with links to its files. `address`: of its conversation, for what is too long. */
export function writeBody(message: Message, address?: string): string {
  const { private: isPrivate, attachments } = message
  const text = toMrkdwn(message, address)
  const files = attachments.map(({ file_url, filename }) => linkTo(file_url, escapeMrkdwn(filename)))
  return [isPrivate && text ? asNote(text) : text, ...files].filter(Boolean).join('\n')
}
