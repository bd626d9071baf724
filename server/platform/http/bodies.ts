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
    /** The file name in a multipart body. */
    uploadName?: string
  }
}

/** Maximum size of the file in a form, as in the predecessor. */
const FILE_LIMIT = 8_000_000
/** Maximum size of the other fields. */
const TEXTS_LIMIT = 100_000
/** Maximum size of a form. */
export const FORM_LIMIT = FILE_LIMIT + TEXTS_LIMIT
const FIELD_LIMIT = 500
/** Maximum number of forms with files in memory, in total and per network; others are not read yet. */
const FORMS_AT_ONCE = 3
/** Average rate at which each of them is read. */
const FORM_BYTES_PER_MS = 3_000
const FORMS_OF_NETWORK = 2
/** Deeper nesting is never intended. */
const DEEPEST = 50

/** Parses JSON, forms and multipart alike; forms write nested fields as `message[body]`. */
export async function readBodies(app: FastifyInstance) {
  app.decorateRequest('uploadName')
  const [ofAll, ofNetwork] = [new ConcurrencyLimiter(FORMS_AT_ONCE, 500), new ConcurrencyLimiter(FORMS_OF_NETWORK, 50)]
  await app.register(multipart, {
    limits: { fileSize: FILE_LIMIT, files: 1, fields: 20, parts: 21, fieldSize: TEXTS_LIMIT, headerPairs: 50 },
  })
  app.addHook('preValidation', async (request) => {
    // Signed bodies are parsed from their bytes after the signature was verified.
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
  // Other types are accepted and ignored, as existing clients expect of text beacons.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null, {}))
}

/** Delays the next form a little: reading them all at once would leave no time for anything else. */
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

/** Each part is read completely, because the parser waits for it. An interrupted form is not our error. */
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
    throw new BadRequest('The form in the body is incomplete.')
  }
  const fields = Object.entries(texts).map(([name, values]) => [name, values.length > 1 ? values : values[0]])
  return { ...readFields(Object.fromEntries(fields)), ...files }
}

const TOO_LARGE = 'The form is too large: it may contain one file of up to 8 MB and a few short fields.'

/**
 * Also counts data before, between and after the parts, so that an endless form is cut off. The limit allows a form
 * with a slightly too large file to get a proper refusal.
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
