import type { Context } from '../../../context.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { postMessage } from '../../conversations/conversations/posting.ts'
import type { DeliveryReport } from './delivery-report.ts'
import { findSent } from './message-mails.ts'
import { ignored, type MailOutcome } from './outcome.ts'

/** Records on a message of ours that its mail bounced or is delayed. Reports about other mails are ignored. */
export async function applyBounce(context: Context, account_id: string, report: DeliveryReport): Promise<MailOutcome> {
  const sent = await findSent(context.db, account_id, report.message_ids)
  if (!sent) return ignored('It reports on a mail that was not sent from here.')
  const { conversation_id, message_id } = sent
  const { isFinal, reason, recipient } = report
  await context.change(async (tx) => {
    const recorded = await ofAccount(tx.db, account_id)
      .updateTable('message_mails')
      .set({ bounced_at: new Date().toISOString(), bounce_is_final: isFinal, bounce_reason: reason })
      .where('message_id', '=', message_id)
      // A final report is kept, whatever a slower server reports later; and each is announced once.
      .where((eb) =>
        eb.or([eb('bounced_at', 'is', null), eb.and([eb('bounce_is_final', '=', false), eb.val(isFinal)])]),
      )
      .executeTakeFirst()
    if (!recorded.numUpdatedRows) return
    const what = isFinal ? 'was not delivered' : 'has not been delivered yet, and is still being tried'
    await postMessage(
      context,
      tx,
      account_id,
      { kind: 'bot', user_id: null },
      {
        id: deriveId(`bounce ${message_id} ${isFinal}`),
        conversation_id,
        private: true,
        source: 'email',
        body: `The mail to ${recipient ?? sent.recipients[0] ?? 'the customer'} ${what}: ${reason}`,
        isQuiet: !isFinal,
      },
    )
  })
  return { kind: 'changed', conversation_id, message_id }
}
