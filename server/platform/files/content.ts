import { isUtf8 } from 'node:buffer'
import type { Workers } from '../workers/workers.ts'
import { convertPicture } from './convert-picture.ts'
import { LOCATED } from './without-location.ts'

/** Picture types that are re-encoded, which removes metadata such as location and camera. */
const REWRITTEN = new Set(['image/jpeg', 'image/png', 'image/webp'])
/** Types that browsers only show or play. All others are served as downloads. */
const SHOWN = /^(image\/(jpeg|png|webp|gif|avif)|audio\/(mpeg|ogg|wav|webm|mp4|aac|x-m4a)|video\/(mp4|webm|ogg))$/

/** The contents of a file and its detected type, whatever its name says. */
export interface Content {
  bytes: Buffer
  content_type: string
}

/**
 * Detects a file's type from its bytes: a name or a claimed type proves nothing. Photos are turned upright and lose
 * their metadata. Text of any kind, including HTML and SVG, is plain text. Unknown bytes are
 * `application/octet-stream`.
 * @throws WorkersBusy
 */
export async function readContent(pictures: Workers, account_id: string, bytes: Buffer): Promise<Content> {
  const content_type = (await detectType(bytes)) ?? (isUtf8(bytes) ? 'text/plain' : 'application/octet-stream')
  const kind = REWRITTEN.has(content_type) ? 'clean' : LOCATED.test(content_type) ? 'unplaced' : undefined
  if (!kind) return { bytes, content_type: isMarkup(content_type) ? 'text/plain' : content_type }
  const clean = await convertPicture(pictures, account_id, kind, bytes, { content_type })
  // Damaged, or a decompression bomb: stored as bytes that nobody will try to draw.
  return clean ? { bytes: clean, content_type } : { bytes, content_type: 'application/octet-stream' }
}

/** Types are recognised by their beginning; the rest might keep the library busy. */
const DETECTED_BYTES = 64_000

/** A file's type by its first bytes, if they are known. */
export async function detectType(bytes: Buffer): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  return (await fileTypeFromBuffer(bytes.subarray(0, DETECTED_BYTES)))?.mime
}

/** Whether browsers may show it inline instead of saving it. */
export function isShown(content_type: string): boolean {
  return SHOWN.test(content_type)
}

function isMarkup(content_type: string): boolean {
  return /xml|html/.test(content_type)
}
