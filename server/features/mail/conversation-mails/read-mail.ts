import { classify, type MailContext, type Verdict } from './classify.ts'
import { type MailText, readMailText } from './mail-text.ts'
import { type MailAddress, type ParsedMail, parseMail } from './parse.ts'
import { answerAddress, findSender, type MailSender, type Proof, readAuthenticationResults } from './sender.ts'
import { isAnswerSubject } from './subject-prefix.ts'
import { readThreadSigns, type ThreadSigns } from './thread-signs.ts'

/** What the transport (SMTP, relay, mailbox) knows about a mail besides its bytes. */
export interface Transport extends MailContext {
  recipients: string[]
  /** The mailbox's server: decides whose Authentication-Results are trusted. */
  mail_host?: string | undefined
  /** The transport's own verdict about the sender, if it has one. */
  proof?: Proof | undefined
  /** Forms write to this address, in the name of the people in Reply-To. */
  takes_forms?: boolean | undefined
}

/** Everything that can be read from a mail without a database. */
export interface MailReading {
  mail: ParsedMail
  verdict: Verdict
  signs: ThreadSigns
  content: MailText
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
  const mail = parseMail(raw)
  const proof = arrival.proof ?? readAuthenticationResults(mail, arrival.mail_host)
  const sender = findSender(mail, proof, arrival)
  const verdict = classify(mail, sender, arrival)
  const signs = readThreadSigns(mail, arrival.secretKey, arrival.recipients)
  const isAnswer = !!signs.signed || !!signs.unsigned || signs.answers.length > 0 || isAnswerSubject(mail.subject)
  const content = readMailText(mail, isAnswer)
  // The message holds only the beginning of a long text.
  if (content.whole) {
    mail.files.unshift({
      filename: 'message.txt',
      type: 'text/plain',
      content_id: null,
      bytes: Buffer.from(content.whole),
    })
  }
  content.body = [content.body, omittedNote(mail.omitted_files)].filter(Boolean).join('\n\n')
  return {
    mail,
    verdict,
    signs,
    content,
    sender,
    answer_to: answerAddress(mail, sender),
  }
}

function omittedNote(count: number): string {
  if (count === 0) return ''
  return count === 1 ? '(1 more file of this mail is not shown.)' : `(${count} more files of this mail are not shown.)`
}
