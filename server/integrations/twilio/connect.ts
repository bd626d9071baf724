import type {
  ServiceRefusal,
  TwilioAuthorization,
  TwilioDraft,
  WhatsappRefusal,
} from '#contract/integrations/twilio.ts'
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
import { addressOf, findTwilio, requestTwilio, type Twilio, type TwilioCursor, type TwilioSettings } from './client.ts'
import { assertNoService, findService } from './messaging-service.ts'
import { toE164 } from './numbers.ts'
import { fetchNumber, isCalled, PhoneNumber, pointHere, type TwilioNumber } from './requested-number.ts'
import { ACCOUNT_SID } from './signature.ts'
import { chooseWhatsapp, findWhatsappRefusal, presentWhatsappRefusal, toWhatsappAddress } from './whatsapp.ts'

const INVALID = 'Invalid Twilio authorization details.'

type Answer =
  | { ok: true; id: string }
  | { ok: false; error: string; service_refusal?: ServiceRefusal; whatsapp_refusal?: WhatsappRefusal }

/**
 * Connects a number, after Twilio confirmed the details. Failures are normal responses here, as existing clients
 * expect.
 */
export async function connectTwilio(context: Context, caller: User, draft: TwilioDraft): Promise<Answer> {
  assertSwitchedOn(context)
  const inbox = await chooseInbox(context.db, caller.account_id, draft.inbox_id)
  if (!inbox) throw new NotFound()
  const existing = await findTwilio(context, caller.account_id, inbox.id)
  const credentials = credentialsOf(draft, existing)
  const phone_number = await toE164(draft.from_phone_number)
  if (!credentials || !phone_number) return { ok: false, error: INVALID }
  let result: TwilioNumber | ServiceRefusal | undefined
  let whatsapp_refusal: WhatsappRefusal | undefined
  try {
    const address = addressOf(credentials.account_sid, phone_number)
    const whatsapp_number = await chooseWhatsapp(draft, existing, address)
    const stop_words = draft.stop_words ?? undefined
    const requested = { inbox_id: inbox.id, credentials, phone_number, whatsapp_number, stop_words }
    result = await fetchNumber(context, requested, chooseService(draft, existing, address), existing)
    whatsapp_refusal = await findWhatsappRefusal(context, credentials, whatsapp_number, existing?.id)
    if (typeof result === 'object' && !whatsapp_refusal && draft.sets_webhook) result = await pointHere(context, result)
  } catch (error) {
    const isAway = error instanceof RetryLater || error instanceof OutboundFailed
    return { ok: false, error: isAway ? sentenceOf(error) : INVALID }
  }
  if (!result) return { ok: false, error: INVALID }
  if (typeof result === 'string') return assertNoService(result)
  if (whatsapp_refusal) return presentWhatsappRefusal(whatsapp_refusal)
  const { id } = await save(context, caller, result, existing)
  // Deliveries that waited while it was broken.
  wakeSender(context)
  return { ok: true, id }
}

/** A token is only sent to the Twilio account it was entered for. */
function credentialsOf({ twilio_account_sid: account_sid, ...draft }: TwilioDraft, existing: Twilio | undefined) {
  const isSame = existing?.credentials.account_sid === account_sid
  const auth_token = retainMasked(draft.twilio_auth_token, isSame ? existing?.credentials.auth_token : undefined)
  return auth_token && ACCOUNT_SID.test(account_sid) ? { account_sid, auth_token } : undefined
}

/** Clients that do not send a messaging service keep the earlier choice for the same number. */
function chooseService({ messaging_service_sid: chosen }: TwilioDraft, existing: Twilio | undefined, address: string) {
  if (chosen !== undefined) return chosen || undefined
  return existing?.address === address ? existing.settings.messaging_service_sid : undefined
}

function save(context: Context, caller: User, confirmed: TwilioNumber, existing: Twilio | undefined) {
  const { inbox_id, credentials, number, phone_number, service, whatsapp_number, stop_words } = confirmed
  const address = addressOf(credentials.account_sid, phone_number)
  const before = existing?.address === address ? existing.cursor : undefined
  // Earlier messages are not imported; those received while it was broken are.
  const synced_at = before?.synced_at ?? new Date().toISOString()
  const numbers = [
    ...(service?.numbers ?? [phone_number]),
    ...(whatsapp_number ? [toWhatsappAddress(whatsapp_number)] : []),
  ]
  return context.change(async (tx) => {
    const connected = await connectAuthorization(context, tx, caller, {
      integration: 'twilio',
      inbox_id,
      label: phone_number,
      address,
      way_in: isCalled(context, confirmed) ? 'called' : 'polled',
      settings: {
        phone_number,
        number_sid: number.sid,
        ...(service && { messaging_service_sid: service.sid }),
        ...(whatsapp_number && { whatsapp_number }),
        stop_words: stop_words ?? (existing?.address === address ? existing.settings.stop_words : undefined) ?? [],
      } satisfies TwilioSettings,
      cursor: { synced_at, numbers } satisfies TwilioCursor,
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
    whatsapp_number: twilio.settings.whatsapp_number ?? null,
    stop_words: twilio.settings.stop_words ?? [],
  }
}

/**
 * The action of the test button: checks whether Twilio still shows the number, in its messaging service if it has one,
 * and its WhatsApp sender.
 */
export async function testTwilio(context: Context, { id, credentials, settings }: Twilio): Promise<void> {
  const { number_sid, phone_number, messaging_service_sid, whatsapp_number } = settings
  await requestTwilio(context, credentials, { path: `/IncomingPhoneNumbers/${number_sid}.json` }, PhoneNumber)
  const whatsapp_refusal = await findWhatsappRefusal(context, credentials, whatsapp_number, id)
  if (whatsapp_refusal) throw new PermanentFailure(presentWhatsappRefusal(whatsapp_refusal).error)
  if (!messaging_service_sid) return
  const service = await findService(context, credentials, messaging_service_sid, phone_number)
  if (typeof service === 'string') throw new PermanentFailure(assertNoService(service).error)
}
