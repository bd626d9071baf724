import { isUtf8 } from 'node:buffer'
import type { PictureWorker } from './picture-worker.ts'

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
 * @throws PicturesBusy
 */
export async function readContent(bytes: Buffer, pictures: PictureWorker): Promise<Content> {
  const { fileTypeFromBuffer } = await import('file-type')
  const content_type =
    (await fileTypeFromBuffer(bytes))?.mime ?? (isUtf8(bytes) ? 'text/plain' : 'application/octet-stream')
  if (!REWRITTEN.has(content_type)) return { bytes, content_type: isMarkup(content_type) ? 'text/plain' : content_type }
  const clean = await pictures.convert('clean', bytes)
  // Damaged, or a decompression bomb: stored as bytes that nobody will try to draw.
  return clean ? { bytes: clean, content_type } : { bytes, content_type: 'application/octet-stream' }
}

/** Whether browsers may show it inline instead of saving it. */
export function isShown(content_type: string): boolean {
  return SHOWN.test(content_type)
}

function isMarkup(content_type: string): boolean {
  return /xml|html/.test(content_type)
}
