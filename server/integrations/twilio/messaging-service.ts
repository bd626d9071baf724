import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { ServiceRefusal } from '#contract/integrations/twilio.ts'
import type { Context } from '../../context.ts'
import { VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import type { Db } from '../../platform/db/change.ts'
import { acrossAccounts } from '../../platform/db/of-account.ts'
import { addressOf, requestMessaging, type Twilio, type TwilioCredentials } from './client.ts'
import { REPEATS } from './signature.ts'
import { toWhatsappAddress } from './whatsapp.ts'

const SERVICE_SID = /^MG[0-9a-f]{32}$/
/** Each number is polled every minute. */
const MAX_NUMBERS = 50

const Service = z.object({
  sid: z.string(),
  inbound_request_url: z.optional(z.nullable(z.string())),
  /** Whether the number's webhook is used instead of the service's. */
  use_inbound_webhook_on_number: z.optional(z.nullable(z.boolean())),
})
/** A messaging service: several numbers used as one. */
export type MessagingService = z.output<typeof Service> & { numbers: string[] }

const Pool = z.object({ phone_numbers: z.array(z.object({ phone_number: z.nullable(z.string()) })) })

const REFUSALS: Record<ServiceRefusal, string> = {
  unknown: 'Twilio does not know this messaging service in this account.',
  without_number: 'The number is not in the sender pool of this messaging service. Add it there in the Twilio console.',
  too_large: `A messaging service can be connected with up to ${MAX_NUMBERS} numbers.`,
  connected_elsewhere: 'This messaging service is already connected elsewhere. Disconnect it there first.',
}

/** The response when a messaging service cannot be connected. */
export function assertNoService(service_refusal: ServiceRefusal) {
  return { ok: false as const, error: REFUSALS[service_refusal], service_refusal }
}

/** Looks up a messaging service with its numbers, or returns why it cannot be connected with this number. */
export async function findService(
  context: Context,
  credentials: TwilioCredentials,
  sid: string,
  phone_number: string,
): Promise<MessagingService | ServiceRefusal> {
  if (!SERVICE_SID.test(sid)) return 'unknown'
  try {
    const service = await requestMessaging(context, credentials, { path: `/v1/Services/${sid}` }, Service)
    const numbers = await listPool(context, credentials, sid)
    if (!numbers.includes(phone_number)) return 'without_number'
    return numbers.length > MAX_NUMBERS ? 'too_large' : { ...service, numbers }
  } catch (error) {
    if (error instanceof VendorRefused && error.status === 404) return 'unknown'
    throw error
  }
}

/** The numbers of a messaging service, up to one more than can be connected. */
export async function listPool(context: Context, credentials: TwilioCredentials, sid: string): Promise<string[]> {
  const call = { path: `/v1/Services/${sid}/PhoneNumbers`, query: { PageSize: String(MAX_NUMBERS + 1) } }
  const { phone_numbers } = await requestMessaging(context, credentials, call, Pool)
  return phone_numbers.flatMap(({ phone_number }) => phone_number ?? [])
}

/** Sets a messaging service's webhook to this server, for messages to any of its numbers. */
export async function setServiceWebhook(
  context: Context,
  credentials: TwilioCredentials,
  service: MessagingService,
  webhook: string,
): Promise<MessagingService> {
  const form = new URLSearchParams({
    InboundRequestUrl: webhook + REPEATS,
    InboundMethod: 'POST',
    UseInboundWebhookOnNumber: 'false',
  })
  const pointed = await requestMessaging(context, credentials, { path: `/v1/Services/${service.sid}`, form }, Service)
  return { ...pointed, numbers: service.numbers }
}

/** Connections with a messaging service, in these accounts if given. */
export function selectByService(db: Db, account_sid: string, service_sid: string, account_ids?: string[]) {
  return acrossAccounts(db, 'a message names its service; callers name the accounts whose token signed it')
    .selectFrom('authorizations')
    .select(['account_id', 'id'])
    .where('integration', '=', 'twilio')
    .where('address', 'like', `${account_sid}/%`)
    .where(sql<string>`settings ->> 'messaging_service_sid'`, '=', service_sid)
    .where('removed_at', 'is', null)
    .$if(!!account_ids, (query) => query.where('account_id', 'in', account_ids ?? []))
}

/**
 * The addresses of a connection: its number, its WhatsApp sender, and the numbers of its messaging service without a
 * connection of their own.
 */
export async function listNumbers(context: Context, twilio: Twilio): Promise<string[]> {
  const { phone_number, messaging_service_sid, whatsapp_number } = twilio.settings
  const always = [phone_number, ...(whatsapp_number ? [toWhatsappAddress(whatsapp_number)] : [])]
  if (!messaging_service_sid) return always
  const { credentials } = twilio
  const pool = (await listPool(context, credentials, messaging_service_sid)).slice(0, MAX_NUMBERS)
  const others = await acrossAccounts(context.db, 'a number is connected once in the whole installation')
    .selectFrom('authorizations')
    .select('address')
    .where('integration', '=', 'twilio')
    .where(
      'address',
      'in',
      [phone_number, ...pool].map((number) => addressOf(credentials.account_sid, number)),
    )
    .where('removed_at', 'is', null)
    .where('id', '!=', twilio.id)
    .execute()
  const connected = new Set(others.map(({ address }) => address))
  const own = pool.filter((number) => !connected.has(addressOf(credentials.account_sid, number)))
  return [...new Set([...always, ...own])]
}
