import type { Context } from '../../context.ts'
import { sendRecorded, writeAnswerMail } from '../../features/mail/conversation-mails/answering.ts'
import { type OpenDelivery, PermanentFailure, type Receipt, RetryLater } from '../../integration.ts'
import { composeMail, isRefusedForGood, type Mail } from '../../platform/mail/mailer.ts'
import { explain, openSmtp } from './client.ts'
import type { Mailbox } from './mailbox.ts'
import { storeSentCopy } from './sent-copy.ts'

/** Sends a reply from the mailbox. A repeat has the same Message-ID. */
export async function deliverFromMailbox(
  context: Context,
  { account_id, message_id, authorization: mailbox }: OpenDelivery<Mailbox>,
): Promise<Receipt> {
  if (!message_id) return { dropped: true }
  const answer = await writeAnswerMail(context, { account_id, message_id }, mailbox.address)
  if (!answer) return { dropped: true }
  // Answers arrive in the mailbox by themselves.
  const mail = { ...answer.mail, reply_to: null }
  const route = { account_id, message_id, authorization_id: mailbox.id }
  const raw = await sendRecorded(context, route, { ...answer, mail }, (recorded) =>
    submitMail(context, mailbox, recorded),
  )
  await storeSentCopy(context, mailbox, raw)
  return { external_id: mail.message_id }
}

/**
 * Sends a mail through the mailbox's SMTP server.
 * @throws RetryLater, PermanentFailure or ConnectionRevoked with what to do
 */
export async function submitMail(context: Context, { credentials, address }: Mailbox, mail: Mail): Promise<Buffer> {
  const message = await composeMail(mail, address!)
  const raw = await message.build()
  const transport = await openSmtp(context, credentials)
  try {
    await transport.sendMail({ envelope: message.getEnvelope(), raw })
    return raw
  } catch (error) {
    const reason = (error as Error).message.slice(0, 300)
    if (isRefusedForGood(error)) throw new PermanentFailure(`The mail server refused it: ${reason}`)
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    if (code === 'EAUTH') throw explain(error, credentials.smtp_host)
    if (responseCode) throw new RetryLater(`The mail server did not accept it: ${reason}`)
    throw new RetryLater(explain(error, credentials.smtp_host).message, {
      restsAll: true,
      at: new Date(Date.now() + REST_MS),
    })
  } finally {
    transport.close()
  }
}

/** Delay before trying an unreachable server again. */
const REST_MS = 30_000
