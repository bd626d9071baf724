import { inflateSync } from 'node:zlib'

/** Objects may be nested, and a hostile one deeply. */
const NESTING = 12
const CONTENT_LIMIT = 40_000_000

const SIGNED = '2a864886f70d010702'
const COMPRESSED = '2a864886f70d0109100109'
const DATA_TYPES = new Set(['2a864886f70d010701'])

/**
 * The mail inside an opaque S/MIME message (`smime.p7m`): `content` if it is signed or compressed, undefined if it is
 * encrypted or damaged. The signature is not checked: nothing follows from it.
 */
export function readSignedContent(bytes: Buffer): Buffer | undefined {
  try {
    const outer = children(readElement(fromPem(bytes), 0))
    const type = outer[0]?.content.toString('hex')
    const body = outer[1] && children(outer[1])[0]
    if (!body || (type !== SIGNED && type !== COMPRESSED)) return undefined
    const inner = children(body).find(
      (element) => element.tag === 0x30 && DATA_TYPES.has(children(element)[0]?.content.toString('hex') ?? ''),
    )
    const wrapped = inner && children(inner)[1]
    const content = wrapped && Buffer.concat(strings(wrapped, 0))
    if (!content) return undefined
    return type === SIGNED ? content : inflateSync(content, { maxOutputLength: CONTENT_LIMIT })
  } catch {
    return undefined
  }
}

/** Some programs send it with lines of dashes around base64. */
function fromPem(bytes: Buffer): Buffer {
  const [, pem] = /^\s*-----BEGIN [A-Z0-9 ]+-----([^-]*)/.exec(bytes.toString('latin1', 0, 200)) ?? []
  return pem === undefined ? bytes : Buffer.from(bytes.toString('latin1').replace(/-----[^-]*-----/g, ''), 'base64')
}

/** An element in BER: lengths may be missing, and strings may be in pieces. */
interface Element {
  tag: number
  content: Buffer
  /** Bytes with tag, length and end. */
  size: number
}

function readElement(bytes: Buffer, depth: number): Element {
  const [tag, first] = [bytes[0], bytes[1]]
  if (tag === undefined || first === undefined || depth > NESTING) throw new RangeError('No element')
  if (first === 0x80) return readIndefinite(bytes, tag, depth)
  const count = first < 0x80 ? 0 : first & 0x7f
  if (count > 4) throw new RangeError('Too long')
  const length = count ? bytes.readUIntBE(2, count) : first
  const start = 2 + count
  return { tag, content: bytes.subarray(start, start + length), size: start + length }
}

function readIndefinite(bytes: Buffer, tag: number, depth: number): Element {
  let at = 2
  while (at < bytes.length && !(bytes[at] === 0 && bytes[at + 1] === 0))
    at += readElement(bytes.subarray(at), depth + 1).size
  return { tag, content: bytes.subarray(2, at), size: at + 2 }
}

const CHILDREN_LIMIT = 100_000

function children({ content }: Element): Element[] {
  const elements: Element[] = []
  for (let at = 0; at + 1 < content.length && elements.length < CHILDREN_LIMIT; ) {
    const element = readElement(content.subarray(at), 0)
    elements.push(element)
    at += element.size
  }
  return elements
}

/** The bytes of a string, which may consist of strings. */
function strings(element: Element, depth: number): Buffer[] {
  if (!(element.tag & 0x20)) return [element.content]
  if (depth > NESTING) throw new RangeError('Nested too deeply')
  return children(element).flatMap((child) => strings(child, depth + 1))
}
