import type { Conversation, ConversationRow } from '#contract/conversations/conversations.ts'
import type { Message } from '#contract/conversations/messages.ts'
import type { Company } from '#contract/customers/companies.ts'
import type { Customer } from '#contract/customers/customers.ts'

// Results of tools. What customers wrote, or what their browsers and mails say, is always inside a field whose name
// begins with `untrusted`, so that a model can tell it from what the team has decided.

/** The longest text of one message, in characters. */
const TEXT_LIMIT = 4_000

/**
 * What people do not see but models read: zero-width blanks, changes of direction, and the letters of tags. Joiners stay,
 * because emoji and some scripts need them. As a string, because a literal would contain what it looks for.
 */
const HIDDEN = /[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

/** What others wrote, as people see it. */
export function untrustedText(text: string | null): string | null {
  return shorten(text?.replace(HIDDEN, '') ?? null)
}

function shorten(text: string | null): string | null {
  return text && text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}… [${text.length} characters]` : text
}

/** A conversation without its messages. */
export function presentConversation(row: ConversationRow & Partial<Pick<Conversation, 'tags' | 'customer'>>) {
  const { id, status, priority, read, source, inbox_id, customer_id, assignee_id, team_id, created_at } = row
  const { last_activity_at, closed_at, snoozed_at, snoozed_until, due_at, last_number, tags, customer } = row
  return {
    id,
    status,
    priority,
    read,
    source,
    inbox_id,
    customer_id,
    assignee_id,
    team_id,
    created_at,
    last_activity_at,
    closed_at,
    snoozed_at,
    snoozed_until,
    due_at,
    last_number,
    ...(tags && { tags: tags.map(({ id, name }) => ({ id, name })) }),
    untrusted: {
      subject: untrustedText(row.subject),
      ...(customer && { customer_name: untrustedText(customer.title) }),
    },
  }
}

/** A message. Text of the team is `text`; that of customers, and of whoever answered from elsewhere, is untrusted. */
export function presentMessage(message: Message) {
  const { id, number, created_at, type, private: isPrivate, source, user, user_id, customer_id, attachments } = message
  const isOfTeam = user_id !== null && customer_id === null && !message.external_author
  return {
    id,
    number,
    created_at,
    type,
    private: isPrivate,
    source,
    from: isOfTeam ? 'team' : 'customer or other system',
    ...(isOfTeam && { author: user?.display_name || user?.full_name || user?.email, text: shorten(message.body) }),
    ...(!isOfTeam && { untrusted_text: untrustedText(message.body) }),
    ...(attachments.length > 0 && {
      untrusted_files: attachments.map(({ filename, content_type }) => ({
        filename: untrustedText(filename),
        content_type,
      })),
    }),
  }
}

/** A customer. Almost everything about one comes from browsers, forms and mails. */
export function presentCustomer(customer: Customer) {
  const { id, company_id, created_at, first_seen, last_seen_at, blocked_at, field_sources } = customer
  const { name, email, phone, external_id, time_zone, current_url, browser, os, metadata } = customer
  return {
    id,
    company_id,
    created_at,
    first_seen,
    last_seen_at,
    blocked_at,
    set_by: field_sources,
    untrusted: { name: untrustedText(name), email, phone, external_id, time_zone, current_url, browser, os, metadata },
  }
}

/** A company, which only the team and imports write. */
export function presentCompany({ id, name, description, website_url, industry, external_id, metadata }: Company) {
  return { id, name, description, website_url, industry, external_id, metadata }
}
