import { classify, type Known, type Verdict } from './classify.ts'
import type { MailText } from './mail-text.ts'
import { type MailAddress, type ParsedMail, parseMail } from './parse.ts'
import { answerAddress, type Proof, readAuthenticationResults } from './sender.ts'
import { readThreadSigns, type ThreadSigns } from './thread-signs.ts'

/** What the transport (SMTP, relay, mailbox) knows of a mail besides its bytes. */
export interface Arrival extends Known {
  recipients: string[]
  /** Of the mailbox that it lay in: tells whose Authentication-Results may be believed. */
  mail_host?: string | undefined
  /** Set where the transport itself has authenticated the sender. */
  proof?: Proof | undefined
}

/** Everything that a mail says, without asking any database. */
export interface Reading {
  mail: ParsedMail
  verdict: Verdict
  signs: ThreadSigns
  words: MailText
  proof: Proof
  /** Where an answer goes. */
  answer_to: MailAddress | null
}

/**
 * Reads and judges the bytes of a mail.
 * @throws MailUnreadable
 */
export async function readMail(raw: Buffer, arrival: Arrival): Promise<Reading> {
  const mail = await parseMail(raw)
  // Brings three libraries along that nothing else needs.
  const { readMailText } = await import('./mail-text.ts')
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
