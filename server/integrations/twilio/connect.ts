import * as z from 'zod/mini'
import type { ServiceRefusal, TwilioAuthorization, TwilioDraft } from '#contract/integrations/twilio.ts'
import type { Context } from '../../context.ts'
import { NotFound } from '../../errors.ts'
import { assertSwitchedOn, connectAuthorization } from '../../features/connections/authorizations/connect.ts'
import { sentenceOf } from '../../features/connections/authorizations/health.ts'
import { maskSecret, retainMasked } from '../../features/connections/authorizations/secrets.ts'
import { adoptWaiting } from '../../features/connections/deliveries/disconnected.ts'
import { wakeSender } from '../../features/connections/deliveries/sender.ts'
import { chooseInbox } from '../../features/widget/inboxes/inboxes.ts'
import { PermanentFailure, RetryLater } from '../../integration.ts'
import type { User } from '../../platform/caller.ts'
import { OutboundFailed } from '../../platform/outbound/outbound.ts'
import {
  addressOf,
  findTwilio,
  requestTwilio,
  type Twilio,
  type TwilioCredentials,
  type TwilioCursor,
  type TwilioSettings,
  webhookOf,
} from './client.ts'
import {
  assertNoService,
  findService,
  type MessagingService,
  selectByService,
  setServiceWebhook,
} from './messaging-service.ts'
import { toE164 } from './numbers.ts'
import { ACCOUNT_SID, REPEATS } from './signature.ts'

const INVALID = 'Invalid Twilio authorization details.'

type Answer = { ok: true; id: string } | { ok: false; error: string; service_refusal?: ServiceRefusal }

/**
 * Connects a number, after Twilio confirmed the details. Failures are normal responses here, as existing clients
 * expect.
 */
export async function connectTwilio(context: Context, caller: User, draft: TwilioDraft): Promise<Answer> {
  assertSwitchedOn(context)
  const inbox = await chooseInbox(context.db, caller.account_id, draft.inbox_id)
  if (!inbox) throw new NotFound()
  const known = await findTwilio(context, caller.account_id, inbox.id)
  const credentials = credentialsOf(draft, known)
  const phone_number = await toE164(draft.from_phone_number)
  if (!credentials || !phone_number) return { ok: false, error: INVALID }
  let found: TwilioNumber | ServiceRefusal | undefined
  try {
    const service_sid = chooseService(draft, known, addressOf(credentials.account_sid, phone_number))
    const requested = { inbox_id: inbox.id, credentials, phone_number, stop_words: draft.stop_words ?? undefined }
    found = await fetchNumber(context, requested, service_sid, known)
    if (typeof found === 'object' && draft.sets_webhook) found = await pointHere(context, found)
  } catch (error) {
    const isAway = error instanceof RetryLater || error instanceof OutboundFailed
    return { ok: false, error: isAway ? sentenceOf(error) : INVALID }
  }
  if (!found) return { ok: false, error: INVALID }
  if (typeof found === 'string') return assertNoService(found)
  const { id } = await save(context, caller, found, known)
  // Deliveries that waited while it was broken.
  wakeSender(context)
  return { ok: true, id }
}

/** A token is only sent to the Twilio account it was entered for. */
function credentialsOf({ twilio_account_sid: account_sid, ...draft }: TwilioDraft, known: Twilio | undefined) {
  const isSame = known?.credentials.account_sid === account_sid
  const auth_token = retainMasked(draft.twilio_auth_token, isSame ? known?.credentials.auth_token : undefined)
  return auth_token && ACCOUNT_SID.test(account_sid) ? { account_sid, auth_token } : undefined
}

/** Clients that do not send a messaging service keep the earlier choice for the same number. */
function chooseService({ messaging_service_sid: given }: TwilioDraft, known: Twilio | undefined, address: string) {
  if (given !== undefined) return given || undefined
  return known?.address === address ? known.settings.messaging_service_sid : undefined
}

const PhoneNumber = z.object({
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
  return incoming_phone_numbers.find((one) => one.phone_number === phone_number && one.capabilities?.sms !== false)
}

interface RequestedConnection {
  inbox_id: string
  credentials: TwilioCredentials
  phone_number: string
  /** Those of before, if left out. */
  stop_words: string[] | undefined
}

interface TwilioNumber extends RequestedConnection {
  number: FoundNumber
  service: MessagingService | undefined
}

/** Looks up the number, and the messaging service if one is given. Undefined if Twilio does not show the number. */
async function fetchNumber(
  context: Context,
  wanted: RequestedConnection,
  service_sid: string | undefined,
  known: Twilio | undefined,
): Promise<TwilioNumber | ServiceRefusal | undefined> {
  const { credentials, phone_number } = wanted
  const number = await findNumber(context, credentials, phone_number)
  if (!number) return undefined
  if (!service_sid) return { ...wanted, number, service: undefined }
  const service = await findService(context, credentials, service_sid, phone_number)
  if (typeof service === 'string') return service
  const connected = await selectByService(context.db, credentials.account_sid, service_sid).execute()
  if (connected.some(({ id }) => id !== known?.id)) return 'connected_elsewhere'
  return { ...wanted, number, service }
}

/** Sets Twilio's webhook to this server, if possible. */
async function pointHere(context: Context, found: TwilioNumber): Promise<TwilioNumber> {
  const webhook = webhookOf(context)
  if (!webhook) return found
  const { credentials, number, service } = found
  if (service) return { ...found, service: await setServiceWebhook(context, credentials, service, webhook) }
  const path = `/IncomingPhoneNumbers/${encodeURIComponent(number.sid)}.json`
  const form = new URLSearchParams({ SmsUrl: webhook + REPEATS, SmsMethod: 'POST' })
  return { ...found, number: await requestTwilio(context, credentials, { path, form }, PhoneNumber) }
}

/**
 * Whether Twilio calls this server for incoming messages. A messaging service sets its own webhook unless it leaves
 * that to its numbers.
 */
function isCalled(context: Context, { number, service }: TwilioNumber): boolean {
  const isOfService = service && !service.use_inbound_webhook_on_number
  const url = isOfService ? service.inbound_request_url : number.sms_url
  const webhook = webhookOf(context)
  return !!webhook && url?.split('#')[0] === webhook
}

function save(context: Context, caller: User, found: TwilioNumber, known: Twilio | undefined) {
  const { inbox_id, credentials, number, phone_number, service, stop_words } = found
  const address = addressOf(credentials.account_sid, phone_number)
  const before = known?.address === address ? known.cursor : undefined
  // Earlier messages are not imported; those received while it was broken are.
  const synced_at = before?.synced_at ?? new Date().toISOString()
  return context.change(async (tx) => {
    const connected = await connectAuthorization(context, tx, caller, {
      integration: 'twilio',
      inbox_id,
      label: phone_number,
      address,
      way_in: isCalled(context, found) ? 'called' : 'polled',
      settings: {
        phone_number,
        number_sid: number.sid,
        ...(service && { messaging_service_sid: service.sid }),
        stop_words: stop_words ?? (known?.address === address ? known.settings.stop_words : undefined) ?? [],
      } satisfies TwilioSettings,
      cursor: { synced_at, numbers: service?.numbers ?? [phone_number] } satisfies TwilioCursor,
      credentials,
    })
    await adoptWaiting(tx, caller.account_id, connected)
    return connected
  })
}

/** A connection in the shape of clients. */
export function presentTwilio(twilio: Twilio): TwilioAuthorization {
  const { id, created_at, account_id, inbox_id, credentials } = twilio
  return {
    id,
    created_at,
    account_id,
    inbox_id: inbox_id!,
    from_phone_number: twilio.settings.phone_number,
    twilio_account_sid: credentials.account_sid,
    twilio_auth_token: maskSecret(credentials.auth_token),
    messaging_service_sid: twilio.settings.messaging_service_sid ?? null,
    stop_words: twilio.settings.stop_words ?? [],
  }
}

/**
 * The action of the test button: checks whether Twilio still shows the number, in its messaging service if it has one.
 */
export async function testTwilio(context: Context, { credentials, settings }: Twilio): Promise<void> {
  const { number_sid, phone_number, messaging_service_sid } = settings
  await requestTwilio(context, credentials, { path: `/IncomingPhoneNumbers/${number_sid}.json` }, PhoneNumber)
  if (!messaging_service_sid) return
  const service = await findService(context, credentials, messaging_service_sid, phone_number)
  if (typeof service === 'string') throw new PermanentFailure(assertNoService(service).error)
}
