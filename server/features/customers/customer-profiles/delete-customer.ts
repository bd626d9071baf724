import { customerDeleted } from '#contract/customers/customers.ts'
import type { Context } from '../../../context.ts'
import type { Change } from '../../../platform/db/change.ts'
import { lockCustomer } from '../customers/changing.ts'
import { listMerged } from '../customers/forget-identity.ts'

/**
 * Deletes a customer and those merged into it. Conversations are archived rather than destroyed, as everywhere: they
 * also contain the team's messages. Identifying data is deleted for good. Returns the customer's own id, under which
 * its sockets are known.
 */
export async function deleteCustomer(
  { customerData }: Pick<Context, 'customerData'>,
  change: Change,
  account_id: string,
  id: string,
): Promise<string> {
  const customer = await lockCustomer(change.db, account_id, id)
  const ids = [customer.id, ...(await listMerged(change, account_id, customer.id))]
  for (const source of customerData) {
    if (typeof source.delete === 'function') await source.delete(change, account_id, ids)
  }
  change.announce(account_id, customerDeleted, { customer_id: customer.id })
  return customer.id
}
