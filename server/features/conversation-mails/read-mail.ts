import { classify, type MailContext, type Verdict } from './classify.ts'
import { type MailText, readMailText } from './mail-text.ts'
import { type MailAddress, type ParsedMail, parseMail } from './parse.ts'
import { answerAddress, type Proof, readAuthenticationResults } from './sender.ts'
import { readThreadSigns, type ThreadSigns } from './thread-signs.ts'

/** What the transport (SMTP, relay, mailbox) knows about a mail besides its bytes. */
export interface Transport extends MailContext {
  recipients: string[]
  /** The mailbox's server: decides whose Authentication-Results are trusted. */
  mail_host?: string | undefined
  /** Set if the transport itself has authenticated the sender. */
  proof?: Proof | undefined
}

/** Everything that can be read from a mail without a database. */
export interface MailReading {
  mail: ParsedMail
  verdict: Verdict
  signs: ThreadSigns
  words: MailText
  proof: Proof
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
  return {
    mail,
    verdict: classify(mail, arrival),
    signs: readThreadSigns(mail, arrival.secretKey, arrival.recipients),
    words: readMailText(mail),
    proof,
    answer_to: answerAddress(mail, proof),
  }
}
