import type { Address, Attachment, Email } from 'postal-mime'

/** Maximum size of a mail in bytes, including attachments. */
export const RAW_LIMIT = 35_000_000
/** Maximum number of parts of a mail. Real ones have a few dozen at most. */
const PARTS_LIMIT = 100
const HEADER_BYTES = 256_000
const NESTING = 50
const RECIPIENTS_LIMIT = 200

/** A person's address, in lower case, and name. */
export interface MailAddress {
  address: string
  name: string | null
}

/** An attached file. */
export interface MailFile {
  filename: string
  type: string
  /** The id by which the HTML refers to it, without brackets. */
  content_id: string | null
  bytes: Buffer
}

/** A parsed mail. None of its claims were checked yet. */
export interface ParsedMail {
  /** By name in lower case, topmost first, unfolded. */
  headers: Map<string, string[]>
  message_id: string | null
  in_reply_to: string[]
  /** Oldest first. */
  references: string[]
  from: MailAddress | null
  sender: MailAddress | null
  reply_to: MailAddress[]
  to: MailAddress[]
  cc: MailAddress[]
  subject: string
  /** Undefined if there is no text part. */
  text: string | undefined
  html: string | undefined
  files: MailFile[]
}

/** A mail that is not processed; the message explains why. */
export class MailUnreadable extends Error {}

/**
 * Parses the bytes of a mail, however broken.
 * @throws MailUnreadable for a mail that is too large or has too many parts
 */
export async function parseMail(raw: Buffer): Promise<ParsedMail> {
  if (raw.length > RAW_LIMIT) throw new MailUnreadable('The mail is larger than 35 MB.')
  if (hasTooManyParts(raw)) throw new MailUnreadable(`The mail has more than ${PARTS_LIMIT} parts.`)
  const { default: PostalMime } = await import('postal-mime')
  const email = await PostalMime.parse(raw, {
    // Forwarded mails and those returned by a delivery report are not text of the sender.
    forceRfc822Attachments: true,
    maxHeadersSize: HEADER_BYTES,
    maxNestingDepth: NESTING,
  }).catch((cause: unknown) => {
    throw new MailUnreadable('The mail cannot be read: its headers are too long, or its parts are nested too deeply.', {
      cause,
    })
  })
  const headers = headersOf(email)
  return {
    headers,
    message_id: idsIn(email.messageId)[0] ?? null,
    in_reply_to: idsIn(email.inReplyTo),
    references: idsIn(email.references),
    from: mailboxes(email.from && [email.from])[0] ?? null,
    sender: mailboxes(email.sender && [email.sender])[0] ?? null,
    reply_to: mailboxes(email.replyTo),
    to: mailboxes(email.to),
    cc: mailboxes(email.cc),
    subject: clean(email.subject ?? '').slice(0, 1_000),
    text: asStored(email.text),
    html: asStored(email.html),
    files: email.attachments.map(readFile),
  }
}

/** Counts boundaries in the bytes before anything is parsed. */
function hasTooManyParts(raw: Buffer): boolean {
  const boundaries = new Set<string>()
  for (let at = raw.indexOf('boundary=', 0, 'latin1'); at >= 0; at = raw.indexOf('boundary=', at + 9, 'latin1')) {
    const header = raw.toString('latin1', at + 9, at + 220)
    const [, quoted, plain] = /^(?:"([^"\r\n]+)"|([^\s;"]+))/.exec(header) ?? []
    boundaries.add(quoted ?? plain ?? '')
    if (boundaries.size > PARTS_LIMIT) return true
  }
  let parts = 0
  for (let at = raw.indexOf('\n--'); at >= 0; at = raw.indexOf('\n--', at + 3)) {
    const line = raw
      .toString('latin1', at + 3, at + 220)
      .split(/\r?\n/, 1)[0]!
      .trimEnd()
    if (boundaries.has(line) && ++parts > PARTS_LIMIT) return true
  }
  return false
}

function headersOf({ headers }: Email): Map<string, string[]> {
  const byName = new Map<string, string[]>()
  for (const { key, value } of headers) byName.set(key, [...(byName.get(key) ?? []), clean(value)])
  return byName
}

function mailboxes(given: Address[] | undefined): MailAddress[] {
  return (given ?? [])
    .flatMap((one) => one.group ?? [one])
    .flatMap(({ address, name }) =>
      address ? [{ address: clean(address).toLowerCase(), name: clean(name) || null }] : [],
    )
    .filter(({ address }) => /^[^\s@<>]+@[^\s@<>]+$/.test(address) && address.length <= 320)
    .slice(0, RECIPIENTS_LIMIT)
}

/** Message-IDs in brackets; an id without brackets is taken as it is. */
export function idsIn(value: string | undefined): string[] {
  const text = clean(value ?? '').slice(0, 20_000)
  const bracketed = [...text.matchAll(/<([^<>\s]+)>/g)].map(([, id]) => `<${id}>`)
  if (bracketed.length > 0) return bracketed.slice(-100)
  return /^[^\s<>]+@[^\s<>]+$/.test(text) ? [`<${text}>`] : []
}

function readFile({ filename, mimeType, contentId, content }: Attachment, at: number): MailFile {
  return {
    filename: clean(filename ?? '') || nameOf(mimeType, at),
    type: mimeType,
    content_id: contentId?.replace(/^<|>$/g, '') ?? null,
    bytes: Buffer.from(content as ArrayBuffer),
  }
}

function nameOf(type: string, at: number): string {
  if (type === 'message/rfc822') return 'message.eml'
  if (type === 'text/calendar') return 'invitation.ics'
  const [, ending = 'bin'] = /\/([a-z0-9]+)$/.exec(type) ?? []
  return `attachment-${at + 1}.${ending}`
}

/** PostgreSQL does not accept NUL in texts, and some charsets encode accents apart from their letters. */
function asStored(text: string | undefined): string | undefined {
  return text?.replaceAll('\0', '').normalize('NFC')
}

function clean(text: string): string {
  return text.replace(/[\p{Cc}]+/gu, ' ').trim()
}
