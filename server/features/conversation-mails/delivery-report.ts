import { idsIn, type MailFile, type ParsedMail } from './parse.ts'

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
const POSTMASTER = /^(?:mailer-daemon|postmaster|mail-daemon|mdaemon)@/

/** Parses a bounce, in the standard form or in the free text of some mail servers. */
export function readDeliveryReport(mail: ParsedMail, envelope_from?: string): DeliveryReport | undefined {
  const status = mail.files.find(
    ({ type }) => type === 'message/delivery-status' || type === 'message/global-delivery-status',
  )
  if (status) return fromStatus(mail, status.bytes.toString('utf8').slice(0, 20_000))
  const type = mail.headers.get('content-type')?.[0]?.toLowerCase() ?? ''
  const isReport = type.startsWith('multipart/report') && !type.includes('disposition-notification')
  const return_path = mail.headers.get('return-path')?.[0]
  const isFromServer = POSTMASTER.test(mail.from?.address ?? '') || mail.headers.has('x-failed-recipients')
  const isUnsendable = (envelope_from ?? return_path ?? '<>').replace(/[<>\s]/g, '') === ''
  return isReport || (isFromServer && isUnsendable) ? fromWords(mail) : undefined
}

/** The machine-readable part: one block about the report, then one for each recipient. */
function fromStatus(mail: ParsedMail, text: string): DeliveryReport | undefined {
  const unfolded = text.replace(/\r?\n[ \t]+/g, ' ')
  const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(unfolded)?.[1]?.trim()
  const action = field('Action')?.toLowerCase()
  const status = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(field('Status') ?? '')?.[1] ?? null
  if (action === 'delivered' || action === 'relayed' || action === 'expanded' || status?.startsWith('2.')) {
    // A receipt of successful delivery.
    return undefined
  }
  const recipient = (field('Final-Recipient') ?? field('Original-Recipient'))?.replace(/^[^;]*;\s*/, '') ?? null
  return {
    isFinal: action === 'failed' || (action !== 'delayed' && !status?.startsWith('4.')),
    status,
    recipient: recipient?.replace(/[<>]/g, '').toLowerCase() ?? null,
    reason: oneLine(field('Diagnostic-Code')?.replace(/^[^;]*;\s*/, '') ?? firstWords(mail)),
    message_ids: idsOf(mail),
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
  const returned = mail.files.filter(({ type }) =>
    /^(?:message\/(?:rfc822|global)|text\/rfc822-headers|message\/rfc822-headers)$/.test(type),
  )
  const texts = [...returned.map(headOf), (mail.text ?? '').slice(0, 50_000)]
  const inside = texts.flatMap((text) =>
    [...text.matchAll(/^[> \t]*Message-ID:\s*(<[^<>\s]+>)/gim)].map(([, id]) => id!),
  )
  return [...new Set([...inside, ...mail.in_reply_to, ...mail.references.toReversed()])].flatMap((id) => idsIn(id))
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
