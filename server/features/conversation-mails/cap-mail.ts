/** Maximum size of a mail in bytes, including attachments. */
export const RAW_LIMIT = 35_000_000
/** Maximum number of parts of a mail. Real ones have a few dozen at most. */
const PARTS_LIMIT = 100
/** Of all header sections together, those of the parts included. */
export const HEADER_BYTES = 256_000
export const HEADER_LINES = 5_000
/** Attachments of 35 MB have 450,000 lines in base64. */
const LINES_LIMIT = 700_000
/** Lines that are not in base64 cost the parser far more memory, however short they are. */
const PLAIN_LINES_LIMIT = 300_000
/** Bytes and lines of one text, and bytes of all texts of a mail: far more than a message holds or is stored. */
const TEXT_LIMIT = 4_000_000
const TEXT_LINES = 50_000
const TEXTS_LIMIT = 8_000_000

const LINE_FEED = 0x0a
const DASH = 0x2d

/**
 * Limits the work of parsing a mail: its texts are cut to what a message can hold at most, attachments stay whole. Takes
 * time in proportion to the bytes, whatever they are. Returns the mail to parse, or why it should not be parsed.
 */
export function capMail(raw: Buffer): Buffer | { problem: string } {
  if (raw.length > RAW_LIMIT) return { problem: 'The mail is larger than 35 MB.' }
  const cap = new LineCap(raw)
  const pieces: Buffer[] = []
  let from = 0
  let at = 0
  while (at < raw.length) {
    const newline = raw.indexOf(LINE_FEED, at)
    const end = newline < 0 ? raw.length : newline + 1
    const kept = cap.countKept(at, end)
    if (cap.problem) return { problem: cap.problem }
    if (kept < end - at) {
      if (at + kept > from) pieces.push(raw.subarray(from, at + kept))
      from = end
    }
    at = end
  }
  return from === 0 ? raw : Buffer.concat([...pieces, raw.subarray(from)])
}

/** Follows the structure of a mail line by line: headers, boundaries, texts. */
class LineCap {
  /** Why the mail should not be parsed. */
  problem: string | undefined
  readonly #raw: Buffer
  readonly #boundaries = new Set<string>()
  /** Lines of the current header section; undefined in a body. */
  #header: string[] | undefined = []
  #headerBytes = 0
  #headerLines = 0
  #parts = 0
  #isDigest = false
  #lines = 0
  #plainLines = 0
  #isBase64 = false
  /** What the current text may still have; undefined if the body is no text. */
  #text: { bytes: number; lines: number } | undefined
  #textsLeft = TEXTS_LIMIT

  constructor(raw: Buffer) {
    this.#raw = raw
  }

  /** How many bytes of a line are kept. */
  countKept(at: number, end: number): number {
    if (
      this.#boundaries.size > 0 &&
      this.#raw[at] === DASH &&
      this.#raw[at + 1] === DASH &&
      this.#readBoundary(at, end)
    )
      return end - at
    if (this.#header) {
      this.#readHeaderLine(this.#header, at, end)
      return end - at
    }
    const kept = this.#text ? this.#takeText(this.#text, end - at) : end - at
    if (kept > 0) this.#countLine()
    return kept
  }

  #takeText(text: { bytes: number; lines: number }, bytes: number): number {
    const kept = text.lines > 0 ? Math.min(bytes, text.bytes) : 0
    text.bytes -= kept
    text.lines--
    this.#textsLeft -= kept
    return kept
  }

  #countLine(): void {
    if (!this.#isBase64) this.#plainLines++
    if (++this.#lines > LINES_LIMIT || this.#plainLines > PLAIN_LINES_LIMIT) {
      this.problem = 'The mail cannot be read: its attachments have too many lines.'
    }
  }

  #readBoundary(at: number, end: number): boolean {
    const line = this.#raw.toString('latin1', at + 2, Math.min(end, at + HEADER_BYTES)).trimEnd()
    const isStart = this.#boundaries.has(line)
    if (!isStart && !(line.endsWith('--') && this.#boundaries.has(line.slice(0, -2)))) return false
    if (isStart && ++this.#parts > PARTS_LIMIT) this.problem = `The mail has more than ${PARTS_LIMIT} parts.`
    this.#header = isStart ? [] : undefined
    this.#text = undefined
    this.#isBase64 = false
    return true
  }

  #readHeaderLine(header: string[], at: number, end: number): void {
    this.#headerBytes += end - at
    if (this.#headerBytes > HEADER_BYTES || ++this.#headerLines > HEADER_LINES) {
      this.problem = 'The mail cannot be read: its headers are too long.'
      return
    }
    const line = this.#raw.toString('latin1', at, end).replace(/\r?\n$/, '')
    if (line !== '') header.push(line)
    else this.#beginBody(header)
  }

  #beginBody(lines: string[]): void {
    this.#header = undefined
    const header = lines.join('\n').replace(/\n[ \t]+/g, ' ')
    const type = /^content-type:[ \t]*(.*)$/im.exec(header)?.[1] ?? ''
    const [, quoted, plain] = /boundary[ \t]*=[ \t]*(?:"([^"]*)"|([^\s;"]+))/i.exec(type) ?? []
    const boundary = quoted ?? plain
    if (/^multipart\//i.test(type) && boundary) this.#boundaries.add(boundary.trimEnd())
    this.#isDigest ||= /^multipart\/digest/i.test(type)
    const isText = type === '' ? !this.#isDigest : /^text\/(?:plain|html)\b/i.test(type)
    const isAttached = /^content-disposition:[ \t]*attachment/im.test(header)
    this.#text = isText && !isAttached ? { bytes: Math.min(TEXT_LIMIT, this.#textsLeft), lines: TEXT_LINES } : undefined
    this.#isBase64 = /^content-transfer-encoding:.*base64/im.test(header)
  }
}
