import * as z from 'zod/mini'
import { AccountChanged } from './accounts.ts'
import { Company } from './companies.ts'
import { Conversation, ConversationRow, ConversationStatus, Tag } from './conversations.ts'
import { ImportProgress } from './customer-imports.ts'
import { CustomerNote } from './customer-notes.ts'
import { SavedFilter } from './customer-profiles.ts'
import { Customer } from './customers.ts'
import { endpoint } from './endpoint.ts'
import { Inbox } from './inboxes.ts'
import { Issue } from './issues.ts'
import { type CompanyProfile, Message } from './messages.ts'
import { Rating } from './ratings.ts'
import { User } from './users.ts'
import { WidgetSettingsRow } from './widget-settings.ts'
import { GivenInteger, Text, Timestamp } from './wire.ts'

/**
 * Everything that can happen. A feature announces one of these inside its transaction; sockets, the event log and jobs
 * hang on it. The union is closed: a new event does not compile until the server's `audience` has decided who hears it.
 * `customer_id` is always the customer of the conversation.
 */
export type Event =
  /** Who may act as a customer has changed, or as any of the account if it is null. Clients hear nothing of it. */
  | { type: 'access:changed'; customer_id: string | null }
  | { type: 'message:created'; message: Message; customer_id: string; company?: CompanyProfile; is_opening?: boolean }
  | { type: 'message:updated'; message: Message; customer_id: string; company?: CompanyProfile }
  | {
      type: 'message:deleted'
      message_id: string
      conversation_id: string
      number: number
      private: boolean
      customer_id: string
    }
  | { type: 'messages:seen'; conversation_id: string; customer_id: string; seen_at: string; up_to_number: number }
  | { type: 'messages:read'; conversation_id: string; customer_id: string; seen_at: string; up_to_number: number }
  | { type: 'conversation:created'; conversation: Conversation }
  | { type: 'conversation:updated'; conversation: ConversationRow }
  | { type: 'conversation:rated'; rating: Rating; customer_id: string }
  | { type: 'conversation:tagged'; conversation_id: string; tags: Tag[] }
  | { type: 'customer:updated'; customer: Customer }
  | { type: 'customer:deleted'; customer_id: string }
  | { type: 'customer:tagged'; customer_id: string; tags: Tag[] }
  | { type: 'conversations:moved'; customer: Customer; conversation_ids: string[]; from_customer_id: string }
  | { type: 'customer_filter:updated'; customer_filter: SavedFilter }
  | { type: 'customer_filter:deleted'; filter_id: string }
  | { type: 'customer_import:updated'; progress: ImportProgress }
  | { type: 'company:updated'; company: Company }
  | { type: 'company:deleted'; company_id: string }
  | { type: 'account:updated'; account: AccountChanged }
  | { type: 'inbox:updated'; inbox: Inbox }
  | { type: 'inbox:deleted'; inbox_id: string }
  | { type: 'widget_settings:updated'; widget_settings: WidgetSettingsRow }
  | { type: 'user:updated'; user: User }
  | { type: 'tag:updated'; tag: Tag }
  | { type: 'tag:deleted'; tag_id: string }
  | { type: 'note:created'; note: CustomerNote }
  | { type: 'note:updated'; note: CustomerNote }
  | { type: 'note:deleted'; note_id: string; customer_id: string }
  | { type: 'issue:created'; issue: Issue; customer_ids: string[] }
  | { type: 'issue:updated'; issue: Issue; customer_ids: string[] }
  | { type: 'issue:deleted'; issue_id: string }
  | { type: 'issue:linked'; issue: Issue; customer_id: string }
  | { type: 'issue:unlinked'; issue: Issue; customer_id: string }

export type EventType = Event['type']

/** One side has read the other's messages up to this number: the customer (`seen`), or the team (`read`). */
export const MessagesSeen = z.object({ conversation_id: z.string(), seen_at: Timestamp, up_to_number: z.int() })

/** A message is gone, words and files. Its number is not given again. */
export const MessageDeleted = z.object({ id: z.string(), conversation_id: z.string(), number: z.int() })

/** What a customer may know of a change to their conversation: the rest is the team's business. */
export const ConversationStatusHeard = z.object({
  id: z.string(),
  status: ConversationStatus,
  closed_at: z.nullable(Timestamp),
})

/** These conversations belong to another customer now, because two became one or one became two again. */
export const ConversationsMoved = z.object({
  customer: Customer,
  conversation_ids: z.array(z.string()),
  from_customer_id: z.string(),
})

/**
 * An event as clients hear it, on a socket or when catching up. The names are those of the published clients, for whom
 * a message is a `shout`. To a customer `conversation:created` carries the id alone.
 */
export const HeardEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('shout'), payload: Message }),
  z.object({ event: z.literal('message:updated'), payload: Message }),
  z.object({ event: z.literal('message:deleted'), payload: MessageDeleted }),
  z.object({ event: z.literal('messages:seen'), payload: MessagesSeen }),
  z.object({ event: z.literal('messages:read'), payload: MessagesSeen }),
  z.object({
    event: z.literal('conversation:created'),
    payload: z.object({ id: z.string(), conversation: z.optional(Conversation) }),
  }),
  z.object({
    event: z.literal('conversation:updated'),
    payload: z.object({ id: z.string(), updates: ConversationRow }),
  }),
  z.object({ event: z.literal('conversation:status'), payload: ConversationStatusHeard }),
  z.object({ event: z.literal('conversation:rated'), payload: Rating }),
  z.object({ event: z.literal('conversation:tagged'), payload: z.object({ id: z.string(), tags: z.array(Tag) }) }),
  z.object({ event: z.literal('customer:updated'), payload: Customer }),
  z.object({ event: z.literal('customer:deleted'), payload: z.object({ id: z.string() }) }),
  z.object({ event: z.literal('customer:tagged'), payload: z.object({ id: z.string(), tags: z.array(Tag) }) }),
  z.object({ event: z.literal('conversations:moved'), payload: ConversationsMoved }),
  z.object({ event: z.literal('customer_filter:updated'), payload: SavedFilter }),
  z.object({ event: z.literal('customer_filter:deleted'), payload: z.object({ id: z.string() }) }),
  z.object({ event: z.literal('customer_import:updated'), payload: ImportProgress }),
  z.object({ event: z.literal('company:updated'), payload: Company }),
  z.object({ event: z.literal('company:deleted'), payload: z.object({ id: z.string() }) }),
  z.object({ event: z.literal('account:updated'), payload: AccountChanged }),
  z.object({ event: z.literal('inbox:updated'), payload: Inbox }),
  z.object({ event: z.literal('inbox:deleted'), payload: z.object({ id: z.string() }) }),
  z.object({ event: z.literal('widget_settings:updated'), payload: WidgetSettingsRow }),
  z.object({ event: z.literal('user:updated'), payload: User }),
  z.object({ event: z.literal('tag:updated'), payload: Tag }),
  z.object({ event: z.literal('tag:deleted'), payload: z.object({ id: z.string() }) }),
  z.object({ event: z.literal('note:created'), payload: CustomerNote }),
  z.object({ event: z.literal('note:updated'), payload: CustomerNote }),
  z.object({ event: z.literal('note:deleted'), payload: z.object({ id: z.string(), customer_id: z.string() }) }),
  z.object({ event: z.literal('issue:created'), payload: Issue }),
  z.object({ event: z.literal('issue:updated'), payload: Issue }),
  z.object({ event: z.literal('issue:deleted'), payload: z.object({ id: z.string() }) }),
  z.object({ event: z.literal('issue:linked'), payload: z.object({ customer_id: z.string(), issue: Issue }) }),
  z.object({ event: z.literal('issue:unlinked'), payload: z.object({ customer_id: z.string(), issue: Issue }) }),
])
export type HeardEvent = z.output<typeof HeardEvent>

export const events = {
  after: endpoint('user or visitor', 'GET', '/api/events', {
    says: 'Everything after a cursor that the caller may hear; some may be told twice. Without a cursor: where the log stands.',
    query: z.object({ after: z.optional(Text(100)), limit: z.optional(GivenInteger) }),
    answer: z.object({
      data: z.array(HeardEvent),
      /** Pass it back next time. */
      cursor: z.string(),
      /** There is more: ask again with the new cursor. */
      more: z.boolean(),
      /** The cursor was too old or unknown: load everything afresh. */
      reset: z.boolean(),
    }),
  }),
}
