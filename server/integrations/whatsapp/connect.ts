import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import type { WhatsappAuthorization, WhatsappDraft } from '#contract/integrations/whatsapp.ts'
import type { Context } from '../../context.ts'
import { Invalid, NotFound, Refusal, Unacceptable } from '../../errors.ts'
import { findConnected, loadConnected } from '../../features/connections/authorizations/authorizations.ts'
import { assertSwitchedOn, connectAuthorization } from '../../features/connections/authorizations/connect.ts'
import { maskSecret, retainMasked } from '../../features/connections/authorizations/secrets.ts'
import { runForCaller } from '../../features/connections/authorizations/vendor-call.ts'
import { adoptWaiting } from '../../features/connections/deliveries/disconnected.ts'
import { wakeSender } from '../../features/connections/deliveries/sender.ts'
import { chooseInbox } from '../../features/widget/inboxes/inboxes.ts'
import type { User } from '../../platform/caller.ts'
import { isPublicAddress } from '../../platform/outbound/public-address.ts'
import { deriveToken } from '../../platform/secrets.ts'
import { callGraph, type Whatsapp, type WhatsappCredentials, type WhatsappSettings } from './client.ts'

/** The address that Meta calls for an account; undefined if this server cannot be called from the internet. */
export function webhookOf({ config }: Pick<Context, 'config'>, account_id: string): string | undefined {
  return isPublicAddress(config.baseUrl) ? `${config.baseUrl}/api/whatsapp/webhook?account=${account_id}` : undefined
}

/**
 * What Meta has to send when it checks that address. Derived, because Meta checks it while the connection is being made,
 * before anything is stored.
 */
export function verifyTokenOf({ config }: Pick<Context, 'config'>, account_id: string): string {
  return deriveToken('pwv_', config.secretKey!, 'whatsapp verification', account_id)
}

/** The number of an inbox, by default of the primary one. */
export async function findWhatsapp(
  context: Context,
  account_id: string,
  inbox_id: string | null | undefined,
): Promise<Whatsapp | undefined> {
  const inbox = await chooseInbox(context.db, account_id, inbox_id)
  return inbox && findConnected<Whatsapp>(context, account_id, { integration: 'whatsapp', inbox_id: inbox.id })
}

/**
 * Connects a number after checking it at Meta, and lets Meta call this server.
 * @throws Refusal without a public address; Invalid for missing secrets; Refusal with what Meta refuses
 */
export async function connectWhatsapp(context: Context, caller: User, draft: WhatsappDraft): Promise<Whatsapp> {
  assertSwitchedOn(context)
  const { account_id } = caller
  const webhook = webhookOf(context, account_id)
  if (!webhook)
    throw new Refusal(
      422,
      'Meta calls this server, so it needs a public https address. Set BASE_URL to it, then try again.',
      'unreachable',
    )
  const inbox = await chooseInbox(context.db, account_id, draft.inbox_id)
  if (!inbox) throw new NotFound()
  const existing = await findWhatsapp(context, account_id, inbox.id)
  const credentials = credentialsOf(draft, existing)
  const settings = await runForCaller(async () => {
    const checked = await checkAtMeta(context, draft, credentials)
    await subscribe(context, account_id, draft.business_account_id, credentials, webhook)
    return checked
  })
  const { id } = await context.change(async (tx) => {
    const connected = await connectAuthorization(context, tx, caller, {
      integration: 'whatsapp',
      inbox_id: inbox.id,
      label: settings.phone_number,
      address: settings.phone_number_id,
      way_in: 'called',
      settings,
      cursor: null,
      credentials,
    })
    await adoptWaiting(tx, account_id, connected)
    return connected
  })
  wakeSender(context)
  const connected = await loadConnected<Whatsapp>(context, account_id, id)
  if (!connected) throw new NotFound()
  return connected
}

/** Secrets are only sent to the Meta account that they were entered for. */
function credentialsOf(draft: WhatsappDraft, existing: Whatsapp | undefined): WhatsappCredentials {
  const isSame = existing?.settings.business_account_id === draft.business_account_id
  const stored = isSame ? existing?.credentials : undefined
  const app_secret = retainMasked(draft.app_secret, stored?.app_secret)
  const access_token = retainMasked(draft.access_token, stored?.access_token)
  if (!app_secret) throw new Invalid({ app_secret: ["can't be blank"] })
  if (!access_token) throw new Invalid({ access_token: ["can't be blank"] })
  return { app_secret, access_token }
}

const PhoneNumber = z.object({
  id: z.string(),
  display_phone_number: z.string(),
  verified_name: z.optional(z.nullable(z.string())),
  quality_rating: z.optional(z.nullable(z.string())),
})
const PhoneNumbers = z.object({ data: z.array(PhoneNumber) })
const FIELDS = 'id,display_phone_number,verified_name,quality_rating'

/** Reads the number from its account. The proof shows that the secret is that of the token's app. */
async function checkAtMeta(
  context: Context,
  { phone_number_id, business_account_id }: Pick<WhatsappDraft, 'phone_number_id' | 'business_account_id'>,
  { app_secret, access_token }: WhatsappCredentials,
): Promise<WhatsappSettings> {
  const appsecret_proof = createHmac('sha256', app_secret).update(access_token).digest('hex')
  const query = { fields: FIELDS, limit: '100', appsecret_proof }
  const call = { path: `${business_account_id}/phone_numbers`, query }
  const { data } = await callGraph(context, access_token, call, PhoneNumbers)
  const number = data.find(({ id }) => id === phone_number_id)
  if (!number)
    throw new Unacceptable(
      'This account at Meta has no number with this phone number ID. Copy both from WhatsApp → API Setup.',
    )
  return {
    phone_number_id,
    business_account_id,
    phone_number: number.display_phone_number,
    digits: number.display_phone_number.replace(/\D/g, ''),
    verified_name: number.verified_name ?? null,
    quality: number.quality_rating ?? null,
  }
}

/** Lets Meta call this server for the account's numbers; Meta calls it at once to check the address. */
async function subscribe(
  context: Context,
  account_id: string,
  business_account_id: string,
  { access_token }: WhatsappCredentials,
  override_callback_uri: string,
): Promise<void> {
  const json = { override_callback_uri, verify_token: verifyTokenOf(context, account_id) }
  const call = { method: 'POST' as const, path: `${business_account_id}/subscribed_apps`, json }
  await callGraph(context, access_token, call, z.looseObject({}))
}

/** The action of the test button: Meta still shows the number, and takes the token and the secret. */
export async function testWhatsapp(context: Context, { settings, credentials }: Whatsapp): Promise<void> {
  await checkAtMeta(context, settings, credentials)
}

/** A connection in the shape of clients. */
export function presentWhatsapp({ id, created_at, inbox_id, settings, credentials }: Whatsapp): WhatsappAuthorization {
  const { phone_number, verified_name, quality, phone_number_id, business_account_id } = settings
  return {
    id,
    created_at,
    inbox_id: inbox_id!,
    phone_number,
    verified_name,
    quality,
    phone_number_id,
    business_account_id,
    app_secret: maskSecret(credentials.app_secret),
    access_token: maskSecret(credentials.access_token),
  }
}
