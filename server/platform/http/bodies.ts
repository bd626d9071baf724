import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import qs from 'qs'
import { BadRequest } from '../../errors.ts'
import { withWholeSigns } from '../whole-signs.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the sender calls the file in a multipart body. */
    uploadName?: string
  }
}

/** What the predecessor accepted; larger bodies answer 413. */
export const BODY_LIMIT = 8_000_000
const FIELD_LIMIT = 500

/** Reads JSON, forms and multipart alike; forms name what stands inside something as `message[body]`. */
export async function readBodies(app: FastifyInstance) {
  app.decorateRequest('uploadName')
  await app.register(multipart, { limits: { fileSize: BODY_LIMIT, files: 1 } })
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readParts(request)
  })
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? {} : parseJson(String(text)))
    } catch {
      done(Object.assign(new Error('The body is not valid JSON.'), { statusCode: 400 }))
    }
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) => {
    done(null, readFields(String(text)))
  })
  // Anything else is taken and ignored, as existing clients expect of text beacons.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null, {}))
}

/** Each part is read through fully: the parser waits for it. A form that breaks off is no fault of ours. */
async function readParts(request: FastifyRequest): Promise<object> {
  const texts: Record<string, unknown[]> = {}
  const files: Record<string, Buffer> = {}
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') texts[part.fieldname] = [...(texts[part.fieldname] ?? []), part.value]
      else {
        request.uploadName = part.filename
        files[part.fieldname] = await part.toBuffer()
      }
    }
  } catch (error) {
    if (error instanceof Error && 'statusCode' in error) throw error
    throw new BadRequest('The form in the body is not whole.')
  }
  const fields = Object.entries(texts).map(([name, values]) => [name, values.length > 1 ? values : values[0]])
  return { ...readFields(Object.fromEntries(fields)), ...files }
}

function readFields(given: string | Record<string, string>): object {
  return qs.parse(given, { depth: 5, parameterLimit: FIELD_LIMIT, arrayLimit: FIELD_LIMIT })
}

/** A field that would stand for what an object is made of, wherever the body is handed on to, is dropped. */
function parseJson(given: string): unknown {
  const text = withWholeSigns(given)
  if (!/__proto__|\\u00/i.test(text)) return JSON.parse(text)
  return JSON.parse(text, (name, value) => (name === '__proto__' ? undefined : value))
}
