import type { Context } from '../../context.ts'
import { loadConnected } from '../../features/connections/authorizations/authorizations.ts'
import { outcomeOf } from '../../features/mail/conversation-mails/outcome.ts'
import { receiveMail } from '../../features/mail/conversation-mails/receive-mail.ts'
import type { InboundOutcome, ReceivedEvent } from '../../integration.ts'
import type { Mailbox } from './mailbox.ts'

/** Turns a mail of the mailbox, or of its sent folder, into a message. */
export async function receiveFromMailbox(context: Context, event: ReceivedEvent): Promise<InboundOutcome> {
  const { account_id, authorization_id, bytes, payload } = event
  const mailbox = authorization_id && (await loadConnected<Mailbox>(context, account_id, authorization_id))
  if (!bytes || !mailbox) return { state: 'ignored', reason: 'Its mailbox has been disconnected.' }
  const outcome = await receiveMail(context, {
    account_id,
    inbox_id: mailbox.inbox_id,
    authorization_id: mailbox.id,
    raw: bytes,
    envelope: { recipients: [mailbox.address!] },
    hints: {
      mail_host: mailbox.credentials.imap_host,
      takes_forms: mailbox.settings.takes_forms ?? false,
      ...(payload.is_wanted === true && { is_wanted: true }),
      ...(payload.sent === true && { sent: true, ...(mailbox.user_id && { mailbox_user_id: mailbox.user_id }) }),
    },
  })
  return outcomeOf(outcome)
}
