import { isOwnLoopMark } from '../../platform/mail/signed-marks.ts'
import { readAddresses } from './addresses.ts'
import type { MailContext } from './classify.ts'
import { idsIn, type MailFile, type ParsedMail } from './parse.ts'
import { isNobody } from './sender.ts'

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

const REASON_LIMIT = 300
const DAEMON = /^(?:mailer-daemon|mail-daemon|mdaemon)(?:@|$)/i
const POSTMASTER = /^postmaster(?:@|$)/i
const STATUS = /^message\/(?:global-)?delivery-status$/
const RETURNED = /^(?:message\/(?:rfc822|global)|text\/rfc822-headers|message\/(?:rfc822|global)-headers)$/

/**
 * Parses a bounce, in the standard form or in the free text of some mail servers. It is known by its structure: a
 * person may attach a report to a mail of theirs, or forward one, and that mail is a person's.
 */
export function readDeliveryReport(mail: ParsedMail, known: MailContext): DeliveryReport | undefined {
  const kind = reportKind(mail)
  const status = mail.files.find(({ type }) => STATUS.test(type))
  const isBounce =
    kind === 'delivery-status' || (!kind && (isFromServer(mail, known, !!status) || returnsOurMail(mail, known)))
  if (!isBounce) return undefined
  return status ? fromStatus(mail, status.bytes.toString('utf8').slice(0, 20_000)) : fromWords(mail)
}

/** The kind of a mail that is a report as a whole, such as `feedback-report`; undefined for all others. */
export function reportKind({ headers }: ParsedMail): string | undefined {
  const type = headers.get('content-type')?.[0]?.toLowerCase() ?? ''
  if (!/^\s*multipart\/report\b/.test(type)) return undefined
  return /report-type\s*=\s*"?([a-z-]+)/.exec(type)?.[1] ?? 'delivery-status'
}

/** Written by a mail server, to which nobody can answer. People write from `postmaster@`, too. */
function isFromServer({ headers, from }: ParsedMail, { envelope_from }: MailContext, hasStatus: boolean): boolean {
  const name = from?.address ?? headers.get('from')?.[0]?.replace(/["<>]/g, ' ').trim()
  const sender = (envelope_from ?? headers.get('return-path')?.[0])?.replace(/[<>\s]/g, '')
  // Some servers write their name instead of nothing.
  const isEmpty = sender !== undefined && !sender.includes('@')
  const isNamed = name === '' || DAEMON.test(name ?? '') || POSTMASTER.test(name ?? '')
  if (isEmpty && (hasStatus || isNamed || headers.has('x-failed-recipients'))) return true
  return DAEMON.test(name ?? '') && (sender === undefined || DAEMON.test(sender))
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

function addressesIn(head: string, name: string): string[] {
  const [, value = ''] = new RegExp(`^${name}:(.*)$`, 'im').exec(head) ?? []
  return readAddresses(value, String).map(({ address }) => address)
}

/** The machine-readable part: one block about the report, then one for each recipient. The worst of them counts. */
function fromStatus(mail: ParsedMail, text: string): DeliveryReport | undefined {
  const blocks = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]+/g, ' ')
    .split(/\n{2,}/)
    .map(readBlock)
    .filter(({ action, status, recipient }) => action || status || recipient)
  const undelivered = blocks.filter(({ isReached }) => !isReached)
  const block = undelivered.find(({ isFinal }) => isFinal) ?? undelivered[0]
  // A receipt of successful delivery.
  if (blocks.length > 0 && !block) return undefined
  const { isFinal = true, status = null, recipient = null, reason } = block ?? {}
  return { isFinal, status, recipient, reason: oneLine(reason ?? firstWords(mail)), message_ids: idsOf(mail) }
}

function readBlock(block: string) {
  const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(block)?.[1]?.trim()
  const action = field('Action')?.toLowerCase()
  const status = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(field('Status') ?? '')?.[1] ?? null
  const recipient = (field('Final-Recipient') ?? field('Original-Recipient'))?.replace(/^[^;]*;\s*/, '') ?? null
  return {
    action,
    status,
    isReached: action === 'delivered' || action === 'relayed' || action === 'expanded' || !!status?.startsWith('2.'),
    isFinal: action === 'failed' || (action !== 'delayed' && !status?.startsWith('4.')),
    recipient: recipient?.replace(/[<>]/g, '').toLowerCase() ?? null,
    reason: field('Diagnostic-Code')?.replace(/^[^;]*;\s*/, ''),
  }
}

function fromWords(mail: ParsedMail): DeliveryReport {
  const body = (mail.text ?? '').slice(0, 20_000)
  const status = /\b([45]\.\d{1,3}\.\d{1,3})\b/.exec(`${mail.subject}\n${body}`)?.[1] ?? null
  const failed = mail.headers.get('x-failed-recipients')?.[0]?.split(',')[0]?.trim()
  const isLate = /\b(?:delay(?:ed)?|will (?:keep trying|retry)|not yet been delivered|warning)\b/i.test(mail.subject)
  return {
    isFinal: status ? status.startsWith('5.') : !isLate,
    status,
    recipient: failed?.toLowerCase() ?? /<([^<>\s@]+@[^<>\s@]+)>/.exec(body)?.[1]?.toLowerCase() ?? null,
    reason: oneLine(/^.*\b[45]\d\d[ -].*$/m.exec(body)?.[0] ?? firstWords(mail)),
    message_ids: idsOf(mail),
  }
}

/** From the returned mail, from headers that refer to a mail, and from the text as the last resort. */
function idsOf(mail: ParsedMail): string[] {
  const texts = [...returnedHeads(mail), (mail.text ?? '').slice(0, 50_000)]
  const inside = texts.flatMap((text) =>
    [...text.matchAll(/^[> \t]*Message-ID:\s*(<[^<>\s]+>)/gim)].map(([, id]) => id!),
  )
  return [...new Set([...inside, ...mail.in_reply_to, ...mail.references.toReversed()])].flatMap((id) => idsIn(id))
}

/** The beginnings of the mails that came back with it, unfolded. */
function returnedHeads({ files }: ParsedMail): string[] {
  return files.filter(({ type }) => RETURNED.test(type)).map(headOf)
}

function headOf({ bytes }: MailFile): string {
  return bytes.toString('latin1', 0, 50_000).replace(/\r?\n[ \t]+/g, ' ')
}

function firstWords({ text = '', subject }: ParsedMail): string {
  return text.trim().split(/\n\s*\n/, 1)[0] || subject
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, REASON_LIMIT)
}
