import { isUtf8 } from 'node:buffer'
import type { PictureWorker } from './picture-worker.ts'

/** Pictures that are written anew, which drops where and with what they were taken. */
const REWRITTEN = new Set(['image/jpeg', 'image/png', 'image/webp'])
/** Types a browser only shows or plays. Everything else is handed out as a download. */
const SHOWN = /^(image\/(jpeg|png|webp|gif|avif)|audio\/(mpeg|ogg|wav|webm|mp4|aac|x-m4a)|video\/(mp4|webm|ogg))$/

/** The bytes of a file and what they are, whatever its name says. */
export interface Content {
  bytes: Buffer
  content_type: string
}

/**
 * What bytes are, by looking at them: a name or a claimed type proves nothing. Photos come back turned upright and without
 * their metadata. Text of any kind, also HTML and SVG, is plain text. Unknown bytes are `application/octet-stream`.
 * @throws PicturesBusy
 */
export async function readContent(bytes: Buffer, pictures: PictureWorker): Promise<Content> {
  const { fileTypeFromBuffer } = await import('file-type')
  const content_type =
    (await fileTypeFromBuffer(bytes))?.mime ?? (isUtf8(bytes) ? 'text/plain' : 'application/octet-stream')
  if (!REWRITTEN.has(content_type)) return { bytes, content_type: isMarkup(content_type) ? 'text/plain' : content_type }
  const clean = await pictures.convert('clean', bytes)
  // Broken, or a bomb: kept as bytes that nobody will try to draw.
  return clean ? { bytes: clean, content_type } : { bytes, content_type: 'application/octet-stream' }
}

/** Whether a browser may show it in place instead of saving it. */
export function isShown(content_type: string): boolean {
  return SHOWN.test(content_type)
}

function isMarkup(content_type: string): boolean {
  return /xml|html/.test(content_type)
}
