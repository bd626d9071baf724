import type { FastifyReply, FastifyRequest } from 'fastify'
import { NotFound } from '../../../errors.ts'
import { isShown } from '../../../platform/files/content.ts'
import type { FileStore } from '../../../platform/files/file-store.ts'
import { readByteRange } from '../../../platform/http/byte-range.ts'

interface SentFile {
  key: string
  filename: string
  content_type: string
  size: number
}

/**
 * Sends a file, or the wanted part of it. Only those that a browser merely shows or plays are opened inline; none can
 * run scripts on our origin.
 * @throws NotFound if its contents are missing
 */
export async function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  store: FileStore,
  file: SentFile,
  caching: string,
) {
  const range = readByteRange(headers.range, file.size)
  if (range === 'unsatisfiable') return reply.status(416).header('content-range', `bytes */${file.size}`).send()
  const bytes = await store.get(file.key, range)
  if (!bytes) throw new NotFound()
  if (range) reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`)
  const disposition = isShown(file.content_type) ? 'inline' : 'attachment'
  return reply
    .headers({
      'content-type': file.content_type,
      'content-length': range ? range.end - range.start + 1 : file.size,
      'accept-ranges': 'bytes',
      'content-disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': caching,
    })
    .send(bytes)
}
