import { MailUnreadable, parseMail } from './parse.ts'
import { listRecipients } from './thread-signs.ts'

/** The recipients in the headers, or why they cannot be read. Runs in a worker process. */
export async function work(head: Buffer): Promise<string[] | { unreadable: string }> {
  try {
    return listRecipients(parseMail(Buffer.from(head)), [])
  } catch (error) {
    if (error instanceof MailUnreadable) return { unreadable: error.message }
    throw error
  }
}
