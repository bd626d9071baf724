import type { GmailDraft } from '#contract/integrations/google.ts'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import { runOnceForCaller } from '../../features/connections/authorizations/vendor-call.ts'
import { loopMark } from '../../platform/mail/signed-marks.ts'
import { newId } from '../../platform/secrets.ts'
import { findGmail, needed } from './client.ts'
import { emailOf } from './gmail-connect.ts'
import { sendMail } from './gmail-outgoing.ts'

const ADDRESS = /^[^\s@<>",;]+@[^\s@<>",;]+$/

/**
 * Sends a mail that belongs to no conversation, for programs.
 * @throws Forbidden if no mailbox is connected; Invalid; Refusal with Gmail's message
 */
export async function sendGmail(context: Context, account_id: string, draft: GmailDraft) {
  const connection = needed(await findGmail(context, account_id, draft.inbox_id))
  const to = (draft.to ?? draft.recipient ?? '').trim()
  if (!ADDRESS.test(to)) throw new Invalid({ to: ['is invalid'] })
  const message_id = `<${newId()}@${new URL(context.config.baseUrl).hostname}>`
  const text = draft.text ?? draft.message ?? ''
  return runOnceForCaller('Google', 'The mail may have been sent', () =>
    sendMail(context, connection, {
      message_id,
      to,
      from_name: null,
      from_address: emailOf(connection),
      reply_to: null,
      subject: draft.subject ?? '',
      text,
      html: '',
      isOfPerson: true,
      headers: { 'X-Parley-Loop': loopMark(context.config.secretKey!, message_id) },
    }),
  )
}
