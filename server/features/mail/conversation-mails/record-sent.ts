import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import type { PreparedAnswer } from './prepare-answer.ts'

/** The connection that a message is sent over; null is the installation's own mail server. */
export interface Route {
  account_id: string
  message_id: string
  authorization_id: string | null
}

/**
 * Records a mail before it is sent, so that even the fastest answer finds its conversation, and admins see it among the
 * stored mails. A second try only updates to whom it goes.
 */
export async function recordAnswer(
  { db }: Change,
  route: Route,
  { mail, conversation_id, references }: PreparedAnswer,
): Promise<void> {
  const { account_id, message_id, authorization_id } = route
  const { cc = [], bcc = [], subject, text, html, headers, from_name, reply_to } = mail
  const [to = '', ...others] = [mail.to].flat()
  await db
    .insertInto('message_mails')
    .values({
      account_id,
      message_id,
      conversation_id,
      authorization_id,
      direction: 'out',
      message_header: mail.message_id,
      in_reply_to: headers['In-Reply-To'] ? [headers['In-Reply-To']] : [],
      refs: references,
      subject,
      from_address: mail.from_address ?? null,
      recipients: [to, ...others],
      cc,
      bcc,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'message_id']).doUpdateSet((eb) => ({
        subject: eb.ref('excluded.subject'),
        recipients: eb.ref('excluded.recipients'),
        cc: eb.ref('excluded.cc'),
        bcc: eb.ref('excluded.bcc'),
      })),
    )
    .execute()
  const row = {
    account_id,
    id: message_id,
    kind: 'conversation',
    recipient: to,
    from_name,
    reply_to,
    subject,
    text,
    html,
  }
  // Writes mails, too: mails of conversations are sent by mailboxes, not by the mail server.
  await db
    .insertInto('mails')
    .values({ ...row, headers: toJson(headers), message_id, authorization_id, cc: [...others, ...cc, ...bcc] })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'id']).doUpdateSet({ subject, text, html, recipient: to }),
    )
    .execute()
}

/** Records the mail server's answer. */
export async function recordSubmission(
  { db }: Change,
  { account_id, message_id }: Route,
  outcome: { sent_at: string; failure: null } | { failed_at: string; failure: string } | { failure: string },
): Promise<void> {
  // Writes mails, too: mails of conversations are sent by mailboxes, not by the mail server.
  await ofAccount(db, account_id)
    .updateTable('mails')
    .set((eb) => ({ failed_at: null, ...outcome, tries: eb('tries', '+', 1) }))
    .where('id', '=', message_id)
    .execute()
}
