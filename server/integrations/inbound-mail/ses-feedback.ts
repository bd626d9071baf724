import * as z from 'zod/mini'
import type { RelayedMail } from './relay-formats.ts'

const LISTED = 50
const text = z.catch(z.optional(z.string()), undefined)

const SentMail = z.object({
  source: text,
  messageId: text,
  /** Only if the topic is set up to include the headers. */
  headers: z.catch(z.array(z.object({ name: z.string(), value: z.string() })), []),
})
/** SES's notification that a mail of ours was not delivered, or marked as spam. */
export const Feedback = z.union([
  z.object({
    notificationType: z.literal('Bounce'),
    mail: SentMail,
    bounce: z.object({
      bouncedRecipients: z.array(
        z.object({ emailAddress: z.string(), action: text, status: text, diagnosticCode: text }),
      ),
    }),
  }),
  z.object({
    notificationType: z.literal('Complaint'),
    mail: SentMail,
    complaint: z.object({ complainedRecipients: z.array(z.object({ emailAddress: z.string() })) }),
  }),
])
type Feedback = z.output<typeof Feedback>

/**
 * The notification as the report that a mail server would have sent by mail, to the address for answers to the mail it
 * is about: so it is read like all others. Recipients are empty if the notification has no headers of that mail.
 */
export function writeFeedbackMail(feedback: Feedback): RelayedMail {
  const headers = feedback.mail.headers.filter(({ name }) =>
    /^(?:message-id|from|to|reply-to|subject|x-parley-loop)$/i.test(name),
  )
  const answers = headers
    .filter(({ name }) => /^reply-to$/i.test(name))
    .map(({ value }) => value.replace(/^.*<|>.*$/g, ''))
  const isBounce = feedback.notificationType === 'Bounce'
  const lines = [
    'Return-Path: <>',
    'From: MAILER-DAEMON@amazonses.com',
    `Subject: ${isBounce ? 'Delivery Status Notification (Failure)' : 'Complaint'}`,
    `Content-Type: multipart/report; report-type=${isBounce ? 'delivery-status' : 'feedback-report'}; boundary=part`,
    '',
    ...part('text/plain', [
      `Amazon SES reports: ${isBounce ? 'the mail was not delivered.' : 'the mail was marked as spam.'}`,
    ]),
    ...(feedback.notificationType === 'Bounce' ? bounceParts(feedback) : complaintParts(feedback)),
    ...part(
      'text/rfc822-headers',
      headers.map(({ name, value }) => field(name, value)),
    ),
    '--part--',
    '',
  ]
  return { raw: Buffer.from(lines.join('\r\n')), recipients: answers, from: '' }
}

function bounceParts({ bounce }: Extract<Feedback, { notificationType: 'Bounce' }>): string[] {
  const blocks = bounce.bouncedRecipients
    .slice(0, LISTED)
    .flatMap(({ emailAddress, action, status, diagnosticCode }) => [
      '',
      field('Final-Recipient', `rfc822; ${emailAddress}`),
      field('Action', action ?? 'failed'),
      ...(status ? [field('Status', status)] : []),
      ...(diagnosticCode ? [field('Diagnostic-Code', diagnosticCode)] : []),
    ])
  return part('message/delivery-status', ['Reporting-MTA: dns; amazonses.com', ...blocks])
}

function complaintParts({ complaint }: Extract<Feedback, { notificationType: 'Complaint' }>): string[] {
  const [person] = complaint.complainedRecipients
  const named = person ? [field('Original-Rcpt-To', person.emailAddress)] : []
  return part('message/feedback-report', ['Feedback-Type: abuse', 'Version: 1', ...named])
}

function part(type: string, lines: string[]): string[] {
  return ['--part', `Content-Type: ${type}`, '', ...lines, '']
}

/** On one line: what the notification says must not add another header. */
function field(name: string, value: string): string {
  return `${name}: ${value.replace(/[\p{Cc}]+/gu, ' ').slice(0, 1_000)}`
}
