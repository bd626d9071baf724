import * as z from 'zod/mini'
import { Conversation, ConversationRow, ConversationStatus, Tag } from './conversations.ts'
import { endpoint } from './endpoint.ts'
import { Message } from './messages.ts'
import { GivenInteger, Text, Timestamp } from './wire.ts'

/**
 * Everything that can happen. A feature announces one of these inside its transaction; sockets, the event log and jobs
 * hang on it. The union is closed: a new event does not compile until the server's `audience` has decided who hears it.
 * `customer_id` is always the customer of the conversation.
 */
export type Event =
  | { type: 'message:created'; message: Message; customer_id: string }
  | { type: 'messages:seen'; conversation_id: string; customer_id: string; seen_at: string; up_to_number: number }
  | { type: 'messages:read'; conversation_id: string; customer_id: string; seen_at: string; up_to_number: number }
  | { type: 'conversation:created'; conversation: Conversation }
  | { type: 'conversation:updated'; conversation: ConversationRow }
  | { type: 'conversation:tagged'; conversation_id: string; tags: Tag[] }

export type EventType = Event['type']

/** One side has read the other's messages up to this number: the customer (`seen`), or the team (`read`). */
export const MessagesSeen = z.object({ conversation_id: z.string(), seen_at: Timestamp, up_to_number: z.int() })

/** What a customer may know of a change to their conversation: the rest is the team's business. */
export const ConversationStatusHeard = z.object({
  id: z.string(),
  status: ConversationStatus,
  closed_at: z.nullable(Timestamp),
})

/**
 * An event as clients hear it, on a socket or when catching up. The names are those of the published clients, for whom
 * a message is a `shout`. To a customer `conversation:created` carries the id alone.
 */
export const HeardEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('shout'), payload: Message }),
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
  z.object({ event: z.literal('conversation:tagged'), payload: z.object({ id: z.string(), tags: z.array(Tag) }) }),
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
