import { addressesIn, mentionedIds, returnedHeads } from './bounce-details.ts'
import type { ParsedMail } from './parse.ts'

/** A mail service's report that somebody has marked a mail of ours as spam. */
export interface Complaint {
  /** The address of the person, if the service says it. */
  recipient: string | null
  /** Message-IDs mentioned in the report: the one it is about is among them. */
  message_ids: string[]
}

const REPORT = 'message/feedback-report'

/** Reads an abuse report (ARF). Many services leave the address out; then the mail itself says to whom it went. */
export function readComplaint(mail: ParsedMail): Complaint {
  const report =
    mail.files
      .find(({ type }) => type === REPORT)
      ?.bytes.toString('utf8')
      .slice(0, 20_000) ?? ''
  const [, named] = /^(?:Original-Rcpt-To|Removal-Recipient):\s*<?([^\s<>]+@[^\s<>]+?)>?\s*$/im.exec(report) ?? []
  const [original = ''] = returnedHeads(mail)
  const sent = addressesIn(original, 'to')
  return { recipient: named?.toLowerCase() ?? (sent.length === 1 ? sent[0]! : null), message_ids: mentionedIds(mail) }
}
