import * as z from 'zod/mini'
import type { TwilioAuthorization, TwilioDraft } from '#contract/twilio.ts'
import type { Context } from '../../context.ts'
import { NotFound } from '../../errors.ts'
import { connectAuthorization, refuseOff } from '../../features/authorizations/connect.ts'
import { sentenceOf } from '../../features/authorizations/health.ts'
import { keepMasked, maskSecret } from '../../features/authorizations/secrets.ts'
import { wakeSender } from '../../features/deliveries/sender.ts'
import { chooseInbox } from '../../features/inboxes/inboxes.ts'
import { Later } from '../../integration.ts'
import type { User } from '../../platform/caller.ts'
import { OutboundFailed } from '../../platform/outbound/outbound.ts'
import {
  addressOf,
  askTwilio,
  findTwilio,
  settingsOf,
  type Twilio,
  type TwilioCredentials,
  type TwilioSettings,
  webhookOf,
} from './client.ts'
import { toE164 } from './numbers.ts'
import { ACCOUNT_SID, REPEATS } from './signature.ts'

const INVALID = 'Invalid Twilio authorization details.'

type Answer = { ok: true; id: string } | { ok: false; error: string }

/** Connects a number, once Twilio has shown it for these details. A failure is an answer here, as existing clients expect. */
export async function connectTwilio(context: Context, caller: User, draft: TwilioDraft): Promise<Answer> {
  refuseOff(context)
  const inbox = await chooseInbox(context.db, caller.account_id, draft.inbox_id)
  if (!inbox) throw new NotFound()
  const known = await findTwilio(context, caller.account_id, inbox.id)
  const credentials = credentialsOf(draft, known)
  const phone_number = await toE164(draft.from_phone_number)
  if (!credentials || !phone_number) return { ok: false, error: INVALID }
  let number: FoundNumber | undefined
  try {
    number = await findNumber(context, credentials, phone_number)
    if (number && draft.sets_webhook) number = await pointHere(context, credentials, number)
  } catch (error) {
    const isAway = error instanceof Later || error instanceof OutboundFailed
    return { ok: false, error: isAway ? sentenceOf(error) : INVALID }
  }
  if (!number) return { ok: false, error: INVALID }
  const { id } = await save(context, caller, { inbox_id: inbox.id, credentials, number, phone_number }, known)
  // What waited while it was broken.
  wakeSender(context)
  return { ok: true, id }
}

/** A token goes only to the account that it was entered for. */
function credentialsOf({ twilio_account_sid: account_sid, ...draft }: TwilioDraft, known: Twilio | undefined) {
  const isSame = known?.credentials.account_sid === account_sid
  const auth_token = keepMasked(draft.twilio_auth_token, isSame ? known?.credentials.auth_token : undefined)
  return auth_token && ACCOUNT_SID.test(account_sid) ? { account_sid, auth_token } : undefined
}

const PhoneNumber = z.object({
  sid: z.string(),
  phone_number: z.string(),
  sms_url: z.optional(z.nullable(z.string())),
  capabilities: z.optional(z.object({ sms: z.optional(z.boolean()) })),
})
type FoundNumber = z.output<typeof PhoneNumber>
const PhoneNumbers = z.object({ incoming_phone_numbers: z.array(PhoneNumber) })

/** A number of an account of Twilio that takes text messages. */
async function findNumber(
  context: Context,
  credentials: TwilioCredentials,
  phone_number: string,
): Promise<FoundNumber | undefined> {
  const call = { path: '/IncomingPhoneNumbers.json', query: { PhoneNumber: phone_number } }
  const { incoming_phone_numbers } = await askTwilio(context, credentials, call, PhoneNumbers)
  return incoming_phone_numbers.find((one) => one.phone_number === phone_number && one.capabilities?.sms !== false)
}

/** Tells Twilio to call this server, where it can. */
async function pointHere(context: Context, credentials: TwilioCredentials, number: FoundNumber): Promise<FoundNumber> {
  const webhook = webhookOf(context)
  if (!webhook) return number
  const path = `/IncomingPhoneNumbers/${encodeURIComponent(number.sid)}.json`
  const form = new URLSearchParams({ SmsUrl: webhook + REPEATS, SmsMethod: 'POST' })
  return askTwilio(context, credentials, { path, form }, PhoneNumber)
}

interface Found {
  inbox_id: string
  credentials: TwilioCredentials
  number: FoundNumber
  phone_number: string
}

function save(context: Context, caller: User, found: Found, known: Twilio | undefined) {
  const { inbox_id, credentials, number, phone_number } = found
  const webhook = webhookOf(context)
  const address = addressOf(credentials.account_sid, phone_number)
  return context.change((open) =>
    connectAuthorization(context, open, caller, {
      integration: 'twilio',
      inbox_id,
      label: phone_number,
      address,
      way_in: webhook && number.sms_url?.split('#')[0] === webhook ? 'called' : 'polled',
      settings: { phone_number, number_sid: number.sid } satisfies TwilioSettings,
      // What came before is not taken in; what came while it was broken is.
      ...(known?.address !== address && { cursor: { synced_at: new Date().toISOString() } }),
      credentials,
    }),
  )
}

/** As clients know it. */
export function presentTwilio(twilio: Twilio): TwilioAuthorization {
  const { id, created_at, account_id, inbox_id, credentials } = twilio
  return {
    id,
    created_at,
    account_id,
    inbox_id: inbox_id!,
    from_phone_number: settingsOf(twilio).phone_number,
    twilio_account_sid: credentials.account_sid,
    twilio_auth_token: maskSecret(credentials.auth_token),
  }
}

/** Looks whether Twilio still shows the number. What the button does. */
export async function testTwilio(context: Context, { credentials, settings }: Twilio): Promise<void> {
  const { number_sid } = settingsOf({ settings })
  await askTwilio(context, credentials, { path: `/IncomingPhoneNumbers/${number_sid}.json` }, PhoneNumber)
}
