import { buffer } from 'node:stream/consumers'
import * as z from 'zod/mini'
import type { StoredFile } from '#contract/conversations/messages.ts'
import type { Context } from '../../context.ts'
import { findFile, storeFile } from '../../features/conversations/files/files.ts'
import { PermanentFailure, RetryLater } from '../../integration.ts'
import { OutboundFailed } from '../../platform/outbound/outbound.ts'
import { callGraph, type Whatsapp } from './client.ts'
import type { ReceivedMedia } from './content.ts'

/** Meta allows documents of 100 MB; several at once would fill the memory. */
const MAX_BYTES = 20_000_000
const TIMEOUT_MS = 120_000

const MediaAddress = z.object({ url: z.string(), file_size: z.optional(z.coerce.number()) })
/** Meta's hosts of files. The token is sent to no other one, whatever address an answer contains. */
const HOSTS = /(^|\.)(fbsbx\.com|fbcdn\.net|facebook\.com|whatsapp\.net)$/

const NOT_STORED = { missing: '(A file could not be stored.)' }

/**
 * Downloads a file of a message. Files that no message uses are destroyed within a day. Returns its id, or a sentence for
 * the team if it was deleted or is too large.
 * @throws RetryLater if Meta does not deliver it at the moment
 */
export async function storeMedia(
  context: Context,
  { account_id, credentials, settings }: Whatsapp,
  { id, mime_type, filename }: ReceivedMedia,
): Promise<{ file_id: string } | { missing: string }> {
  const { access_token } = credentials
  const query = { phone_number_id: settings.phone_number_id }
  try {
    const { url, file_size = 0 } = await callGraph(context, access_token, { path: id, query }, MediaAddress)
    if (file_size > MAX_BYTES) return { missing: `(${filename ?? 'A file'} is larger than 20 MB and was not stored.)` }
    const bytes = await fetchBytes(context, access_token, url)
    if (!bytes?.length) return NOT_STORED
    const file = { filename: filename ?? nameOf(mime_type), bytes }
    return { file_id: (await storeFile(context, account_id, { kind: 'anonymous', address: '' }, file)).id }
  } catch (error) {
    if (error instanceof PermanentFailure) return NOT_STORED
    throw error
  }
}

async function fetchBytes({ config, outbound }: Context, token: string, url: string): Promise<Buffer | undefined> {
  const target = URL.parse(url)
  const isOfApi = target?.origin === new URL(config.whatsappApiUrl).origin
  if (!target || !(isOfApi || (target.protocol === 'https:' && HOSTS.test(target.hostname)))) return undefined
  const limits = { max_bytes: MAX_BYTES, timeout_ms: TIMEOUT_MS, may_be_private: isOfApi }
  const answer = await outbound.request(url, { ...limits, headers: { authorization: `Bearer ${token}` } })
  // Addresses expire after minutes; the next try asks for a new one.
  if (!answer.ok && answer.status !== 410)
    throw new RetryLater('A file cannot be downloaded from WhatsApp at the moment.')
  return answer.ok ? answer.bytes : undefined
}

/** Such as `whatsapp.jpg`; voice messages have parameters behind their type. */
function nameOf(mime_type: string): string {
  const extension = /^\w+\/([\w.-]{1,20})/.exec(mime_type)?.[1]?.replace('jpeg', 'jpg') ?? 'bin'
  return `whatsapp.${extension}`
}

type MediaKind = 'image' | 'video' | 'audio' | 'document'

/** What WhatsApp takes as a file, with the largest size in bytes. Everything else is sent as a link. */
const KINDS: { kind: MediaKind; types: RegExp; bytes: number }[] = [
  { kind: 'image', types: /^image\/(jpeg|png)$/, bytes: 5_000_000 },
  { kind: 'video', types: /^video\/(mp4|3gpp)$/, bytes: 16_000_000 },
  { kind: 'audio', types: /^audio\/(aac|amr|mpeg|mp4|ogg)$/, bytes: 16_000_000 },
  {
    kind: 'document',
    types: /^(text\/plain|application\/(pdf|msword|vnd\.(ms-|openxmlformats-officedocument\.)[\w.-]+))$/,
    bytes: 100_000_000,
  },
]

/** As which kind of media a file is sent; undefined if WhatsApp does not take it. */
export function mediaKindOf({ content_type, size }: { content_type: string; size: number }): MediaKind | undefined {
  const type = content_type.split(';')[0]!.trim()
  return KINDS.find(({ types, bytes }) => types.test(type) && size <= bytes)?.kind
}

const Uploaded = z.object({ id: z.string() })

/**
 * Uploads a file, after which its id can be sent. Returns Meta's id.
 * @throws RetryLater also if the outcome is unknown: an upload alone reaches nobody
 */
export async function uploadMedia(
  context: Context,
  { settings, credentials }: Whatsapp,
  { id, filename, content_type }: z.output<typeof StoredFile>,
): Promise<string> {
  const row = await findFile(context.db, id)
  const stream = row && (await context.files.get(row.key))
  if (!stream) throw new PermanentFailure(`The file ${filename} no longer exists.`)
  const type = content_type.split(';')[0]!.trim()
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('type', type)
  form.set('file', new Blob([new Uint8Array(await buffer(stream))], { type }), filename)
  const encoded = new Response(form)
  const body = Buffer.from(await encoded.arrayBuffer())
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  const call = { method: 'POST' as const, path: `${settings.phone_number_id}/media`, body, headers }
  try {
    return (await callGraph(context, credentials.access_token, call, Uploaded)).id
  } catch (error) {
    if (error instanceof OutboundFailed) throw new RetryLater(error.message)
    if (error instanceof PermanentFailure) throw new PermanentFailure(`${filename}: ${error.message}`)
    throw error
  }
}
