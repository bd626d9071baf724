import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { BooleanInput, CountParameter, maybe, Text, TimeInput, Timestamp } from '../wire.ts'

/** The events that webhooks can subscribe to: all that concern a customer or a conversation. */
export const WEBHOOK_EVENTS = [
  'message:created',
  'message:updated',
  'message:deleted',
  'messages:seen',
  'messages:read',
  'messages:moved',
  'messages:translated',
  'conversation:created',
  'conversation:updated',
  'conversation:destroyed',
  'conversation:rated',
  'conversation:tagged',
  'conversation:assigned',
  'deadline:warned',
  'deadline:broken',
  'customer:updated',
  'customer:deleted',
  'customer:tagged',
  'note:created',
  'note:updated',
  'note:deleted',
] as const
const WebhookEvent = z.enum(WEBHOOK_EVENTS)
export type WebhookEvent = z.output<typeof WebhookEvent>

/** What a webhook is sent when a rule or a macro calls it, whatever events it has subscribed to. The payload is the conversation. */
export const WEBHOOK_CALLED = 'webhook:called'

/** The events of every webhook in Papercups. */
export const FIRST_EVENTS: WebhookEvent[] = ['message:created', 'conversation:created']

const SubscriptionState = z.enum(['healthy', 'failing', 'off'])

/** A webhook: an address that events are sent to. */
export const EventSubscription = z.object({
  id: z.string(),
  object: z.literal('event_subscription'),
  account_id: z.string(),
  webhook_url: z.string().check(z.describe('URL that receives the events.')),
  verified: z.boolean().check(z.describe('Whether the URL answered the test call.')),
  scope: z.nullable(z.string()).check(z.describe('The events in one text, as in Papercups.')),
  events: z
    .array(WebhookEvent)
    .check(z.describe('Names of the events that are sent; by default `message:created` and `conversation:created`.')),
  state: SubscriptionState.check(z.describe('Whether events are sent.')),
  failing_since: z
    .nullable(Timestamp)
    .check(z.describe('Since when every call fails; null if the last one succeeded.')),
  switched_off_at: z.nullable(Timestamp).check(z.describe('When it was switched off because it failed for days.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type EventSubscription = z.output<typeof EventSubscription>

const WebhookUrl = Text(2000).check(z.trim(), z.regex(/^https?:\/\/[^\s/?#]/i, 'is invalid'))

const EventSubscriptionDraft = z.object({
  webhook_url: WebhookUrl.check(z.describe('URL that receives the events.')),
  events: maybe(z.array(WebhookEvent).check(z.minLength(1, 'choose at least one'))).check(
    z.describe('Names of the events that are sent; by default `message:created` and `conversation:created`.'),
  ),
  scope: maybe(Text(2000)).check(z.describe("Names further events, in Papercups' form.")),
})
export type EventSubscriptionDraft = z.output<typeof EventSubscriptionDraft>

const DeliveryState = z.enum(['pending', 'delivered', 'parked'])

/** One attempt to deliver an event. */
export const WebhookAttempt = z.object({
  id: z.string(),
  at: Timestamp.check(z.describe('When the attempt began.')),
  duration_ms: z.int32().check(z.describe('In milliseconds.')),
  status: z.nullable(z.int32()).check(z.describe('HTTP status; null if there was no answer.')),
  error: z.nullable(z.string()),
  answer: z.nullable(z.string()).check(z.describe('The first kilobyte.')),
})
export type WebhookAttempt = z.output<typeof WebhookAttempt>

/** An event on its way to a webhook. */
export const WebhookDelivery = z.object({
  id: z.string(),
  object: z.literal('webhook_delivery'),
  event: z.string().check(z.describe('Name of the event, such as `message:created`.')),
  state: DeliveryState.check(z.describe('`parked` after the last attempt failed.')),
  attempts: z.int32().check(z.describe('Number of attempts so far.')),
  next_attempt_at: z.nullable(Timestamp).check(z.describe('Null unless it is waiting.')),
  created_at: Timestamp,
  last: z.nullable(WebhookAttempt).check(z.describe('The latest attempt.')),
})
export type WebhookDelivery = z.output<typeof WebhookDelivery>

/** A delivery with its request and responses. */
export const WebhookDeliveryDetails = z.extend(WebhookDelivery, {
  body: z.nullable(z.string()).check(z.describe('Null once its content was deleted.')),
  tries: z.array(WebhookAttempt).check(z.describe('The latest attempts.')),
})
export type WebhookDeliveryDetails = z.output<typeof WebhookDeliveryDetails>

const Secret = z.object({ secret: z.string().check(z.describe('Verifies the signature of each call.')) })

/** Why a URL was not verified. */
export const UrlProblem = z.enum(['not_a_url', 'no_path', 'private_address', 'unreachable', 'status', 'no_challenge'])
export type UrlProblem = z.output<typeof UrlProblem>

/** Calls about webhooks. */
export const eventSubscriptions = {
  list: endpoint('admin', 'GET', '/api/event_subscriptions', {
    summary: 'Lists the webhooks, oldest first.',
    answer: data(z.array(EventSubscription)),
  }),
  create: endpoint('admin', 'POST', '/api/event_subscriptions', {
    summary: 'Creates a webhook and verifies its URL. Only verified webhooks receive events.',
    body: z.object({ event_subscription: EventSubscriptionDraft }),
    answer: data(EventSubscription),
    status: 201,
  }),
  verify: endpoint('admin', 'POST', '/api/event_subscriptions/verify', {
    summary: 'Verifies a URL: it must respond with the text in `payload`, or with JSON that has it as `challenge`.',
    body: z.object({ url: Text(2000).check(z.describe('URL to test.')) }),
    answer: data(
      z.object({
        verified: z.boolean().check(z.describe('Whether the URL answered the test call.')),
        problem: z.optional(UrlProblem).check(z.describe('What is wrong with the URL.')),
        status: z.optional(z.int32()).check(z.describe('HTTP status; null if there was no answer.')),
      }),
    ),
    limit: 'message',
  }),
  get: endpoint('admin', 'GET', '/api/event_subscriptions/:id', {
    summary: 'Returns a webhook.',
    answer: data(EventSubscription),
  }),
  update: endpoint('admin', 'PUT', '/api/event_subscriptions/:id', {
    summary: 'Updates the URL, which is verified again, or the events; switches a webhook off or on.',
    body: z.object({
      event_subscription: z.extend(z.partial(EventSubscriptionDraft), {
        is_enabled: maybe(BooleanInput).check(z.describe('Switches the webhook on or off.')),
      }),
    }),
    answer: data(EventSubscription),
  }),
  remove: endpoint('admin', 'DELETE', '/api/event_subscriptions/:id', {
    summary: 'Deletes a webhook with its log.',
    answer: z.null(),
    status: 204,
  }),
  reveal: endpoint('admin', 'POST', '/api/event_subscriptions/:id/secret', {
    session_only: true,
    summary: 'Returns the signing secret. Recorded in the audit trail.',
    answer: data(Secret),
  }),
  rotate: endpoint('admin', 'POST', '/api/event_subscriptions/:id/rotate_secret', {
    session_only: true,
    summary: 'Creates a new signing secret. For a day, deliveries are signed with the old one, too.',
    answer: data(Secret),
  }),
  deliveries: endpoint('admin', 'GET', '/api/event_subscriptions/:id/deliveries', {
    summary: 'Lists sent and waiting deliveries of a webhook, newest first, for seven days.',
    query: z.object({
      state: z.optional(DeliveryState).check(z.describe('Only deliveries in this state.')),
      event: z.optional(Text(60)).check(z.describe('Only deliveries of this event.')),
      after: z.optional(Text(200)).check(z.describe('The `next` of the page before. Leave it out for the first page.')),
      limit: CountParameter,
    }),
    answer: z.object({
      data: z.array(WebhookDelivery),
      next: z.nullable(z.string()).check(z.describe('Send it as `after` for the next page; null on the last one.')),
    }),
  }),
  delivery: endpoint('admin', 'GET', '/api/event_subscriptions/:id/deliveries/:delivery_id', {
    summary: 'Returns a delivery with its body and all attempts.',
    answer: data(WebhookDeliveryDetails),
  }),
  resend: endpoint('admin', 'POST', '/api/event_subscriptions/:id/deliveries/:delivery_id/resend', {
    summary: 'Sends a delivery again, with the same id.',
    answer: data(WebhookDelivery),
  }),
  resendSince: endpoint('admin', 'POST', '/api/event_subscriptions/:id/resend', {
    summary: 'Sends all deliveries since a moment again, with the same ids and in order.',
    body: z.object({ since: TimeInput }),
    answer: data(z.object({ count: z.int32().check(z.describe('Number of deliveries that are repeated.')) })),
  }),
}
