import type { Issue } from '#contract/customers/issues.ts'
import { issueLinked, issueUnlinked } from '#contract/customers/issues.ts'
import { NotFound } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** Links an issue to an existing customer, unless it is linked already. */
export async function linkIssue(change: Change, account_id: string, customer_id: string, issue: Issue) {
  const { numInsertedOrUpdatedRows } = await change.db
    .insertInto('customer_issues')
    .values({ account_id, customer_id, issue_id: issue.id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) change.announce(account_id, issueLinked, { issue, customer_id })
}

export async function unlinkIssue(change: Change, account_id: string, customer_id: string, issue: Issue) {
  const { numDeletedRows } = await ofAccount(change.db, account_id)
    .deleteFrom('customer_issues')
    .where('customer_id', '=', customer_id)
    .where('issue_id', '=', issue.id)
    .executeTakeFirst()
  if (!numDeletedRows) throw new NotFound()
  change.announce(account_id, issueUnlinked, { issue, customer_id })
}
