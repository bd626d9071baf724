import PostalMime, { type Attachment, decodeWords, type Email } from 'postal-mime'
import { readAddresses, readOnlyDomain } from './addresses.ts'
import { capMail, HEADER_BYTES } from './cap-mail.ts'

const NESTING = 50

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
  /** As a mail program shows it; the first if there are several. */
  from: MailAddress | null
  /** The only domain that From names, in whatever part of it; null if there are several. */
  from_domain: string | null
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
 * Parses the bytes of a mail, however broken. Only worker processes do this: see `read-in-worker.ts`.
 * @throws MailUnreadable for a mail that is too large, or has too many headers or parts
 */
export async function parseMail(raw: Buffer): Promise<ParsedMail> {
  const capped = capMail(raw)
  if ('problem' in capped) throw new MailUnreadable(capped.problem)
  const email = await PostalMime.parse(capped, {
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
  const addressesIn = (name: string) => readAddresses(headers.get(name)?.join(', '), decodeWords)
  const from = headers.get('from')?.[0]
  return {
    headers,
    message_id: idsIn(email.messageId)[0] ?? null,
    in_reply_to: idsIn(email.inReplyTo),
    references: idsIn(email.references),
    from: readAddresses(from, decodeWords)[0] ?? null,
    from_domain: readOnlyDomain(headers.get('from')?.join(' '), decodeWords) ?? null,
    sender: addressesIn('sender')[0] ?? null,
    reply_to: addressesIn('reply-to'),
    to: addressesIn('to'),
    cc: addressesIn('cc'),
    subject: clean(email.subject ?? '').slice(0, 1_000),
    text: asStored(email.text),
    html: asStored(email.html),
    files: email.attachments.map(readFile),
  }
}

function headersOf({ headers }: Email): Map<string, string[]> {
  const byName = new Map<string, string[]>()
  for (const { key, value } of headers) {
    const values = byName.get(key)
    if (values) values.push(clean(value))
    else byName.set(key, [clean(value)])
  }
  return byName
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
