import { MailUnreadable } from '../../features/mail/conversation-mails/parse.ts'
import { type DeliveryNotes, readDeliveryNotes } from './delivery-headers.ts'

/** The delivery notes of a mail; undefined if it cannot be read. Runs in a worker process. */
export async function work({
  head,
  mail_host,
}: {
  head: Buffer
  mail_host: string
}): Promise<DeliveryNotes | undefined> {
  try {
    return await readDeliveryNotes(Buffer.from(head), mail_host)
  } catch (error) {
    if (error instanceof MailUnreadable) return undefined
    throw error
  }
}
