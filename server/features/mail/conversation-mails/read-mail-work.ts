import { STORED_HTML } from './message-mails.ts'
import { MailUnreadable } from './parse.ts'
import { type MailReading, readMail, type Transport } from './read-mail.ts'

/** What the server still needs of a text: the code of a confirmation stands at its beginning. */
const RETURNED_TEXT = 10_000

/** A mail's reading, or why it is not read. Runs in a worker process. */
export async function work({
  raw,
  transport,
}: {
  raw: Buffer
  transport: Transport
}): Promise<MailReading | { unreadable: string }> {
  try {
    const reading = await readMail(raw, transport)
    const { text, html } = reading.mail
    reading.mail.text = text?.slice(0, RETURNED_TEXT)
    reading.mail.html = html && html.length <= STORED_HTML ? html : undefined
    return reading
  } catch (error) {
    if (error instanceof MailUnreadable) return { unreadable: error.message }
    throw error
  }
}
