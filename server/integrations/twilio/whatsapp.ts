import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { TwilioDraft, WhatsappRefusal } from '#contract/integrations/twilio.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../platform/db/change.ts'
import { acrossAccounts } from '../../platform/db/of-account.ts'
import { requestMessaging, type Twilio, type TwilioCredentials } from './client.ts'
import { toE164 } from './numbers.ts'

const PREFIX = 'whatsapp:'
/** Twilio's number for trying out. It belongs to no account, so it is in no list of senders. */
const SANDBOX = '+14155238886'

/** Whether an address at Twilio is one of WhatsApp: `whatsapp:+4917012345`. Others are plain numbers. */
export function isWhatsapp(address: string): boolean {
  return address.startsWith(PREFIX)
}

export function toWhatsappAddress(number: string): string {
  return PREFIX + number
}

/** The number of an address of either kind. */
export function numberOf(address: string): string {
  return isWhatsapp(address) ? address.slice(PREFIX.length) : address
}

const Senders = z.object({ senders: z.array(z.object({ sender_id: z.string(), status: z.nullable(z.string()) })) })

/** Whether messages can be sent from a number over WhatsApp: a sender of the account that is online, or the sandbox. */
async function isSender(context: Context, credentials: TwilioCredentials, number: string): Promise<boolean> {
  if (number === SANDBOX) return true
  const call = { path: '/v2/Channels/Senders', query: { Channel: 'whatsapp', PageSize: '1000' } }
  const { senders } = await requestMessaging(context, credentials, call, Senders)
  // A sender whose profile is being changed is `ONLINE:UPDATING`.
  return senders.some(({ sender_id, status }) => sender_id === PREFIX + number && !!status?.startsWith('ONLINE'))
}

/**
 * The sender to connect: that of the draft, else the earlier one of the same number, which clients that do not know it
 * keep. What is no number stays as it was typed: Twilio will not know it.
 */
export async function chooseWhatsapp(
  { whatsapp_number: input }: TwilioDraft,
  existing: Twilio | undefined,
  address: string,
): Promise<string | undefined> {
  if (input === undefined) return existing?.address === address ? existing.settings.whatsapp_number : undefined
  return input ? ((await toE164(input)) ?? input) : undefined
}

/** Why a sender cannot be connected, if there is one and it cannot. `own_id`: the connection that may have it already. */
export async function findWhatsappRefusal(
  context: Context,
  credentials: TwilioCredentials,
  number: string | undefined,
  own_id: string | undefined,
): Promise<WhatsappRefusal | undefined> {
  if (!number) return undefined
  if (!(await isSender(context, credentials, number))) return 'unknown'
  const connected = await selectByWhatsapp(context.db, credentials.account_sid, number).execute()
  return connected.some(({ id }) => id !== own_id) ? 'connected_elsewhere' : undefined
}

const REFUSALS: Record<WhatsappRefusal, string> = {
  unknown:
    'Twilio shows no WhatsApp sender with this number that is online. Register it in the Twilio console (Messaging → Senders → WhatsApp senders).',
  connected_elsewhere: 'This WhatsApp sender is already connected elsewhere. Disconnect it there first.',
}

/** The response when a sender cannot be connected. */
export function presentWhatsappRefusal(whatsapp_refusal: WhatsappRefusal) {
  return { ok: false as const, error: REFUSALS[whatsapp_refusal], whatsapp_refusal }
}

/** Connections with a WhatsApp sender. */
export function selectByWhatsapp(db: Db, account_sid: string, number: string) {
  return acrossAccounts(db, 'a message names its sender; callers name the accounts whose token signed it')
    .selectFrom('authorizations')
    .select(['account_id', 'id'])
    .where('integration', '=', 'twilio')
    .where('address', 'like', `${account_sid}/%`)
    .where(sql<string>`settings ->> 'whatsapp_number'`, '=', number)
    .where('removed_at', 'is', null)
}
