import type { Context } from '../../context.ts'
import { callVendor, type VendorCall, VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import { LARGEST_TAKEN } from '../../features/connections/mirrors/missing-files.ts'
import { ConnectionRevoked, RetryLater } from '../../integration.ts'

/** A Mattermost server with its token. */
export interface Access {
  url: string
  access_token: string
}

type Call = Pick<VendorCall, 'method' | 'json'> & { path: string }

/**
 * Makes a call. An admin entered the server's address, so it must be public, or allowed by the operator.
 * @throws Later, Reconnect, VendorRefused; OutboundFailed if it is unknown whether something was changed
 */
export async function requestMattermost(
  { outbound }: Pick<Context, 'outbound'>,
  { url, access_token: token }: Access,
  { path, method = 'GET', json }: Call,
): Promise<unknown> {
  try {
    const call = { vendor: 'Mattermost', url: `${url}/api/v4${path}`, method, token, max_bytes: LARGEST_ANSWER }
    const { body } = await callVendor(outbound, {
      ...call,
      ...(json !== undefined && { json }),
      is_guarded: true,
    })
    return body
  } catch (error) {
    if (error instanceof VendorRefused && error.status === 403) {
      throw new ConnectionRevoked(`${error.message} Add the bot to the channel, then connect it again.`)
    }
    throw error
  }
}

const LARGEST_ANSWER = 5_000_000

/**
 * The contents of a file that is known to be small enough; undefined if it cannot be read.
 * @throws Later while Mattermost does not deliver it
 */
export async function fetchFile(
  { outbound }: Pick<Context, 'outbound'>,
  { url, access_token }: Access,
  id: string,
): Promise<Buffer | undefined> {
  const answer = await outbound.request(`${url}/api/v4/files/${encodeURIComponent(id)}`, {
    headers: { authorization: `Bearer ${access_token}` },
    max_bytes: LARGEST_TAKEN,
    timeout_ms: 60_000,
  })
  if (answer.status >= 500) throw new RetryLater('A file cannot be downloaded from Mattermost at the moment.')
  return answer.ok ? answer.bytes : undefined
}

/** Normalises a pasted address. Undefined if it is none. */
export function readAddress(text: string): string | undefined {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol) || url.username) return undefined
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
