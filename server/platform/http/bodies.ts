import { setTimeout as sleep } from 'node:timers/promises'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import qs from 'qs'
import { BadRequest, Refusal } from '../../errors.ts'
import { NotJson, parseJson } from '../json.ts'
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'
import { networkOf } from '../limits/network.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the sender calls the file in a multipart body. */
    uploadName?: string
  }
}

/** Bytes of the one file that a form may bring, as the predecessor accepted them. */
const FILE_LIMIT = 8_000_000
/** Of everything beside it. */
const TEXTS_LIMIT = 100_000
/** Of a form in all. */
export const FORM_LIMIT = FILE_LIMIT + TEXTS_LIMIT
const FIELD_LIMIT = 500
/** Forms with files that are held in memory at once, and of one network; the others are not read yet. */
const FORMS_AT_ONCE = 3
/** That each of them may bring on average. */
const FORM_BYTES_PER_MS = 3_000
const FORMS_OF_NETWORK = 2
/** Nobody nests deeper on purpose. */
const DEEPEST = 50

/** Reads JSON, forms and multipart alike; forms name what stands inside something as `message[body]`. */
export async function readBodies(app: FastifyInstance) {
  app.decorateRequest('uploadName')
  const [ofAll, ofNetwork] = [new ConcurrencyLimiter(FORMS_AT_ONCE, 500), new ConcurrencyLimiter(FORMS_OF_NETWORK, 50)]
  await app.register(multipart, {
    limits: { fileSize: FILE_LIMIT, files: 1, fields: 20, parts: 21, fieldSize: TEXTS_LIMIT, headerPairs: 50 },
  })
  app.addHook('preValidation', async (request) => {
    // What another system signed is read by whoever knows the signature, from the bytes.
    if (!request.isMultipart() || request.signedFor) return
    request.body = await ofNetwork.run(networkOf(request.ip), () => readInTurn(ofAll, request))
  })
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? {} : parseJson(String(text), DEEPEST))
    } catch (error) {
      const why = error instanceof NotJson ? error.message : ''
      done(Object.assign(new Error(`The body cannot be read. ${why}`.trim()), { statusCode: 400 }))
    }
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) => {
    done(null, readFields(String(text)))
  })
  // Anything else is taken and ignored, as existing clients expect of text beacons.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null, {}))
}

/** The next form waits a little longer than this one: reading them all at once would leave no time for anything else. */
function readInTurn(turns: ConcurrencyLimiter, request: FastifyRequest): Promise<object> {
  return new Promise((resolve, reject) => {
    const work = async () => {
      const { socket } = request.raw
      const before = socket.bytesRead
      await readParts(request).then(resolve, reject)
      await sleep((socket.bytesRead - before) / FORM_BYTES_PER_MS, undefined, { ref: false })
    }
    turns.run('', work).catch(reject)
  })
}

/** Each part is read through fully: the parser waits for it. A form that breaks off is no fault of ours. */
async function readParts(request: FastifyRequest): Promise<object> {
  const texts: Record<string, unknown[]> = {}
  const files: Record<string, Buffer> = {}
  const parts = request.parts()
  const isOver = watchSize(request)
  try {
    for await (const part of parts) {
      if (part.type === 'field') texts[part.fieldname] = [...(texts[part.fieldname] ?? []), part.value]
      else {
        request.uploadName = part.filename
        files[part.fieldname] = await part.toBuffer()
      }
    }
  } catch (error) {
    if (isOver()) throw new Refusal(413, TOO_LARGE)
    if (error instanceof Error && 'statusCode' in error) throw error
    throw new BadRequest('The form in the body is not whole.')
  }
  const fields = Object.entries(texts).map(([name, values]) => [name, values.length > 1 ? values : values[0]])
  return { ...readFields(Object.fromEntries(fields)), ...files }
}

const TOO_LARGE = 'The form is too large: one file of 8 MB, and a few short fields beside it.'

/**
 * What stands before, between and behind the parts counts, too: a form that never ends is cut off. That is late enough
 * for one with a file that is a little too large to be refused in words.
 */
function watchSize({ raw }: FastifyRequest): () => boolean {
  let bytes = 0
  const isOver = () => bytes > 2 * FORM_LIMIT
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (isOver()) raw.destroy()
  })
  return isOver
}

function readFields(given: string | Record<string, string>): object {
  return qs.parse(given, { depth: 5, parameterLimit: FIELD_LIMIT, arrayLimit: FIELD_LIMIT })
}
