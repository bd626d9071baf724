import { isOwnLoopMark } from '../../../platform/mail/signed-marks.ts'
import {
  addressesIn,
  failedRecipient,
  mentionedIds,
  oneLine,
  reasonIn,
  reportText,
  returnedHeads,
} from './bounce-details.ts'
import { isBounceSubject, kindOfAuthor, saysLate, saysUndelivered } from './bounce-phrases.ts'
import type { MailContext } from './classify.ts'
import type { ParsedMail } from './parse.ts'
import { domainOf, isNobody } from './sender.ts'

/** A mail server's report about a mail that it could not deliver, or not yet. */
export interface DeliveryReport {
  /** Whether delivery failed for good. Otherwise it is delayed and will be retried. */
  isFinal: boolean
  /** The status code, such as `5.1.1`, if there is one. */
  status: string | null
  recipient: string | null
  /** The remote mail server's message, on one line. */
  reason: string
  /** Message-IDs mentioned in the report: the one it is about is among them. */
  message_ids: string[]
}

const DAEMON = /^(?:mailer-daemon|mail-daemon|mdaemon)(?:@|$)/i
const POSTMASTER = /^postmaster(?:@|$)/i
const STATUS = /^message\/(?:global-)?delivery-status$/

/**
 * Parses a bounce, in the standard form or in the free text of some mail servers. It is known by its structure: a
 * person may attach a report to a mail of theirs, or forward one, and that mail is a person's.
 */
export function readDeliveryReport(mail: ParsedMail, context: MailContext): DeliveryReport | undefined {
  const kind = reportKind(mail)
  const status = mail.files.find(({ type }) => STATUS.test(type))
  const isBounce =
    kind === 'delivery-status' ||
    (!kind &&
      (isFromServer(mail, context, !!status) || isReportInWords(mail, context) || returnsOurMail(mail, context)))
  if (!isBounce) return undefined
  return status ? fromStatus(mail, context, status.bytes.toString('utf8').slice(0, 20_000)) : fromWords(mail, context)
}

/** The kind of a mail that is a report as a whole, such as `feedback-report`; undefined for all others. */
export function reportKind({ headers }: ParsedMail): string | undefined {
  const type = headers.get('content-type')?.[0]?.toLowerCase() ?? ''
  const named = /^\s*multipart\/.*report-type\s*=\s*"?([a-z-]+)/.exec(type)?.[1]
  return named ?? (/^\s*multipart\/report\b/.test(type) ? 'delivery-status' : undefined)
}

/** The author as far as the header says anything: servers leave the address out. */
function authorOf({ headers, from }: ParsedMail): string {
  return from?.address ?? headers.get('from')?.[0]?.replace(/["<>]/g, ' ').trim() ?? ''
}

/** The envelope's sender; some servers write their name instead of nothing. Undefined if it is unknown. */
function hasNoSender({ headers }: ParsedMail, { envelope_from }: MailContext): boolean | undefined {
  const sender = (envelope_from ?? headers.get('return-path')?.[0])?.replace(/[<>\s]/g, '')
  return sender === undefined ? undefined : !sender.includes('@') || DAEMON.test(sender)
}

/** Written by a mail server, to which nobody can answer. People write from `postmaster@`, too. */
function isFromServer(mail: ParsedMail, context: MailContext, hasStatus: boolean): boolean {
  const author = authorOf(mail)
  const isEmpty = hasNoSender(mail, context)
  const isNamed = author === '' || DAEMON.test(author) || POSTMASTER.test(author)
  if (isEmpty && (hasStatus || isNamed || mail.headers.has('x-failed-recipients'))) return true
  return DAEMON.test(author) && isEmpty !== false
}

/**
 * A report without structure: by its subject and its words, from an author who is a server by name. What a person
 * writes about such a report has a person as author, or a subject of an answer. Of other machines, which also report on
 * parcels, it has to name a code or contain the mail.
 */
function isReportInWords(mail: ParsedMail, context: MailContext): boolean {
  const kind = kindOf(mail)
  const domain = domainOf(mail.from?.address ?? '')
  const isToOthers = mail.reply_to.some((to) => kindOfAuthor(to) === 'person' && domainOf(to.address) !== domain)
  if (kind === 'person' || isToOthers) return false
  const text = reportText(mail)
  if (!saysUndelivered(text)) return false
  const isReturned = returnedHeads(mail).length > 0 || mentionedIds(mail).length > 0
  const hasCode = /\b[45]\d\d[ -]\S|\b[45]\.\d{1,2}\.\d{1,3}\b/.test(text)
  const isEvident =
    isReturned || hasCode || (kind === 'server' && failedRecipient(mail, text, context.own_addresses) !== null)
  if (isBounceSubject(mail.subject)) return isEvident || DAEMON.test(authorOf(mail))
  // Without the usual subject, it has to come from a server alone.
  return isEvident && (DAEMON.test(authorOf(mail)) || (kind === 'server' && hasNoSender(mail, context) === true))
}

function kindOf(mail: ParsedMail): 'server' | 'machine' | 'person' {
  if (mail.from) return kindOfAuthor(mail.from)
  const header = mail.headers.get('from')?.[0] ?? ''
  return /^$|<\s*>/.test(header) ? 'server' : kindOfAuthor({ address: authorOf(mail), name: header })
}

/**
 * A mail of ours is attached, the sender is a machine that names no person to answer to, and the text is about a
 * recipient of that mail. Without this it may confirm that the mail has arrived.
 */
function returnsOurMail(mail: ParsedMail, { own_addresses, secretKey }: MailContext): boolean {
  const senders = [...(mail.from ? [mail.from] : []), ...mail.reply_to]
  if (!senders.every(({ address }) => isNobody(address))) return false
  const text = (mail.text ?? '').slice(0, 50_000).toLowerCase()
  return returnedHeads(mail).some((head) => {
    const marks = [...head.matchAll(/^x-parley-loop:[ \t]*(.*)$/gim)].map(([, mark]) => mark!.trim())
    const [from = ''] = addressesIn(head, 'from')
    const isOurs = own_addresses.has(from) || marks.some((mark) => isOwnLoopMark(secretKey, mark))
    return isOurs && addressesIn(head, 'to').some((address) => text.includes(address))
  })
}

/** The machine-readable part: one block about the report, then one for each recipient. The worst of them counts. */
function fromStatus(mail: ParsedMail, context: MailContext, text: string): DeliveryReport | undefined {
  const blocks = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]+/g, ' ')
    .split(/\n{2,}/)
    .map(readBlock)
    .filter(({ action, status, recipient }) => action || status || recipient)
  const undelivered = blocks.filter(({ isReached }) => !isReached)
  const block = undelivered.find(({ isDelayed }) => !isDelayed) ?? undelivered[0]
  // A receipt of successful delivery.
  if (blocks.length > 0 && !block) return undefined
  const report = fromWords(mail, context)
  if (!block) return report
  const { action, status, recipient, reason } = block
  return {
    ...report,
    isFinal: action ? !block.isDelayed : report.isFinal,
    status: status ?? report.status,
    recipient: recipient ?? report.recipient,
    ...(reason && { reason: oneLine(reason) }),
  }
}

function readBlock(block: string) {
  const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(block)?.[1]?.trim()
  const action = field('Action')?.toLowerCase().split(/\s/, 1)[0]
  const status = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(field('Status') ?? '')?.[1] ?? null
  // Some servers have a name of their own for the recipient after a redirection.
  const recipients = ['Original-Recipient', 'Final-Recipient', 'X-Actual-Recipient'].map((name) =>
    field(name)
      ?.replace(/^[^;@]*;\s*/, '')
      .replace(/[<>]/g, '')
      .toLowerCase(),
  )
  const [original, final, actual] = recipients.map((address) => (address?.includes('@') ? address : undefined))
  return {
    action,
    status,
    isReached: /^(?:deliver|relayed|expanded)/.test(action ?? '') || (!action && !!status?.startsWith('2.')),
    isDelayed: /^delay/.test(action ?? ''),
    recipient: final ?? original ?? actual ?? null,
    reason: field('Diagnostic-Code')?.replace(/^[a-z0-9-]+\s*;\s*/i, ''),
  }
}

function fromWords(mail: ParsedMail, { own_addresses }: MailContext): DeliveryReport {
  const text = reportText(mail)
  const recipient = failedRecipient(mail, text, own_addresses)
  return {
    isFinal: !saysLate(mail.subject, text),
    status: /(?:^|[^\d.])([45]\.\d{1,2}\.\d{1,3})(?![\d.])/m.exec(`${mail.subject}\n${text}`)?.[1] ?? null,
    recipient,
    reason: reasonIn(text, recipient, mail.subject),
    message_ids: mentionedIds(mail),
  }
}
