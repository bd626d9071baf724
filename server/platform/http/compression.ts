import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const PACKERS = {
  br: (text: string) =>
    promisify(brotliCompress)(text, {
      params: { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: text.length },
    }),
  gzip: (text: string) => promisify(gzip)(text, { level: 9 }),
}

type Encoding = keyof typeof PACKERS

/** A frequently sent text: compressed once per encoding on first use, with maximum compression. */
export class PrecompressedText {
  readonly text: string
  readonly etag: string
  readonly #made = new Map<Encoding, Promise<Buffer>>()

  constructor(text: string) {
    this.text = text
    this.etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  }

  as(encoding: Encoding): Promise<Buffer> {
    const made = this.#made.get(encoding) ?? PACKERS[encoding](this.text)
    this.#made.set(encoding, made)
    return made
  }
}

/** Sends a precompressed text in an encoding the client accepts, or 304 if the client has it. */
export async function sendPacked({ headers }: FastifyRequest, reply: FastifyReply, packed: PrecompressedText) {
  // The same ETag for every encoding, therefore a weak one.
  reply.header('etag', `W/${packed.etag}`).header('vary', 'accept-encoding')
  if (headers['if-none-match']?.includes(packed.etag)) return reply.status(304).send()
  const encoding = (['br', 'gzip'] as const).find((one) => acceptsEncoding(headers['accept-encoding'], one))
  if (!encoding) return reply.send(packed.text)
  return reply.header('content-encoding', encoding).send(await packed.as(encoding))
}

/** Whether a client accepts an encoding. */
export function acceptsEncoding(accepted: string | string[] | undefined, encoding: Encoding): boolean {
  const wishes = String(accepted ?? '').split(',')
  return wishes.some((wish) => {
    const [name, weight] = wish.split(';').map((part) => part.trim())
    return name === encoding && !/^q=0(\.0*)?$/.test(weight ?? '')
  })
}
