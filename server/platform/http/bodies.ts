import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import qs from 'qs'
import { NotJson, parseJson } from '../json.ts'
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'
import { FILE_LIMIT, parseForm, TEXTS_LIMIT } from './forms.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The file name in a multipart body. */
    uploadName?: string
  }
}

/** Maximum size of a form. */
export const FORM_LIMIT = FILE_LIMIT + TEXTS_LIMIT
const FIELD_LIMIT = 500
/** Forms that are parsed at once, and those that wait for that. They have arrived, so none waits for a client. */
const FORMS_AT_ONCE = 2
const FORMS_WAITING = 500
/** Average rate at which each of them is parsed. */
const FORM_BYTES_PER_MS = 3_000
/** Deeper nesting is never intended. */
const DEEPEST = 50

/** Parses JSON, forms and multipart alike; forms write nested fields as `message[body]`. */
export function readBodies(app: FastifyInstance) {
  app.decorateRequest('uploadName')
  const turns = new ConcurrencyLimiter(FORMS_AT_ONCE, FORMS_WAITING)
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
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      // Signed bodies are parsed by their handlers, from the bytes whose signature was verified.
      return request.signedFor ? {} : readForm(turns, request, bytes)
    },
  )
  // Other types are accepted and ignored, as existing clients expect of text beacons.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null, {}))
}

/** Delays the next form a little: parsing them all at once would leave no time for anything else. */
function readForm(turns: ConcurrencyLimiter, request: FastifyRequest, bytes: Buffer): Promise<object> {
  return new Promise((resolve, reject) => {
    const work = async () => {
      await parseForm(request.headers, bytes).then(({ filename, texts, files }) => {
        if (filename !== undefined) request.uploadName = filename
        resolve({ ...readFields(texts), ...files })
      }, reject)
      await sleep(bytes.length / FORM_BYTES_PER_MS, undefined, { ref: false })
    }
    turns.run('', work).catch(reject)
  })
}

/** Nested fields are written as `message[body]`; lists by repeating a name. */
function readFields(fields: string | Record<string, string | string[]>): object {
  return qs.parse(fields as string | Record<string, string>, {
    depth: 5,
    parameterLimit: FIELD_LIMIT,
    arrayLimit: FIELD_LIMIT,
  })
}
