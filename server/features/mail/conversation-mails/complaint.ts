import type { Context } from '../../../context.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { postMessage } from '../../conversations/conversations/posting.ts'
import { setComplained } from '../../customers/customers/complaints.ts'
import type { Complaint } from './complaint-report.ts'
import { findTrustedCustomer } from './find-author.ts'
import { findSent } from './message-mails.ts'
import { ignored, type MailOutcome } from './outcome.ts'

/**
 * Marks the customer who complained about a mail of ours. Reports about other mails are ignored: everybody can write
 * one.
 */
export async function applyComplaint(context: Context, account_id: string, complaint: Complaint): Promise<MailOutcome> {
  const sent = await findComplained(context, account_id, complaint)
  if (!sent) return ignored('It is a complaint about a mail that was not sent from here.')
  const { conversation_id, customer_id, message_id, recipient } = sent
  await context.change(async (tx) => {
    await setComplained(tx, account_id, customer_id, true)
    if (!conversation_id) return
    await postMessage(
      context,
      tx,
      account_id,
      { kind: 'bot', user_id: null },
      {
        id: deriveId(`complaint ${message_id}`),
        conversation_id,
        private: true,
        source: 'email',
        body: `${recipient} has marked a mail as spam. No automatic mails go to them any more; you can change this on their page.`,
      },
    )
  })
  return conversation_id
    ? { kind: 'changed', conversation_id, message_id }
    : ignored('It is a complaint. The customer gets no automatic mails any more.')
}

/** The customer to whom the mail went that a complaint is about: a reply, or a notification. */
async function findComplained({ db }: Context, account_id: string, { message_ids, recipient }: Complaint) {
  const reply = await findSent(db, account_id, message_ids)
  if (reply) {
    const { conversation_id, message_id } = reply
    const address = recipient ?? reply.recipients[0] ?? ''
    const isCustomers = reply.recipients.some((to) => to.toLowerCase() === address.toLowerCase())
    const conversation = await ofAccount(db, account_id)
      .selectFrom('conversations')
      .innerJoin('customers', (join) =>
        join
          .onRef('customers.account_id', '=', 'conversations.account_id')
          .onRef('customers.id', '=', 'conversations.customer_id'),
      )
      .select(['customer_id', 'customers.email'])
      .where('conversations.id', '=', conversation_id)
      .executeTakeFirst()
    const isOfCustomer = conversation?.email?.toLowerCase() === address.toLowerCase()
    const other =
      isOfCustomer || !isCustomers ? undefined : await findTrustedCustomer(db, account_id, address.toLowerCase())
    const customer_id = isOfCustomer ? conversation.customer_id : other
    return customer_id ? { conversation_id, customer_id, message_id, recipient: address } : undefined
  }
  const mail_ids = message_ids.flatMap((id) => /^<([0-9a-f-]{36})@/i.exec(id)?.[1] ?? [])
  if (mail_ids.length === 0) return undefined
  const notification = await ofAccount(db, account_id)
    .selectFrom('mails')
    .select(['id', 'recipient'])
    .where('id', 'in', mail_ids)
    .executeTakeFirst()
  if (!notification || (recipient && recipient !== notification.recipient.toLowerCase())) return undefined
  const customer = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select('id')
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', notification.recipient.toLowerCase()))
    .orderBy('last_seen_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (
    customer && {
      conversation_id: null,
      customer_id: customer.id,
      message_id: notification.id,
      recipient: notification.recipient,
    }
  )
}
