import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { storeFile } from '../../features/conversations/files/files.ts'
import { RetryLater } from '../../integration.ts'
import { AddressRefused } from '../../platform/outbound/guard.ts'
import { basicAuth, requestTwilio, type Twilio } from './client.ts'

const Media = z.object({ media_list: z.array(z.object({ sid: z.string(), content_type: z.string() })) })

const MAX_FILES = 10
/** More than any channel takes. */
const MAX_BYTES = 17_000_000
const TIMEOUT_MS = 60_000
const SID = /^ME[0-9a-f]{32}$/

export interface StoredMedia {
  file_ids: string[]
  /** Number of files that could not be downloaded. */
  missing: number
}

/**
 * Downloads the media of a message. Addresses come from Twilio's list, never from a call. Files that no message uses
 * are destroyed within a day. They have no names of their own: all of them are called `name`.
 * @throws RetryLater if Twilio does not deliver one at the moment
 */
export async function storeMedia(
  context: Context,
  twilio: Twilio,
  message_sid: string,
  name: string,
): Promise<StoredMedia> {
  const path = `/Messages/${encodeURIComponent(message_sid)}/Media.json`
  const { media_list } = await requestTwilio(context, twilio.credentials, { path }, Media)
  const stored: StoredMedia = { file_ids: [], missing: 0 }
  for (const { sid, content_type } of media_list.slice(0, MAX_FILES)) {
    const bytes = SID.test(sid) ? await fetchMedia(context, twilio, message_sid, sid) : undefined
    if (!bytes?.length) {
      stored.missing++
      continue
    }
    const extension = /^\w+\/([\w.-]{1,20})/.exec(content_type)?.[1]?.replace('jpeg', 'jpg') ?? 'bin'
    const file = { filename: `${name}.${extension}`, bytes }
    const saved = await storeFile(context, twilio.account_id, { kind: 'anonymous', address: '' }, file)
    stored.file_ids.push(saved.id)
  }
  return stored
}

/** Undefined if it was deleted or is too large. Redirects to other hosts are followed without the token. */
async function fetchMedia(
  { config, outbound }: Context,
  { credentials }: Twilio,
  message_sid: string,
  sid: string,
): Promise<Buffer | undefined> {
  const address = `${config.twilioApiUrl}/2010-04-01/Accounts/${credentials.account_sid}/Messages/${encodeURIComponent(message_sid)}/Media/${sid}`
  const limits = { max_bytes: MAX_BYTES, timeout_ms: TIMEOUT_MS }
  const headers = { authorization: basicAuth(credentials) }
  const first = await outbound.request(address, { ...limits, headers, may_be_private: true })
  const location = first.headers.get('location')
  const isSentOn = first.status >= 300 && first.status < 400 && !!location
  const answer = isSentOn ? await fetchWithout(outbound, new URL(location, address).href, limits) : first
  if (answer.status >= 500 || answer.status === 429)
    throw new RetryLater('A file cannot be downloaded from Twilio at the moment.')
  return answer.ok ? answer.bytes : undefined
}

async function fetchWithout(
  outbound: Context['outbound'],
  address: string,
  limits: { max_bytes: number; timeout_ms: number },
) {
  try {
    return await outbound.request(address, { ...limits, redirects: 3 })
  } catch (error) {
    if (error instanceof AddressRefused) throw new RetryLater('Twilio redirects to an address that may not be called.')
    throw error
  }
}
