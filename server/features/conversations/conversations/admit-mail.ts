import { MAILBOXES } from '#contract/connections/kinds.ts'
import type { Context } from '../../../context.ts'
import { Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { hasMailbox } from '../../connections/authorizations/authorizations.ts'
import { getCustomer } from '../../customers/customers/customers.ts'
import { chooseInbox } from '../../widget/inboxes/inboxes.ts'
import { Unsendable } from './unsendable.ts'

const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/

/**
 * Whether a team member may start a conversation by mail in an inbox, by default the primary one. Messages are those
 * that existing clients know.
 * @throws Unacceptable
 */
export async function assertMailAllowed(
  { db, mailer }: Context,
  { account_id, user_id }: Pick<User, 'account_id' | 'user_id'>,
  { customer_id, inbox_id }: { customer_id: string; inbox_id: string | null | undefined },
): Promise<void> {
  if (!mailer.isOn) {
    const inbox = await chooseInbox(db, account_id, inbox_id)
    const hasWay = await hasMailbox(db, account_id, { inbox_id: inbox?.id, user_id })
    if (!hasWay) throw new Unacceptable('Missing Gmail integration')
  }
  const { email } = await getCustomer(db, account_id, customer_id)
  if (!email || !ADDRESS.test(email)) throw new Unacceptable('Invalid customer email address')
}

/** A reply that nothing can send. */
export class NoMailbox extends Unsendable {
  constructor() {
    super(
      'This customer is answered by e-mail, and no mail server is set up. Connect a mailbox, set SMTP_URL, or write a note.',
    )
  }
}

/**
 * Refuses a reply by mail of an installation without a mail server, unless a mailbox is connected. For one that was
 * disconnected a reply waits.
 * @throws NoMailbox
 */
export async function assertMailboxConnected(db: Db, account_id: string): Promise<void> {
  const mailbox = await ofAccount(db, account_id)
    .selectFrom('authorizations')
    .select('id')
    .where('integration', 'in', MAILBOXES)
    .limit(1)
    .executeTakeFirst()
  if (!mailbox) throw new NoMailbox()
}
