import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Busboy } from '@fastify/busboy'
import { BadRequest, Refusal } from '../../errors.ts'

/** Maximum size of the file in a form, as in Papercups. */
export const FILE_LIMIT = 8_000_000
/** Maximum size of the other fields. */
export const TEXTS_LIMIT = 100_000

const LIMITS = { fileSize: FILE_LIMIT, files: 1, fields: 20, parts: 21, fieldSize: TEXTS_LIMIT, headerPairs: 50 }
const TOO_LARGE = 'The form is too large: it may contain one file of up to 8 MB and a few short fields.'

interface Form {
  /** The file's name. */
  filename?: string
  /** Fields; several values of one name are a list. */
  texts: Record<string, string | string[]>
  files: Record<string, Buffer>
}

/**
 * Parses a multipart form that has arrived completely.
 * @throws Refusal if it exceeds the limits; BadRequest if it ends too early
 */
export async function parseForm(headers: IncomingHttpHeaders, bytes: Buffer): Promise<Form> {
  const { 'content-type': type = '' } = headers
  const form: Form = { texts: {}, files: {} }
  const reading: Promise<void>[] = []
  const ended = Promise.withResolvers<void>()
  let isTooLarge = false
  const markTooLarge = () => {
    isTooLarge = true
  }
  try {
    const parser = new Busboy({ headers: { 'content-type': type }, limits: LIMITS })
    parser
      .on('field', (name, value, _isNameCut, isCut) => (isCut ? markTooLarge() : addText(form, name, value)))
      .on('file', (name, stream, filename) => {
        stream.on('limit', markTooLarge)
        form.filename = filename
        const whole = readFile(form, name, stream)
        // A form may end within its file: then both fail.
        whole.catch(ended.reject)
        reading.push(whole)
      })
      .on('filesLimit', markTooLarge)
      .on('fieldsLimit', markTooLarge)
      .on('partsLimit', markTooLarge)
      .on('error', ended.reject)
      .on('finish', ended.resolve)
    parser.end(bytes)
    await ended.promise
    await Promise.all(reading)
  } catch {
    throw new BadRequest('The form in the body is incomplete.')
  }
  if (isTooLarge) throw new Refusal(413, TOO_LARGE)
  return form
}

function addText({ texts }: Form, name: string, value: string): void {
  const before = Object.hasOwn(texts, name) ? texts[name] : undefined
  texts[name] = before === undefined ? value : [...[before].flat(), value]
}

async function readFile({ files }: Form, name: string, stream: Readable): Promise<void> {
  files[name] = await buffer(stream)
}
