import { htmlOfText, textOfHtml } from '../html-text.ts'
import { readCalendar } from './calendar-text.ts'
import { decodeText, isKnownCharset } from './charsets.ts'
import { readEnriched } from './enriched-text.ts'
import { joinFlowed } from './flowed.ts'
import { type MimePart, splitMail } from './parts.ts'
import { readSignedContent } from './signed-content.ts'
import { decodeTransfer, decodeUu } from './transfer.ts'
import { readWinmail } from './winmail.ts'

/** Bytes of one text and of all texts of a mail that are decoded: far more than a message holds. */
const TEXT_LIMIT = 2_000_000
const TEXTS_LIMIT = 4_000_000
/** Signed content may be signed again. */
const OPENED_LIMIT = 5
const UU_FILES_LIMIT = 50

/** An attached file. */
export interface ContentFile {
  /** Empty if it has none. */
  filename: string
  type: string
  content_id: string | undefined
  bytes: Buffer
}

/** What a mail contains, in the order of its parts. */
export interface MailContent {
  text: string | undefined
  html: string | undefined
  files: ContentFile[]
  /** An entry of a calendar in words. */
  calendar: string | undefined
  isEncrypted: boolean
}

/** A text as its author wrote it: in one form, or in two of which mail programs show one. */
interface Piece {
  text?: string
  html?: string
}

/** Decodes the parts of a mail: texts, files, and what some programs pack into files. */
export function readContent(root: MimePart): MailContent {
  const reader = new ContentReader()
  const pieces = reader.read(root, { isRoot: true, isAlternative: false })
  const { files, isEncrypted } = reader
  const calendar = reader.calendars.map(readCalendar).find((text) => text !== undefined)
  return { ...joinPieces(pieces.length > 0 ? pieces : reader.fallback(root)), files, calendar, isEncrypted }
}

interface Position {
  isRoot: boolean
  /** One of several forms of the same text. */
  isAlternative: boolean
}

class ContentReader {
  readonly files: ContentFile[] = []
  readonly calendars: string[] = []
  isEncrypted = false
  #textsLeft = TEXTS_LIMIT
  #opened = 0
  /** Texts with a name of their own, in case the mail has no other. */
  readonly #named: Piece[] = []

  read(part: MimePart, position: Position): Piece[] {
    const { type } = part
    if (part.parts) return this.#readParts(part, part.parts, position)
    if (type.startsWith('multipart/')) return this.#readText({ ...part, type: 'text/plain' }, position)
    if (/^text\/(?:x-amp-html|watch-html|x-watch-html)$/.test(type) && position.isAlternative) return []
    if (type === 'text/calendar' || (type === 'application/ics' && this.calendars.length === 0))
      return this.#readCalendar(part)
    if (
      type === 'application/ms-tnef' ||
      type === 'application/vnd.ms-tnef' ||
      /^winmail\.dat$/i.test(part.filename ?? '')
    )
      return this.#readWinmail(part)
    if (/^application\/(?:x-)?pkcs7-mime$/.test(type)) return this.#readSigned(part, position)
    return isText(part) ? this.#readText(part, position) : this.#addFile(part)
  }

  /** For mails without text: what stands before the first part, or a text that has a name. */
  fallback({ preamble }: MimePart): Piece[] {
    const text = preamble ? this.#decode(preamble, undefined).trim() : ''
    const isNotice = text.length < 400 && /\b(?:mime|multi-?part)\b/i.test(text)
    if (text && !isNotice) return [{ text }]
    return this.#named.slice(0, 1)
  }

  #readParts({ type }: MimePart, parts: MimePart[], { isRoot }: Position): Piece[] {
    if (type === 'multipart/encrypted') this.isEncrypted = true
    const isAlternative = type === 'multipart/alternative'
    const all = parts.map((part, at) => this.read(part, { isRoot: isRoot && at === 0, isAlternative }))
    if (!isAlternative) return all.flat()
    const forms = all.flat()
    // Later forms are better ones; some programs add an empty one.
    const [text, html] = [lastFilled(forms, 'text'), lastFilled(forms, 'html')]
    // A form in several parts, with pictures or files between them.
    const longest = all.find((form) => form.length > 1)
    if (longest) return [{ ...joinPieces(longest), ...(text !== undefined && !joinPieces(longest).text && { text }) }]
    return text === undefined && html === undefined
      ? []
      : [{ ...(text !== undefined && { text }), ...(html !== undefined && { html }) }]
  }

  #readText(part: MimePart, { isRoot, isAlternative }: Position): Piece[] {
    const { type, parameters, filename, disposition, encoding } = part
    const isFile = disposition === 'attachment' || (!!filename && !isRoot && !isAlternative)
    if (isFile) {
      this.#addFile(part)
      if (disposition !== 'attachment' && this.#named.length === 0) this.#named.push(this.#pieceOf(part))
      return []
    }
    if (/^x?-?uu/i.test(encoding.trim())) return this.#readUu(part.body.toString('latin1'), parameters.get('charset'))
    const piece = this.#pieceOf(part)
    return type === 'text/plain' && piece.text ? this.#readUu(piece.text, undefined) : [piece]
  }

  #pieceOf({ type, body, encoding, parameters }: MimePart): Piece {
    const bytes = decodeTransfer(this.#take(body), encoding, true)
    const label = parameters.get('charset')
    if (type === 'text/html') return { html: decodeText(bytes, isKnownCharset(label) ? label : metaCharset(bytes)) }
    const text = this.#decode(bytes, label)
    if (type === 'text/enriched' || type === 'text/richtext') return { text: readEnriched(text) }
    const isFlowed = parameters.get('format')?.toLowerCase() === 'flowed'
    return { text: isFlowed ? joinFlowed(text, parameters.get('delsp')?.toLowerCase() === 'yes') : text }
  }

  /** Files in a text, which old programs put there. */
  #readUu(text: string, label: string | undefined): Piece[] {
    const kept: string[] = []
    let from = 0
    for (let count = 0; count < UU_FILES_LIMIT; count++) {
      const file = decodeUu(text, from)
      if (!file) break
      const { filename, bytes, start, end } = file
      kept.push(text.slice(from, start))
      from = end
      this.files.push({ filename, type: 'application/octet-stream', content_id: undefined, bytes })
    }
    const joined = kept.join('') + text.slice(from)
    return [{ text: label === undefined ? joined : decodeText(Buffer.from(joined, 'latin1'), label) }]
  }

  #decode(bytes: Buffer, label: string | undefined): string {
    return decodeText(this.#take(bytes), label)
  }

  /** The beginning of a text, as far as texts may still be read. */
  #take(body: Buffer): Buffer {
    const limit = Math.min(TEXT_LIMIT, this.#textsLeft)
    if (body.length <= limit) {
      this.#textsLeft -= body.length
      return body
    }
    this.#textsLeft -= limit
    // At the end of a line, so that no character is cut.
    const end = body.lastIndexOf(0x0a, limit)
    return body.subarray(0, end > 0 ? end + 1 : limit)
  }

  #addFile({ type, filename = '', fields, body, encoding }: MimePart): [] {
    const bytes = decodeTransfer(body, encoding, false)
    const content_id = fields.find(([name]) => name === 'content-id')?.[1].trim()
    // Google sends an invitation as one of the texts and as a file.
    const isTwice = isCalendar(type) && this.files.some((file) => isCalendar(file.type) && file.bytes.equals(bytes))
    if (!isTwice) this.files.push({ filename, type, content_id, bytes })
    return []
  }

  #readCalendar(part: MimePart): [] {
    this.calendars.push(
      decodeText(decodeTransfer(this.#take(part.body), part.encoding, true), part.parameters.get('charset')),
    )
    return this.#addFile(part)
  }

  #readWinmail(part: MimePart): Piece[] {
    const mail = readWinmail(decodeTransfer(part.body, part.encoding, false))
    if (!mail) return this.#addFile(part)
    for (const file of mail.files) this.files.push({ ...file, type: file.type ?? 'application/octet-stream' })
    const text = mail.text?.trim() ? mail.text : undefined
    const html = mail.html?.trim() ? mail.html : undefined
    return text || html ? [{ ...(text && { text }), ...(html && { html }) }] : []
  }

  #readSigned(part: MimePart, position: Position): Piece[] {
    const bytes = decodeTransfer(part.body, part.encoding, false)
    const content = this.#opened++ < OPENED_LIMIT ? readSignedContent(bytes) : undefined
    if (content) return this.read(splitMail(content).root, position)
    this.isEncrypted = true
    return this.#addFile(part)
  }
}

function isText({ type, disposition }: MimePart): boolean {
  return /^text\/(?:plain|html|enriched|richtext|markdown|x-markdown)$/.test(type) && disposition !== 'attachment'
}

function isCalendar(type: string): boolean {
  return type === 'text/calendar' || type === 'application/ics'
}

function lastFilled(forms: Piece[], name: 'text' | 'html'): string | undefined {
  return (
    forms.findLast((form) => form[name]?.trim())?.[name] ?? forms.findLast((form) => form[name] !== undefined)?.[name]
  )
}

/** The charset that HTML itself names. */
function metaCharset(bytes: Buffer): string | undefined {
  return /<meta[^>]{0,200}?charset\s*=\s*["']?([\w-]+)/i.exec(bytes.toString('latin1', 0, 4_000))?.[1]
}

/** All pieces in both forms, if one of them has HTML; a form that no piece has stays undefined. */
function joinPieces(pieces: Piece[]): { text: string | undefined; html: string | undefined } {
  const filled = pieces.filter(({ text, html }) => text?.trim() || html?.trim())
  if (filled.length <= 1) return { text: filled[0]?.text ?? pieces[0]?.text, html: filled[0]?.html ?? pieces[0]?.html }
  const [hasText, hasHtml] = [filled.some(({ text }) => text?.trim()), filled.some(({ html }) => html?.trim())]
  const texts = filled.map(({ text, html }) => (text?.trim() ? text : textOfHtml(html ?? '')).trim())
  const htmls = filled.map(({ text, html }) => (html?.trim() ? html : htmlOfText(text ?? '')))
  return { text: hasText ? texts.join('\n\n') : undefined, html: hasHtml ? htmls.join('\n') : undefined }
}
