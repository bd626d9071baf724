import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { CountParameter, FilledText, Id, Text, Timestamp } from '../wire.ts'
import { INTEGRATION_NAMES } from './kinds.ts'

export const IntegrationName = z.enum(INTEGRATION_NAMES)
export type IntegrationName = z.output<typeof IntegrationName>

/**
 * How events of the other system arrive: over a live connection, by polling every minute, by its calls, or, where
 * messages do not come in, by looking things up every few minutes.
 */
export const Transport = z.enum(['live', 'polled', 'called', 'looked_up', 'none'])
export type Transport = z.output<typeof Transport>

/**
 * The state of a connection: `waiting` for the first message, `resting` because the other system asked to slow down,
 * `failing` while it has a problem and is retried, or `broken` until somebody connects it again.
 */
export const IntegrationState = z.enum(['connected', 'waiting', 'resting', 'failing', 'broken'])

/** A connection to another system, without secrets. */
export const Authorization = z.object({
  id: z.string(),
  object: z.literal('authorization'),
  integration: IntegrationName.check(z.describe('The integration it belongs to, such as `slack`.')),
  inbox_id: z.nullable(z.string()),
  user_id: z.nullable(z.int32()),
  label: z.string().check(z.describe('The name shown to people: an e-mail address, a channel.')),
  state: IntegrationState.check(z.describe('Whether the connection works.')),
  way_in: Transport.check(z.describe('How it receives.')),
  last_in_at: z.nullable(Timestamp).check(z.describe('When something last arrived.')),
  last_out_at: z.nullable(Timestamp).check(z.describe('When something was last sent.')),
  problem: z
    .nullable(z.string())
    .check(z.describe('The last problem as a sentence, with its time; null once it works again.')),
  problem_at: z.nullable(Timestamp).check(z.describe('When the problem last occurred.')),
  paused_until: z
    .nullable(Timestamp)
    .check(z.describe('Until when nothing is sent, because the vendor asked to wait.')),
  notice: z
    .nullable(z.string())
    .check(z.describe('What somebody should look at although the connection works, as a sentence, with its time.')),
  notice_at: z.nullable(Timestamp).check(z.describe('When the notice was set.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Authorization = z.output<typeof Authorization>

/** A connection with the numbers of waiting and failed deliveries. */
export const AuthorizationInList = z.extend(Authorization, {
  waiting_count: z.int32().check(z.describe('Deliveries that are waiting.')),
  held_count: z
    .int32()
    .check(
      z.describe(
        'Number of waiting deliveries that were more than a day old when it was reconnected: somebody has to decide whether they are sent.',
      ),
    ),
  failed_count: z.int32().check(z.describe('Deliveries that failed.')),
  failed_inbound_count: z.int32().check(z.describe('Received events that failed.')),
})
export type AuthorizationInList = z.output<typeof AuthorizationInList>

/** Integrations of a whole account in the shape of Papercups' clients. */
export const AccountAuthorization = z.object({
  id: z.string(),
  created_at: Timestamp,
  token_type: z.nullable(z.string()).check(z.describe('The vendor’s; usually `bearer`.')),
  scope: z.nullable(z.string()).check(z.describe('What the vendor allows.')),
})

/** The result of connecting. */
export const Connected = data(z.object({ ok: z.boolean(), id: z.nullable(z.string()) }))

/** A token or key created at the vendor. */
export const PastedToken = z.object({
  authorization: z.object({ access_token: FilledText(1000).check(z.describe('A token made at the vendor.')) }),
})

const InboundState = z.enum(['waiting', 'done', 'ignored', 'failed'])

/** An event received over a connection, and its outcome. */
export const InboundEvent = z.object({
  id: z.string(),
  object: z.literal('inbound_event'),
  integration: IntegrationName.check(z.describe('The integration it belongs to, such as `slack`.')),
  authorization_id: z.nullable(z.string()).check(z.describe('The connection: one account at the other system.')),
  state: InboundState.check(z.describe('What became of it.')),
  reason: z.nullable(z.string()).check(z.describe('Why it was ignored or failed, as a sentence.')),
  tries: z.int32().check(z.describe('Number of attempts so far.')),
  conversation_id: z.nullable(z.string()),
  has_original: z.boolean().check(z.describe('Whether its contents are stored as they came: a whole mail.')),
  created_at: Timestamp,
})
export type InboundEvent = z.output<typeof InboundEvent>

/** A connection to another system was created, changed, or began to fail. */
export const authorizationUpdated = defineEvent('authorization:updated', {
  receivers: 'team',
  payload: { authorization: Authorization },
})
/** A connection to another system was removed. */
export const authorizationRemoved = defineEvent('authorization:removed', {
  receivers: 'team',
  payload: { authorization_id: z.string().check(z.describe('The connection that was meant.')) },
  sends: z.object({ id: z.string() }),
  as: ({ authorization_id }) => ({ id: authorization_id }),
})

/** Calls shared by all integrations. Each has calls of its own for connecting. */
export const integrations = {
  list: endpoint('user', 'GET', '/api/integrations', {
    summary: 'Lists all connections, oldest first, and whether this server has integrations enabled.',
    answer: z.object({
      data: z.array(AuthorizationInList),
      is_on: z.boolean().check(z.describe('Whether this installation offers the integration.')),
    }),
  }),
  test: endpoint('admin', 'POST', '/api/integrations/:id/test', {
    summary: 'Tests a connection, with a test message or a request.',
    answer: data(Authorization),
    limit: 'message',
  }),
  remove: endpoint('admin', 'DELETE', '/api/integrations/:id', {
    summary:
      'Disconnects and deletes the credentials. Waiting deliveries are kept for the next connection, or dropped with `discard`.',
    query: z.object({
      discard: z
        .optional(z.enum(['true', 'false']))
        .check(z.describe('`true` also discards replies that wait for the connection.')),
    }),
    answer: z.null(),
    status: 204,
  }),
  inboundEvents: endpoint('admin', 'GET', '/api/inbound_events', {
    summary: 'Lists incoming events of connections, newest first, for two weeks.',
    query: z.object({
      state: z.optional(InboundState).check(z.describe('Only events in this state.')),
      authorization_id: z.optional(Id).check(z.describe('Only events of this connection.')),
      after: z.optional(Text(200)).check(z.describe('The `next` of the page before. Leave it out for the first page.')),
      limit: CountParameter,
    }),
    answer: z.object({
      data: z.array(InboundEvent),
      next: z.nullable(z.string()).check(z.describe('Send it as `after` for the next page; null on the last one.')),
    }),
  }),
  inboundOriginal: endpoint('admin', 'GET', '/api/inbound_events/:id/original', {
    summary: 'Downloads the original mail of an incoming event, as it came.',
    media_type: 'message/rfc822',
    answer: z.any(),
  }),
  retryInbound: endpoint('admin', 'POST', '/api/inbound_events/:id/retry', {
    summary: 'Processes a failed or ignored event again.',
    answer: data(InboundEvent),
  }),
}
