import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { callVendor, type VendorCall, VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import type { ConnectedAuthorization } from '../../integration.ts'
import { errorFor } from './refusals.ts'
import type { CachedTemplates } from './templates.ts'

export interface WhatsappCredentials {
  app_secret: string
  access_token: string
}

/** Details of the connected number, from Meta. */
export interface WhatsappSettings {
  phone_number_id: string
  business_account_id: string
  phone_number: string
  /** The digits of the number, by which messages between own numbers are recognised. */
  digits: string
  verified_name: string | null
  quality: string | null
}

export type Whatsapp = ConnectedAuthorization<WhatsappCredentials, WhatsappSettings, CachedTemplates>

const VERSION = 'v24.0'
const TIMEOUT_MS = 30_000

type GraphCall = Pick<VendorCall, 'method' | 'json' | 'body' | 'headers'> & {
  /** Below the version: the id of an object, and what is asked of it. */
  path: string
  query?: Record<string, string>
}

/**
 * Calls Meta's Graph API.
 * @throws RetryLater, PermanentFailure or ConnectionRevoked by Meta's error code; OutboundFailed if the outcome is unknown
 */
export async function callGraph<S extends z.ZodMiniType>(
  { config, outbound }: Pick<Context, 'config' | 'outbound'>,
  access_token: string,
  { path, query, ...call }: GraphCall,
  schema: S,
): Promise<z.output<S>> {
  const search = query ? `?${new URLSearchParams(query)}` : ''
  const url = `${config.whatsappApiUrl}/${VERSION}/${path}${search}`
  try {
    const { body } = await callVendor(outbound, {
      vendor: 'Meta',
      url,
      token: access_token,
      timeout_ms: TIMEOUT_MS,
      max_bytes: 5_000_000,
      ...call,
    })
    return z.parse(schema, body)
  } catch (error) {
    throw (error instanceof VendorRefused && errorFor(readError(error.body))) || error
  }
}

const GraphError = z.looseObject({
  error: z.looseObject({
    code: z.int(),
    message: z.optional(z.string()),
    error_data: z.optional(z.looseObject({ details: z.optional(z.string()) })),
  }),
})

/** Meta's error code, which alone decides what to do: titles are reworded and translated. */
function readError(body: unknown): { code: number; details?: string | undefined } | undefined {
  const { success, data } = z.safeParse(GraphError, body)
  if (!success) return undefined
  const { code, message, error_data } = data.error
  return { code, details: error_data?.details ?? message }
}
