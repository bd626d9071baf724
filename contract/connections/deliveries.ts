import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { CountParameter, Id, Text, Timestamp } from '../wire.ts'
import { IntegrationName } from './integrations.ts'

/** `post`, `edit` and `remove` are about a message, `status` about a conversation. */
export const DeliveryKind = z.enum(['post', 'edit', 'remove', 'status', 'test'])
export type DeliveryKind = z.output<typeof DeliveryKind>

/** The state of a delivery. `dropped`: somebody cancelled it, or there was nothing to send. */
export const DeliveryState = z.enum(['waiting', 'sent', 'failed', 'dropped'])

/** Something on its way to another system. */
export const Delivery = z.object({
  id: z.string(),
  object: z.literal('delivery'),
  authorization_id: z.nullable(z.string()).check(z.describe("Null for the server's own mail server.")),
  integration: IntegrationName.check(z.describe('The integration it belongs to, such as `slack`.')),
  conversation_id: z.nullable(z.string()),
  message_id: z.nullable(z.string()),
  kind: DeliveryKind.check(z.describe('What is delivered.')),
  state: DeliveryState.check(z.describe('`dropped` if it was discarded, or is no longer wanted.')),
  tries: z.int32().check(z.describe('Number of attempts so far.')),
  next_try_at: z.nullable(Timestamp).check(z.describe('When it is tried again; null unless it is waiting.')),
  problem: z.nullable(z.string()).check(z.describe('Why it could not be sent so far, as a sentence.')),
  needs_connection: z.boolean().check(z.describe('It waits until somebody connects its channel again.')),
  sent_at: z.nullable(Timestamp).check(z.describe('When it was sent; null if it was not.')),
  delivered_at: z
    .optional(z.nullable(Timestamp))
    .check(z.describe("When it reached the customer's device; null if it did not, or the channel does not tell.")),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Delivery = z.output<typeof Delivery>

/** A conversation's channel, over which nothing reaches the customer at the moment. */
export const ConversationChannel = z.object({
  integration: IntegrationName.check(z.describe('The integration it belongs to, such as `slack`.')),
  inbox_id: z.nullable(z.string()),
  waits: z.boolean().check(z.describe('Replies wait until it works again; otherwise they are not sent at all.')),
  problem: z.string().check(z.describe('What to do, as a sentence.')),
})
export type ConversationChannel = z.output<typeof ConversationChannel>

/** A delivery changed its state. */
export const deliveryUpdated = defineEvent('delivery:updated', { receivers: 'team', payload: { delivery: Delivery } })

/** Calls about deliveries to other systems. */
export const deliveries = {
  list: endpoint('admin', 'GET', '/api/deliveries', {
    summary: 'Lists deliveries, newest first: sent ones for 30 days, others for 90.',
    query: z.object({
      state: z.optional(DeliveryState).check(z.describe('Only deliveries in this state.')),
      authorization_id: z.optional(Id).check(z.describe('Only deliveries of this connection.')),
      after: z.optional(Text(200)).check(z.describe('The `next` of the page before. Leave it out for the first page.')),
      limit: CountParameter,
    }),
    answer: z.object({
      data: z.array(Delivery),
      next: z.nullable(z.string()).check(z.describe('Send it as `after` for the next page; null on the last one.')),
    }),
  }),
  ofConversation: endpoint('user', 'GET', '/api/conversations/:conversation_id/deliveries', {
    summary: 'Lists the deliveries of a conversation, newest first, at most 200.',
    answer: data(z.array(Delivery)),
  }),
  channel: endpoint('user', 'GET', '/api/conversations/:conversation_id/channel', {
    summary:
      'Tells why a reply would not reach the customer at the moment: its channel was disconnected. Null if it would.',
    answer: data(z.nullable(ConversationChannel)),
  }),
  retry: endpoint('user', 'POST', '/api/deliveries/:id/retry', {
    summary: 'Retries a failed delivery, or sends a waiting one at once.',
    answer: data(Delivery),
  }),
  discard: endpoint('user', 'DELETE', '/api/deliveries/:id', {
    summary: 'Discards an unsent delivery.',
    answer: z.null(),
    status: 204,
  }),
  settleHeld: endpoint('admin', 'POST', '/api/integrations/:id/held', {
    summary: 'Sends, in order, or discards deliveries that had waited for over a day when the connection was restored.',
    body: z.object({
      action: z.enum(['send', 'discard']).check(z.describe('Sends what waits or failed now, or discards it.')),
    }),
    answer: z.object({ count: z.int32().check(z.describe('Number of deliveries that this concerns.')) }),
  }),
}
