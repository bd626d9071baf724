import { readAddresses } from './addresses.ts'
import { textOfHtml } from './html-text.ts'
import type { MailFile, ParsedMail } from './parse.ts'

const READ_LENGTH = 20_000
const REASON_LIMIT = 300
const RETURNED =
  /^(?:message\/(?:rfc822|global|partial)|text\/rfc822-headers?|message\/(?:rfc822|global)-headers?|message\/rfc822-headers)$/
const MAYBE_RETURNED = /^(?:text\/plain|application\/octet-stream)$/
/** Where servers without attachments put the mail that came back. */
const ORIGINAL =
  /^\W*(?:(?:below|this|here|following|included|the)\b.{0,60})?\b(?:original (?:message|mail)|returned (?:mail|message)|copy of (?:the|your) (?:message|mail)|unsent message|message (?:headers?|follows)|header and top \d+ lines|your message reads)\b.*$/im
/** Also within Chinese and Japanese punctuation. */
const ADDRESS = /[^\s<>()[\]:;,"'=|\\\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]+@[a-z0-9][a-z0-9.-]*[a-z0-9]/gi

/** The text of a report, also of one that is only HTML, without the mail that came back. */
export function reportText(mail: ParsedMail): string {
  const text = mail.text?.trim() ? mail.text : textOfHtml((mail.html ?? '').slice(0, 200_000))
  const start = text.slice(0, READ_LENGTH).replace(/\r\n?/g, '\n')
  const at = ORIGINAL.exec(start)?.index ?? -1
  return at > 40 ? start.slice(0, at) : start
}

/** The beginnings of the mails that came back, unfolded. */
export function returnedHeads({ files }: ParsedMail): string[] {
  return files.filter(({ type }) => RETURNED.test(type)).map(headOf)
}

function headOf({ bytes }: MailFile): string {
  return bytes.toString('latin1', 0, 50_000).replace(/\r?\n[ \t]+/g, ' ')
}

const MESSAGE_ID = /message-?\s?id\s*[:=]\s*(?:<|&lt;)?([^\s<>"'&;,]{1,400}@[^\s<>"'&;,)]{1,400})/gi
/** The form of our own, which some servers mention without its name. */
const OWN_FORM = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}@[a-z0-9.-]+/gi
const IDS_LIMIT = 50

/** Message-IDs in the mail that came back, in headers that refer to a mail, and in the text. */
export function mentionedIds(mail: ParsedMail): string[] {
  const others = mail.files.filter(({ type }) => MAYBE_RETURNED.test(type)).map(headOf)
  const texts = [mail.text ?? '', mail.html ?? ''].map((text) => text.slice(0, 100_000).replace(/\r?\n[> \t]+/g, ' '))
  const inside = [...returnedHeads(mail), ...others, ...texts].flatMap((text) => [
    ...[...text.matchAll(MESSAGE_ID)].map(([, id]) => `<${id}>`),
    ...[...text.matchAll(OWN_FORM)].map(([id]) => `<${id}>`),
  ])
  const referred = [...mail.in_reply_to, ...mail.references.toReversed()]
  return [...new Set([...inside, ...referred])].filter((id) => id !== mail.message_id).slice(0, IDS_LIMIT)
}

/** The address that a report is about: one to which the returned mail went, else the first that the text names. */
export function failedRecipient(mail: ParsedMail, text: string, own: ReadonlySet<string>): string | null {
  // A Message-ID in the text looks like an address.
  const ids = mentionedIds(mail).map((id) => id.slice(1, -1).toLowerCase())
  const others = new Set([...own, ...ids, mail.from?.address, ...mail.to.map(({ address }) => address)])
  const named = (mail.headers.get('x-failed-recipients') ?? []).flatMap((value) => value.match(ADDRESS) ?? [])
  const written = [...named, ...(text.match(ADDRESS) ?? [])].map((address) =>
    address.toLowerCase().replace(/^(?:rfc822|smtp)[;:]/, ''),
  )
  const original = returnedHeads(mail).flatMap((head) => addressesIn(head, 'to'))
  const possible = written.filter(
    (address) => !others.has(address) && !/^(?:mailer-daemon|postmaster|abuse|support|help)@/.test(address),
  )
  return (
    possible.find((address) => original.includes(address)) ??
    possible[0] ??
    (original.length === 1 ? original[0]! : null)
  )
}

/** The addresses in one header of a returned mail. */
export function addressesIn(head: string, name: string): string[] {
  const [, value = ''] = new RegExp(`^${name}:(.*)$`, 'im').exec(head) ?? []
  return readAddresses(value, String).map(({ address }) => address)
}

const CODE = /(?:^|[\s:(>#])[45]\d\d[ -]/
const CAUSE =
  /(?:unknown|no such|not (?:listed|found|recognized|exist|known|available|accept)|does(?:n.t| not) exist|unrout|full|quota|rejected|refused|disabled|unavailable|too (?:large|big|many)|invalid|expired|timed out|time-?out|blocked|denied|inactive|存在|いっぱい)/i

/** Why a mail was not delivered, as far as the text says: the server's line with a code, or what stands at the address. */
export function reasonIn(text: string, recipient: string | null, subject: string): string {
  const lines = text.split('\n')
  const coded = lines.findIndex((line) => CODE.test(line))
  if (coded >= 0) return oneLine(lines[coded]!)
  const named = recipient
    ? lines.findIndex((line) => line.toLowerCase().trimStart().replace(/^<|"/g, '').startsWith(recipient))
    : -1
  if (named >= 0) {
    const after = withContinuation(lines, named).slice(
      lines[named]!.toLowerCase().indexOf(recipient!) + recipient!.length,
    )
    const reason = after.replace(/^[>\])\s.:;,"-]+/, '')
    if (/\p{L}{3,}/u.test(reason)) return oneLine(reason)
  }
  const cause = lines.find((line) => CAUSE.test(line))
  return oneLine(cause ?? (text.trim().split(/\n\s*\n/, 1)[0] || subject))
}

/** A line with those that continue it: up to the next empty one, a few at most. */
function withContinuation(lines: string[], at: number): string {
  const end = lines.findIndex((line, next) => next > at && (line.trim() === '' || next > at + 3))
  return lines.slice(at, end < 0 ? at + 4 : end).join(' ')
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, REASON_LIMIT)
}
