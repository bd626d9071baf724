import { isUtf8 } from 'node:buffer'
import { isOnHosts } from '#contract/widget/live-sessions.ts'
import { NotFound } from '../../../errors.ts'
import type { Db } from '../../../platform/db/change.ts'
import { detectType } from '../../../platform/files/content.ts'
import { AddressRefused } from '../../../platform/outbound/guard.ts'
import { type Outbound, OutboundFailed, type OutboundResponse } from '../../../platform/outbound/outbound.ts'
import { readSettings } from './watching.ts'

const MAX_BYTES = 5_000_000
const TIMEOUT_MS = 8_000
/** File types needed to draw a page. Anything else, such as pages themselves, must not be readable here. */
const DRAWN = /^(image|font)\//
/** Recognised by their declared type: they cannot be told from other text by their bytes. */
const TEXTS = ['text/css', 'image/svg+xml']

/** The address and kind of a picture, font or stylesheet. */
export interface PageFile {
  bytes: Buffer
  content_type: string
}

/**
 * Fetches files of a watched page, only from hosts named by the account: the page's contents come from a stranger's
 * browser. No cookies are sent, and redirects are not followed.
 * @throws NotFound
 */
export async function fetchPageFile(
  { db, outbound }: { db: Db; outbound: Outbound },
  account_id: string,
  url: string,
): Promise<PageFile> {
  const { replay_hosts } = await readSettings(db, account_id)
  if (!isOnHosts(url, replay_hosts ?? [])) {
    throw new NotFound('Files of this host are not shown. An admin can add the host under Set up Storytime.')
  }
  const request = { headers: { accept: 'image/*,font/*,text/css' }, timeout_ms: TIMEOUT_MS, max_bytes: MAX_BYTES }
  const answer = await outbound.request(url, request).catch((error: unknown) => {
    if (error instanceof AddressRefused || error instanceof OutboundFailed) throw new NotFound(error.message)
    throw error
  })
  const content_type = answer.ok && (await typeOf(answer))
  if (!content_type) throw new NotFound('There is no picture, font or stylesheet at this address.')
  return { bytes: answer.bytes, content_type }
}

/** Detected from the bytes where possible; undefined for types not needed to draw a page. */
async function typeOf({ bytes, headers }: OutboundResponse): Promise<string | undefined> {
  const mime = await detectType(bytes)
  if (mime && DRAWN.test(mime)) return mime
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  return TEXTS.includes(type) && isUtf8(bytes) ? type : undefined
}
