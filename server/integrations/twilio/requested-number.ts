import * as z from 'zod/mini'
import type { ServiceRefusal } from '#contract/integrations/twilio.ts'
import type { Context } from '../../context.ts'
import { requestTwilio, type Twilio, type TwilioCredentials, webhookOf } from './client.ts'
import { findService, type MessagingService, selectByService, setServiceWebhook } from './messaging-service.ts'
import { REPEATS } from './signature.ts'

/** A number in the API's shape. */
export const PhoneNumber = z.object({
  sid: z.string(),
  phone_number: z.string(),
  sms_url: z.optional(z.nullable(z.string())),
  capabilities: z.optional(z.object({ sms: z.optional(z.boolean()) })),
})
type FoundNumber = z.output<typeof PhoneNumber>
const PhoneNumbers = z.object({ incoming_phone_numbers: z.array(PhoneNumber) })

/** A number of a Twilio account that can receive text messages. */
async function findNumber(
  context: Context,
  credentials: TwilioCredentials,
  phone_number: string,
): Promise<FoundNumber | undefined> {
  const call = { path: '/IncomingPhoneNumbers.json', query: { PhoneNumber: phone_number } }
  const { incoming_phone_numbers } = await requestTwilio(context, credentials, call, PhoneNumbers)
  return incoming_phone_numbers.find(
    (number) => number.phone_number === phone_number && number.capabilities?.sms !== false,
  )
}

interface RequestedConnection {
  inbox_id: string
  credentials: TwilioCredentials
  phone_number: string
  whatsapp_number: string | undefined
  /** Those of before, if left out. */
  stop_words: string[] | undefined
}

/** A number that Twilio confirmed, with what else is to be connected. */
export interface TwilioNumber extends RequestedConnection {
  number: FoundNumber
  service: MessagingService | undefined
}

/** Looks up the number, and the messaging service if one is given. Undefined if Twilio does not show the number. */
export async function fetchNumber(
  context: Context,
  wanted: RequestedConnection,
  service_sid: string | undefined,
  existing: Twilio | undefined,
): Promise<TwilioNumber | ServiceRefusal | undefined> {
  const { credentials, phone_number } = wanted
  const number = await findNumber(context, credentials, phone_number)
  if (!number) return undefined
  if (!service_sid) return { ...wanted, number, service: undefined }
  const service = await findService(context, credentials, service_sid, phone_number)
  if (typeof service === 'string') return service
  const connected = await selectByService(context.db, credentials.account_sid, service_sid).execute()
  if (connected.some(({ id }) => id !== existing?.id)) return 'connected_elsewhere'
  return { ...wanted, number, service }
}

/** Sets Twilio's webhook to this server, if possible. */
export async function pointHere(context: Context, confirmed: TwilioNumber): Promise<TwilioNumber> {
  const webhook = webhookOf(context)
  if (!webhook) return confirmed
  const { credentials, number, service } = confirmed
  if (service) return { ...confirmed, service: await setServiceWebhook(context, credentials, service, webhook) }
  const path = `/IncomingPhoneNumbers/${encodeURIComponent(number.sid)}.json`
  const form = new URLSearchParams({ SmsUrl: webhook + REPEATS, SmsMethod: 'POST' })
  return { ...confirmed, number: await requestTwilio(context, credentials, { path, form }, PhoneNumber) }
}

/**
 * Whether Twilio calls this server for incoming messages. A messaging service sets its own webhook unless it leaves
 * that to its numbers.
 */
export function isCalled(context: Context, { number, service }: TwilioNumber): boolean {
  const isOfService = service && !service.use_inbound_webhook_on_number
  const url = isOfService ? service.inbound_request_url : number.sms_url
  const webhook = webhookOf(context)
  return !!webhook && url?.split('#')[0] === webhook
}
