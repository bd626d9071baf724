import * as z from 'zod/mini'
import { SendAnyway } from '../conversations/messages.ts'
import { data, endpoint } from '../endpoint.ts'
import { FilledText, Id, ifAny, maybe, Text, Timestamp } from '../wire.ts'

/** A connected Twilio number, with its token masked. */
export const TwilioAuthorization = z.object({
  id: z.string(),
  created_at: Timestamp,
  account_id: z.string(),
  inbox_id: z.string(),
  from_phone_number: z.string().check(z.describe('With the country code, such as `+4917012345`.')),
  twilio_account_sid: z.string().check(z.describe('Begins with `AC`.')),
  twilio_auth_token: z.string().check(z.describe('A mask. Sending it back keeps the token.')),
  messaging_service_sid: z
    .nullable(z.string())
    .check(z.describe("The number's messaging service, over which replies are sent, if there is one.")),
  whatsapp_number: z
    .nullable(z.string())
    .check(z.describe('The WhatsApp sender of the same Twilio account, if there is one, such as `+4917012345`.')),
  stop_words: z
    .array(z.string())
    .check(z.describe('Words that unsubscribe a customer, besides STOP and the like in many languages.')),
})
export type TwilioAuthorization = z.output<typeof TwilioAuthorization>

const TwilioDraft = z.object({
  twilio_account_sid: Text(100).check(z.trim()).check(z.describe('Begins with `AC`.')),
  twilio_auth_token: Text(200)
    .check(z.trim())
    .check(z.describe('From Twilio’s console. Send the mask back to keep it.')),
  from_phone_number: Text(50).check(z.trim()).check(z.describe('With the country code, such as `+4917012345`.')),
  messaging_service_sid: maybe(Text(50).check(z.trim())).check(
    z.describe('Existing clients do not send it: the earlier choice for the same account and number stays.'),
  ),
  whatsapp_number: maybe(Text(50).check(z.trim())).check(
    z.describe(
      'A WhatsApp sender of the same Twilio account, with the country code; empty for none. Left out: the earlier choice for the same account and number stays.',
    ),
  ),
  stop_words: maybe(z.array(FilledText(50).check(z.trim())).check(z.maxLength(50))).check(
    z.describe('Words that unsubscribe a customer, besides the usual ones. Left out: those of before.'),
  ),
  inbox_id: maybe(Id).check(z.describe('The primary inbox by default.')),
  sets_webhook: ifAny(z.boolean()).check(
    z.describe('Whether Twilio is configured to call this server for new messages, if that is possible.'),
  ),
})
export type TwilioDraft = z.output<typeof TwilioDraft>

/** Why a messaging service was refused. */
export const ServiceRefusal = z.enum(['unknown', 'without_number', 'too_large', 'connected_elsewhere'])
export type ServiceRefusal = z.output<typeof ServiceRefusal>

/** Why a WhatsApp sender was refused. */
export const WhatsappRefusal = z.enum(['unknown', 'connected_elsewhere'])
export type WhatsappRefusal = z.output<typeof WhatsappRefusal>

/** The fields of a Twilio message that programs use. */
export const TwilioMessage = z.looseObject({
  sid: z.string().check(z.describe('Twilio’s id of the message.')),
  status: z.optional(z.string()).check(z.describe('Twilio’s status.')),
})

/** Calls about Twilio: text messages, and WhatsApp over its senders. */
export const twilio = {
  connect: endpoint('admin', 'POST', '/api/twilio/auth', {
    summary:
      'Connects a Twilio number, alone or with its messaging service and a WhatsApp sender, after checking them there. A masked token keeps the stored one.',
    body: z.object({ authorization: TwilioDraft }),
    answer: data(
      z.union([
        z.object({ ok: z.literal(true), id: z.string() }),
        z.object({
          ok: z.literal(false),
          error: z.string(),
          service_refusal: z.optional(ServiceRefusal).check(z.describe('Why the messaging service cannot be used.')),
          whatsapp_refusal: z.optional(WhatsappRefusal).check(z.describe('Why the WhatsApp sender cannot be used.')),
        }),
      ]),
    ),
    limit: 'message',
    session_only: true,
  }),
  get: endpoint('user', 'GET', '/api/twilio/authorization', {
    summary: 'Returns the Twilio number of an inbox, by default the primary one, or null.',
    query: z.object({ inbox_id: z.optional(Id) }),
    answer: data(z.nullable(TwilioAuthorization)),
  }),
  remove: endpoint('admin', 'DELETE', '/api/twilio/authorizations/:id', {
    summary: 'Disconnects a Twilio number. Waiting deliveries are kept for the next connection.',
    answer: z.null(),
    status: 204,
  }),
  send: endpoint('user', 'POST', '/api/twilio/send', {
    summary: 'Sends a text message outside of conversations, from the number connected last.',
    body: z.object({
      to: FilledText(50).check(z.describe('With the country code, such as `+4917012345`.')),
      body: FilledText(1600),
      send_anyway: SendAnyway,
    }),
    answer: data(TwilioMessage),
    limit: 'message',
  }),
  webhook: endpoint('signed', 'POST', '/api/twilio/webhook', {
    summary: 'Receives a message or a status update from Twilio, which is stored before the response.',
    signature: 'twilio',
    body: z.looseObject({}),
    answer: z.null(),
    status: 204,
    limit: 'none',
  }),
}
