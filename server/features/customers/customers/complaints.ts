import type { Customer } from '#contract/customers/customers.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { lockCustomer, saveCustomer } from './changing.ts'
import { presentCustomerRow } from './customers.ts'

/**
 * Whether somebody may get mails that no person writes: replies of machines, notifications, transcripts. Mail services
 * stop delivering for a company that goes on writing to people who have complained.
 */
export function acceptsAutomaticMail({ complained_at }: Pick<Customer, 'complained_at'>): boolean {
  return complained_at === null
}

/** Records that a customer has marked a mail as spam, or that the team has settled it with them. */
export async function setComplained(
  change: Change,
  account_id: string,
  id: string,
  complained: boolean,
): Promise<Customer> {
  const customer = await lockCustomer(change.db, account_id, id)
  if (!!customer.complained_at === complained) return presentCustomerRow(customer)
  return saveCustomer(change, account_id, customer.id, { complained_at: complained ? new Date().toISOString() : null })
}

/** Whether one of the customers with an address has complained. */
export async function hasComplained(db: Db, account_id: string, address: string): Promise<boolean> {
  const row = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select('id')
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', address.toLowerCase()))
    .where('complained_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Records that a customer unsubscribed from notifications by mail. A repeated click keeps the first time. */
export async function recordUnsubscribed({ db }: Change, account_id: string, customer_id: string): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('customers')
    .set({ unsubscribed_at: new Date().toISOString() })
    .where('id', '=', customer_id)
    .where('unsubscribed_at', 'is', null)
    .execute()
}
