const LINE_FEED = 0x0a
const EQUALS = 0x3d

/** The bytes of a part, without its transfer encoding. Never throws: what is not encoded stays as it is. */
export function decodeTransfer(body: Buffer, encoding: string, isText: boolean): Buffer {
  const name = encoding.toLowerCase()
  if (/base-?64/.test(name)) return isText ? decodeBase64Text(body) : decodeBase64(body.toString('latin1'))
  if (/quoted/.test(name)) return decodeQuoted(body, 'body')
  if (/^\s*x?-?uu/.test(name)) return decodeUu(body.toString('latin1'))?.bytes ?? body
  return body
}

/** Several encoded pieces may follow each other, each with padding at its end. */
function decodeBase64(text: string): Buffer {
  const end = text.search(/=[^=\s]/)
  const inner = end >= 0 || /=\s+[A-Za-z0-9+/]/.test(text)
  if (!inner) return Buffer.from(text, 'base64')
  return Buffer.concat(text.split(/=+/).map((piece) => Buffer.from(piece, 'base64')))
}

const BASE64_LINE = /^[A-Za-z0-9+/_-]*={0,2}[ \t]*\r?$/

/**
 * Words may stand under a label that says base64, because a program set only the label, or because a mailing list added
 * its lines below.
 */
function decodeBase64Text(body: Buffer): Buffer {
  const text = body.toString('latin1')
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !BASE64_LINE.test(line))
  const encoded = end < 0 ? lines : lines.slice(0, end)
  const bytes = decodeBase64(encoded.join('\n'))
  const isReadable = looksLikeText(bytes)
  if (end < 0) return isReadable ? bytes : body
  const others = lines.slice(end).join('\n')
  // Damaged lines in a long encoded text are decoded as far as possible.
  if (isReadable && bytes.length > 0 && others.split('\n').every((line) => !/\S\s+\S/.test(line)))
    return decodeBase64(text)
  return isReadable ? Buffer.concat([bytes, Buffer.from(others, 'latin1')]) : body
}

/** Whether bytes have few control characters; UTF-16 has many, half of them zero. */
function looksLikeText(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 2_000)
  if (
    start
      .subarray(0, 2)
      .toString('hex')
      .match(/^(?:fffe|feff)$/)
  )
    return true
  const zeros = start.filter((byte) => byte === 0).length
  const controls = start.filter(
    (byte) => (byte > 0 && byte < 0x20 && byte !== 0x1b && !(byte >= 0x09 && byte <= 0x0f)) || byte === 0x7f,
  )
  return zeros > start.length / 4 || controls.length * 20 <= start.length
}

/**
 * Quoted-printable. `word` is the form in headers, which has no lines. Sequences that are no numbers stay.
 */
export function decodeQuoted(body: Buffer, form: 'body' | 'word'): Buffer {
  const out = Buffer.allocUnsafe(body.length)
  let length = 0
  /** Where the white space at the end of the line begins, which servers on the way may have added. */
  let solid = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!
    if (byte === LINE_FEED && form === 'body') {
      const hasReturn = length > solid && out[length - 1] === 0x0d
      length = solid
      if (hasReturn) out[length++] = 0x0d
      out[length++] = byte
      solid = length
      continue
    }
    const value = byte === EQUALS ? hexAt(body, at + 1) : -1
    const next = byte === EQUALS && value < 0 && form === 'body' ? endOfLine(body, at + 1) : 0
    if (next > 0) {
      at = next - 1
      solid = length
      continue
    }
    out[length++] = value >= 0 ? value : byte
    if (value >= 0) at += 2
    if (value >= 0 || !(byte === 0x20 || byte === 0x09 || byte === 0x0d)) solid = length
  }
  return out.subarray(0, length)
}

/** Where the next line begins if nothing but white space is before it; otherwise 0. */
function endOfLine(body: Buffer, from: number): number {
  for (let at = from; at < body.length && at < from + 80; at++) {
    const byte = body[at]!
    if (byte === LINE_FEED) return at + 1
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return 0
  }
  return from >= body.length ? body.length : 0
}

function hexAt(body: Buffer, at: number): number {
  const [high, low] = [digit(body[at]), digit(body[at + 1])]
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

function digit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

/** A file in the uuencode format of old programs, and where its lines begin and end. */
export interface UuFile {
  filename: string
  bytes: Buffer
  start: number
  end: number
}

const UU_BEGIN = /^begin [0-7]{3,4} ([^\r\n]{1,255})\r?\n/gm

/** The first complete uuencoded file in a text, from a position. */
export function decodeUu(text: string, from = 0): UuFile | undefined {
  UU_BEGIN.lastIndex = from
  const match = UU_BEGIN.exec(text)
  if (!match) return undefined
  const pieces: Buffer[] = []
  let at = match.index + match[0].length
  while (at < text.length) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(at, end).trimEnd()
    at = end + 1
    if (line === 'end') return { filename: match[1]!.trim(), bytes: Buffer.concat(pieces), start: match.index, end: at }
    const length = (line.charCodeAt(0) - 32) & 63
    // Trailing spaces count as zeros, and some servers drop them.
    if (line.length > 90 || line.length > Math.ceil(length / 3) * 4 + 3) return undefined
    pieces.push(uuLine(line, length || 0))
  }
  return undefined
}

function uuLine(line: string, length: number): Buffer {
  const out: number[] = []
  const code = (at: number) => ((line.charCodeAt(at) || 32) - 32) & 63
  for (let at = 1; out.length < length; at += 4) {
    const bits = (code(at) << 18) | (code(at + 1) << 12) | (code(at + 2) << 6) | code(at + 3)
    out.push((bits >> 16) & 255, (bits >> 8) & 255, bits & 255)
  }
  return Buffer.from(out.slice(0, length))
}
