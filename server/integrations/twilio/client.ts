import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { Forbidden } from '../../errors.ts'
import { findConnected, loadConnected } from '../../features/connections/authorizations/authorizations.ts'
import { callVendor, VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import { chooseInbox } from '../../features/widget/inboxes/inboxes.ts'
import { type ConnectedAuthorization, ConnectionRevoked } from '../../integration.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { isPublicAddress } from '../../platform/outbound/public-address.ts'

export interface TwilioCredentials {
  account_sid: string
  auth_token: string
}

/** How far messages were read. */
export interface TwilioCursor {
  synced_at: string
  /** The addresses that are polled. Missing in connections from earlier versions until the first poll. */
  numbers?: string[]
}

export type Twilio = ConnectedAuthorization<TwilioCredentials, TwilioSettings, TwilioCursor>

/** Details of the connected number. */
export interface TwilioSettings {
  phone_number: string
  /** Twilio's id of the number. */
  number_sid: string
  /** The number's messaging service, over which replies are sent, if there is one. */
  messaging_service_sid?: string
  /** The WhatsApp sender of the same Twilio account, if there is one. */
  whatsapp_number?: string
  /** Words that unsubscribe, besides those of many languages. */
  stop_words?: string[]
}

/** The unique key of a number, by which events are assigned to its connection. */
export function addressOf(account_sid: string, phone_number: string): string {
  return `${account_sid}/${phone_number}`
}

/** The webhook address for Twilio; undefined if this server is not public. */
export function webhookOf({ config }: Pick<Context, 'config'>): string | undefined {
  return isPublicAddress(config.baseUrl) ? `${config.baseUrl}/api/twilio/webhook` : undefined
}

/** The number of an inbox, by default the primary one. */
export async function findTwilio(
  context: Context,
  account_id: string,
  inbox_id: string | null | undefined,
): Promise<Twilio | undefined> {
  const inbox = await chooseInbox(context.db, account_id, inbox_id)
  return inbox && findConnected<Twilio>(context, account_id, { integration: 'twilio', inbox_id: inbox.id })
}

/** A connection by its id, unless it was removed. */
export function loadTwilio(context: Context, account_id: string, id: string): Promise<Twilio | undefined> {
  return loadConnected<Twilio>(context, account_id, id)
}

/** The number connected last. @throws Forbidden in the words that existing clients know */
export async function needNewest(context: Context, account_id: string): Promise<Twilio> {
  const row = await ofAccount(context.db, account_id)
    .selectFrom('authorizations')
    .select('id')
    .where('integration', '=', 'twilio')
    .where('removed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const connection = row && (await loadTwilio(context, account_id, row.id))
  if (!connection) throw new Forbidden('Authorization required')
  return connection
}

/** A message in the API's shape. */
export const TwilioMessage = z.looseObject({
  sid: z.string(),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  body: z.nullable(z.string()),
  direction: z.optional(z.string()),
  status: z.optional(z.string()),
  num_media: z.optional(z.string()),
  error_code: z.optional(z.nullable(z.union([z.int(), z.string()]))),
  date_created: z.string(),
})
export type TwilioMessage = z.output<typeof TwilioMessage>

const TIMEOUT_MS = 20_000

interface Call {
  /** A path below the account, or in the API of messaging services. */
  path: string
  query?: Record<string, string>
  /** The data to write; without it the call only reads. */
  form?: URLSearchParams
}

/**
 * Calls Twilio's API.
 * @throws RetryLater, PermanentFailure, ConnectionRevoked, or OutboundFailed
 */
export function requestTwilio<S extends z.ZodMiniType>(
  context: Context,
  credentials: TwilioCredentials,
  call: Call,
  schema: S,
): Promise<z.output<S>> {
  const account = `${context.config.twilioApiUrl}/2010-04-01/Accounts/${credentials.account_sid}`
  return requestAt(context, credentials, account, call, schema)
}

/**
 * Calls Twilio's API for messaging services (v1) and for senders (v2).
 * @throws RetryLater, PermanentFailure, ConnectionRevoked, or OutboundFailed
 */
export function requestMessaging<S extends z.ZodMiniType>(
  context: Context,
  credentials: TwilioCredentials,
  call: Call,
  schema: S,
): Promise<z.output<S>> {
  return requestAt(context, credentials, context.config.twilioMessagingUrl, call, schema)
}

async function requestAt<S extends z.ZodMiniType>(
  { outbound }: Context,
  credentials: TwilioCredentials,
  base: string,
  { path, query, form }: Call,
  schema: S,
): Promise<z.output<S>> {
  const search = query ? `?${new URLSearchParams(query)}` : ''
  try {
    const { body } = await callVendor(outbound, {
      vendor: 'Twilio',
      url: `${base}${path}${search}`,
      headers: { authorization: basicAuth(credentials) },
      timeout_ms: TIMEOUT_MS,
      ...(form && { method: 'POST' as const, body: form }),
    })
    return z.parse(schema, body)
  } catch (error) {
    if (error instanceof VendorRefused && codeOf(error) === 20003) {
      throw new ConnectionRevoked('Twilio refused the account SID and token. Connect it again.')
    }
    throw error
  }
}

export function basicAuth({ account_sid, auth_token }: TwilioCredentials): string {
  return `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`
}

/** Twilio's error code of a refusal. */
export function codeOf({ body }: VendorRefused): number | undefined {
  const { code } = (typeof body === 'object' && body !== null ? body : {}) as { code?: unknown }
  return typeof code === 'number' ? code : undefined
}
