import { classify, type MailContext, type Verdict } from './classify.ts'
import { type MailText, readMailText } from './mail-text.ts'
import { type MailAddress, type ParsedMail, parseMail } from './parse.ts'
import { answerAddress, findSender, type MailSender, type Proof, readAuthenticationResults } from './sender.ts'
import { readThreadSigns, type ThreadSigns } from './thread-signs.ts'

/** What the transport (SMTP, relay, mailbox) knows about a mail besides its bytes. */
export interface Transport extends MailContext {
  recipients: string[]
  /** The mailbox's server: decides whose Authentication-Results are trusted. */
  mail_host?: string | undefined
  /** The transport's own verdict about the sender, if it has one. */
  proof?: Proof | undefined
}

/** Everything that can be read from a mail without a database. */
export interface MailReading {
  mail: ParsedMail
  verdict: Verdict
  signs: ThreadSigns
  words: MailText
  /** Who wrote it, and what proves that. */
  sender: MailSender
  /** The address for replies. */
  answer_to: MailAddress | null
}

/**
 * Parses and classifies the bytes of a mail.
 * @throws MailUnreadable
 */
export async function readMail(raw: Buffer, arrival: Transport): Promise<MailReading> {
  const mail = await parseMail(raw)
  const proof = arrival.proof ?? readAuthenticationResults(mail, arrival.mail_host)
  const sender = findSender(mail, proof, arrival.own_addresses)
  return {
    mail,
    verdict: classify(mail, sender, arrival),
    signs: readThreadSigns(mail, arrival.secretKey, arrival.recipients),
    words: readMailText(mail),
    sender,
    answer_to: answerAddress(mail, sender),
  }
}
