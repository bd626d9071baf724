import { readAddresses, readOnlyDomain } from './addresses.ts'
import { type ContentFile, readContent } from './mime/content.ts'
import { decodeWords } from './mime/encoded-words.ts'
import { RAW_LIMIT } from './mime/limits.ts'
import { splitMail } from './mime/parts.ts'

/** More files than a message holds. */
const FILES_LIMIT = 50
/** Mails with more parts that are not even looked at are written to keep somebody busy. */
const OMITTED_LIMIT = 5_000

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
  /** An entry of a calendar in words. */
  calendar: string | null
  is_encrypted: boolean
  files: MailFile[]
  /** How many files it has besides these. */
  omitted_files: number
}

/** A mail that is not processed; the message explains why. */
export class MailUnreadable extends Error {}

/**
 * Parses the bytes of a mail, however broken. Only worker processes do this: see `read-in-worker.ts`.
 * @throws MailUnreadable for a mail that is too large, or has too long headers or too many parts
 */
export function parseMail(raw: Buffer): ParsedMail {
  if (raw.length > RAW_LIMIT) throw new MailUnreadable('The mail is larger than 35 MB.')
  const { root, omitted, isHeaderTooLong } = splitMail(raw)
  if (isHeaderTooLong) throw new MailUnreadable('The mail cannot be read: its headers are too long.')
  if (omitted > OMITTED_LIMIT) throw new MailUnreadable('The mail cannot be read: it has too many parts.')
  const headers = headersOf(root.fields)
  const { text, html, files, calendar, isEncrypted } = readContent(root)
  const addressesIn = (name: string) => readAddresses(headers.get(name)?.join(', '), decodeWords)
  const idsOf = (name: string) => idsIn(headers.get(name)?.join(' '))
  const from = headers.get('from')?.find((value) => value !== '')
  return {
    headers,
    message_id: idsOf('message-id')[0] ?? null,
    in_reply_to: idsOf('in-reply-to'),
    references: idsOf('references'),
    from: readAddresses(from, decodeWords)[0] ?? null,
    from_domain: readOnlyDomain(headers.get('from')?.join(' '), decodeWords) ?? null,
    sender: addressesIn('sender')[0] ?? null,
    reply_to: addressesIn('reply-to'),
    to: addressesIn('to'),
    cc: addressesIn('cc'),
    subject: clean(decodeWords(headers.get('subject')?.[0] ?? '')).slice(0, 1_000),
    text: asStored(text),
    html: asStored(html),
    calendar: calendar ?? null,
    is_encrypted: isEncrypted,
    files: files.slice(0, FILES_LIMIT).map(readFile),
    omitted_files: Math.max(0, files.length - FILES_LIMIT) + omitted,
  }
}

function headersOf(fields: [name: string, value: string][]): Map<string, string[]> {
  const byName = new Map<string, string[]>()
  for (const [name, value] of fields) {
    const values = byName.get(name)
    if (values) values.push(clean(value))
    else byName.set(name, [clean(value)])
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

function readFile({ filename, type, content_id, bytes }: ContentFile, at: number): MailFile {
  return {
    filename: clean(filename.replace(INVISIBLE, '')).slice(0, 255) || nameOf(type, at),
    type,
    content_id: content_id?.replace(/^<|>$/g, '') ?? null,
    bytes,
  }
}

/** Marks that reverse or hide letters: with them a program can look like a picture. */
const INVISIBLE = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

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
