import type { Tag } from '#contract/conversations/conversations.ts'
import { customerTagged } from '#contract/conversations/conversations.ts'
import { NotFound } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { getTag, loadCustomerTags } from '../tags/tags.ts'
import { getCustomerId } from './customers.ts'

/** Adds a tag of the account to a customer, if it is missing. */
export async function tagCustomer(change: Change, account_id: string, id: string, tag_id: string): Promise<void> {
  const { db } = change
  const customer_id = await getCustomerId(db, account_id, id)
  await getTag(db, account_id, tag_id)
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('customer_tags')
    .values({ account_id, customer_id, tag_id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) await announceTags(change, account_id, customer_id)
}

export async function untagCustomer(change: Change, account_id: string, id: string, tag_id: string): Promise<void> {
  const { db } = change
  const customer_id = await getCustomerId(db, account_id, id)
  const { numDeletedRows } = await ofAccount(db, account_id)
    .deleteFrom('customer_tags')
    .where('customer_id', '=', customer_id)
    .where('tag_id', '=', tag_id)
    .executeTakeFirst()
  if (!numDeletedRows) throw new NotFound()
  await announceTags(change, account_id, customer_id)
}

export async function announceTags(change: Change, account_id: string, customer_id: string): Promise<void> {
  const tags: Tag[] = (await loadCustomerTags(change.db, account_id, [customer_id])).get(customer_id) ?? []
  change.announce(account_id, customerTagged, { customer_id, tags })
}
