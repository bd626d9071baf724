import { decodeWords } from './encoded-words.ts'
import { type HeaderBudget, readHeaderSection } from './header-section.ts'
import { HEADER_BYTES, HEADER_LINES } from './limits.ts'
import { type Parameterized, readParameterized } from './parameters.ts'

/** Real mails have a few dozen parts, and those of scanners some hundred. */
const PARTS_LIMIT = 1_000
const NESTING = 20
/** How much of a body is searched for its boundary when the header names none. */
const GUESSED_FROM = 100_000

/** A part of a mail, or the whole mail. */
export interface MimePart {
  fields: [name: string, value: string][]
  /** `type/subtype` in lower case. */
  type: string
  parameters: Map<string, string>
  disposition: string | undefined
  filename: string | undefined
  encoding: string
  /** Still in its transfer encoding. */
  body: Buffer
  /** Undefined if it has no parts. */
  parts: MimePart[] | undefined
  /** What stands before the first part. */
  preamble: Buffer | undefined
}

export interface SplitMail {
  root: MimePart
  /** Parts that were not read because there are too many. */
  omitted: number
  isHeaderTooLong: boolean
}

/**
 * Splits a mail into its parts, without decoding them. Takes time in proportion to its bytes, whatever they are. What is
 * nested deeper than any program writes stays one part.
 */
export function splitMail(raw: Buffer): SplitMail {
  const splitter = new Splitter()
  const root = splitter.read(
    raw.includes('\n') ? raw : Buffer.from(raw.toString('latin1').replaceAll('\r', '\n'), 'latin1'),
  )
  return { root, omitted: splitter.omitted, isHeaderTooLong: splitter.isHeaderTooLong }
}

class Splitter {
  omitted = 0
  isHeaderTooLong = false
  #parts = 0
  readonly #budget: HeaderBudget = { bytes: HEADER_BYTES, lines: HEADER_LINES }

  read(bytes: Buffer, depth = 0, fallback = 'text/plain'): MimePart {
    this.#parts++
    const { fields, end, isTooLong } = readHeaderSection(bytes, this.#budget, depth === 0)
    this.isHeaderTooLong ||= isTooLong
    const header = (name: string) => fields.find(([key]) => key === name)?.[1]
    const content = header('content-type')
    const { value, parameters } = readParameterized(content ?? '')
    const disposition = readParameterized(header('content-disposition') ?? '')
    const body = bytes.subarray(end)
    const type = typeOf(value, fallback)
    const part: MimePart = {
      fields,
      type,
      parameters,
      disposition: disposition.value || undefined,
      filename: nameOf(disposition, parameters, header('content-location')),
      encoding: header('content-transfer-encoding') ?? '',
      body,
      parts: undefined,
      preamble: undefined,
    }
    const boundary = parameters.get('boundary')?.trimEnd()
    if (depth < NESTING && (type.startsWith('multipart/') || boundary || (depth === 0 && !content)))
      this.#split(part, boundary, depth)
    return part
  }

  /** Without the boundary that the header names, parts are split by what looks like one. */
  #split(part: MimePart, boundary: string | undefined, depth: number): void {
    const pieces = (boundary && cutAt(part.body, boundary)) || cutAt(part.body, guessBoundary(part.body))
    if (!pieces) return
    if (!part.type.startsWith('multipart/')) part.type = 'multipart/mixed'
    const fallback = part.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain'
    part.preamble = pieces.preamble
    this.omitted += pieces.omitted
    part.parts = []
    for (const piece of pieces.parts) {
      if (this.#parts < PARTS_LIMIT && !this.isHeaderTooLong) part.parts.push(this.read(piece, depth + 1, fallback))
      else this.omitted++
    }
  }
}

/** Types that name no kind, or in a wrong form, as old programs write them. */
function typeOf(value: string, fallback: string): string {
  if (/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(value)) return value
  const [kind] = value.split('/')
  if (value === '' || kind === 'text') return value === '' ? fallback : 'text/plain'
  if (kind === 'html' || kind === 'plain') return `text/${kind}`
  return kind === 'multipart' ? 'multipart/mixed' : value.includes('/') ? 'application/octet-stream' : fallback
}

function nameOf(disposition: Parameterized, parameters: Map<string, string>, location: string | undefined) {
  const name = disposition.parameters.get('filename') || disposition.parameters.get('name') || parameters.get('name')
  return name?.trim() || (location && lastOf(location)) || undefined
}

/** Some programs give the name of a file only as its address. */
function lastOf(location: string): string | undefined {
  const [path = ''] = decodeWords(location).split(/[?#]/)
  const name = path.slice(path.lastIndexOf('/') + 1).trim()
  return /^[^\s<>:"|]{1,200}\.[a-z0-9]{1,5}$/i.test(name) ? withoutPercents(name) : undefined
}

function withoutPercents(name: string): string {
  try {
    const decoded = decodeURIComponent(name)
    return /[\p{Cc}/\\]/u.test(decoded) ? name : decoded
  } catch {
    // It is no part of an address, or one in another charset.
    return name
  }
}

interface Pieces {
  preamble: Buffer
  parts: Buffer[]
  omitted: number
}

/** The pieces of a body between the lines of a boundary; undefined if there is none. */
function cutAt(body: Buffer, boundary: string | undefined): Pieces | undefined {
  if (!boundary) return undefined
  const delimiter = Buffer.from(`--${boundary}`, 'utf8')
  const parts: Buffer[] = []
  let omitted = 0
  let preamble: Buffer | undefined
  let start = -1
  const add = (end: number) => {
    if (parts.length < PARTS_LIMIT) parts.push(body.subarray(start, Math.max(start, end)))
    else omitted++
  }
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + delimiter.length)) {
    const line = delimiterAt(body, at, delimiter.length)
    if (!line) continue
    const end = at > 0 && body[at - 1] === 0x0a ? at - (body[at - 2] === 0x0d ? 2 : 1) : at
    if (start >= 0) add(end)
    preamble ??= body.subarray(0, at)
    start = line.isLast ? -1 : line.end
  }
  if (start >= 0) add(body.length)
  return preamble && parts.length > 0 ? { preamble, parts, omitted } : undefined
}

/** Whether the line at a position is the delimiter and nothing more. */
function delimiterAt(body: Buffer, at: number, length: number): { isLast: boolean; end: number } | undefined {
  if (at > 0 && body[at - 1] !== 0x0a) return undefined
  const newline = body.indexOf(0x0a, at + length)
  const end = newline < 0 ? body.length : newline + 1
  if (end - at - length > 200) return undefined
  const remaining = body.toString('latin1', at + length, end)
  const [, dashes, after] = /^(--)?[ \t]*(.*)$/s.exec(remaining) ?? []
  return after?.trim() === '' ? { isLast: dashes !== undefined, end } : undefined
}

/** The boundary of a body whose header does not name it: a line of it stands before headers of a part. */
function guessBoundary(body: Buffer): string | undefined {
  const text = body.toString('latin1', 0, GUESSED_FROM)
  const match = /^--([!-~][ -~]{0,200}?)[ \t]*\r?\nContent-[a-z-]+:/im.exec(text)
  return match ? Buffer.from(match[1]!, 'latin1').toString('utf8') : undefined
}
