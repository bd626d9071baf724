import { isOwnLoopMark } from '../../../platform/mail/signed-marks.ts'
import { type Complaint, readComplaint } from './complaint-report.ts'
import { type DeliveryReport, readDeliveryReport, reportKind } from './delivery-report.ts'
import type { ParsedMail } from './parse.ts'
import type { MailSender } from './sender.ts'

/** The kind of a mail. Only mails of people become messages of customers. */
export type Verdict =
  | { kind: 'person' }
  /** Our own mail, which came back; or one from our address that is not marked by us and names nobody to answer. */
  | { kind: 'own'; reason: string; isMarked: boolean }
  | { kind: 'bounce'; report: DeliveryReport }
  /** A machine's answer: out of office, a receipt, another help desk. */
  | { kind: 'automatic'; reason: string; complaint?: Complaint }
  | { kind: 'list'; reason: string }

export interface MailContext {
  secretKey: string
  /** Addresses from which we send, in lower case. */
  own_addresses: ReadonlySet<string>
  /** The envelope's sender if known: empty for mails that must not be answered. */
  envelope_from?: string | undefined
}

/** Classifies a mail by its headers, before anybody is notified. */
export function classify(mail: ParsedMail, sender: MailSender, context: MailContext): Verdict {
  const marks = mail.headers.get('x-parley-loop') ?? []
  if (marks.some((mark) => isOwnLoopMark(context.secretKey, mark)))
    return { kind: 'own', reason: 'loop mark', isMarked: true }
  const report = readDeliveryReport(mail, context)
  if (report) return { kind: 'bounce', report }
  // A form or a group that writes from our address names somebody else. Without one there is nobody to answer.
  if (sender.address && context.own_addresses.has(sender.address.address)) {
    return { kind: 'own', reason: 'from our own address', isMarked: false }
  }
  if (reportKind(mail) === 'feedback-report') {
    return { kind: 'automatic', reason: 'abuse report', complaint: readComplaint(mail) }
  }
  const automatic = automaticSign(mail, context)
  if (automatic) return { kind: 'automatic', reason: automatic }
  const list = isOfOwnGroup(mail, context) ? undefined : listSign(mail)
  return list ? { kind: 'list', reason: list } : { kind: 'person' }
}

/** Names of headers, in lower case, that only machines set. */
const MACHINE_HEADERS = ['x-autoreply', 'x-autorespond', 'x-autoreply-from', 'x-mail-autoreply']
const VACATION_SUBJECT =
  /^(?:automatic reply|auto(?:matic)?[- ]?reply|out of (?:the )?office|abwesenheitsnotiz|réponse automatique|respuesta automática|自動返信|trả lời tự động|thư trả lời tự động)\b/i

function automaticSign(mail: ParsedMail, { envelope_from }: MailContext): string | undefined {
  const { headers, subject } = mail
  const first = (name: string) => headers.get(name)?.[0]?.toLowerCase()
  const submitted = first('auto-submitted')
  if (submitted && !/^no\b/.test(submitted)) return `Auto-Submitted: ${submitted.slice(0, 40)}`
  const machine = MACHINE_HEADERS.find((name) => headers.has(name))
  if (machine) return machine
  // Mail programs of people set it, too, but only with `DR`, `RN` and the like, which suppress receipts.
  const suppressed = first('x-auto-response-suppress')
  if (suppressed && /\b(?:all|oof|autoreply)\b/.test(suppressed)) return `X-Auto-Response-Suppress: ${suppressed}`
  if (/^auto[_-]reply/.test(first('precedence') ?? '')) return 'Precedence: auto_reply'
  if (hasEmptySender(first('return-path'), envelope_from)) return 'empty return path'
  if (VACATION_SUBJECT.test(subject)) return 'subject of an automatic answer'
  return undefined
}

/** Many companies receive their support mail in a group, which marks it like a mailing list. */
function isOfOwnGroup({ headers }: ParsedMail, { own_addresses }: MailContext): boolean {
  const values = ['mailing-list', 'list-post', 'list-id'].flatMap((name) => headers.get(name) ?? [])
  const text = values.join(' ').toLowerCase().replaceAll('@', '.')
  return [...own_addresses].some((address) => text.split(/[\s<>;,:]+/).includes(address.replaceAll('@', '.')))
}

function listSign({ headers }: ParsedMail): string | undefined {
  const header = ['list-id', 'list-unsubscribe'].find((name) => headers.has(name))
  if (header) return header
  const precedence = headers.get('precedence')?.[0]?.toLowerCase().trim() ?? ''
  return /^(?:bulk|list|junk)$/.test(precedence) ? `Precedence: ${precedence}` : undefined
}

/** An empty return path means that no answer is wanted. */
export function hasEmptySender(return_path: string | undefined, envelope_from: string | undefined): boolean {
  if (envelope_from !== undefined) return envelope_from.replace(/[<>]/g, '') === ''
  return return_path !== undefined && return_path.replace(/[<>\s]/g, '') === ''
}
