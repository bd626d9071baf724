import type { Issue } from '#contract/issues.ts'
import { issueLinked, issueUnlinked } from '#contract/issues.ts'
import { NotFound } from '../../errors.ts'
import type { Change } from '../../platform/db/change.ts'

/** Links an issue to a customer, both known to exist. One that is linked already stays so. */
export async function linkIssue(change: Change, account_id: string, customer_id: string, issue: Issue) {
  const { numInsertedOrUpdatedRows } = await change.db
    .insertInto('customer_issues')
    .values({ account_id, customer_id, issue_id: issue.id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) change.announce(account_id, issueLinked, { issue, customer_id })
}

export async function unlinkIssue(change: Change, account_id: string, customer_id: string, issue: Issue) {
  const { numDeletedRows } = await change.db
    .deleteFrom('customer_issues')
    .where('account_id', '=', account_id)
    .where('customer_id', '=', customer_id)
    .where('issue_id', '=', issue.id)
    .executeTakeFirst()
  if (!numDeletedRows) throw new NotFound()
  change.announce(account_id, issueUnlinked, { issue, customer_id })
}

/** Gives a customer every issue of another that it does not have, silently. Answers with the ids of those. */
export async function copyIssues({ db }: Change, account_id: string, from: string, to: string): Promise<string[]> {
  const rows = await db
    .insertInto('customer_issues')
    .columns(['account_id', 'customer_id', 'issue_id'])
    .expression((eb) =>
      eb
        .selectFrom('customer_issues')
        .select(({ val }) => ['account_id', val(to).as('customer_id'), 'issue_id'])
        .where('account_id', '=', account_id)
        .where('customer_id', '=', from),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('issue_id')
    .execute()
  return rows.map(({ issue_id }) => issue_id)
}

/** Takes issues from a customer again, silently. Answers with the ids of those that it had. */
export async function dropIssues(
  { db }: Change,
  account_id: string,
  customer_id: string,
  ids: string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .deleteFrom('customer_issues')
    .where('account_id', '=', account_id)
    .where('customer_id', '=', customer_id)
    .where('issue_id', 'in', ids)
    .returning('issue_id')
    .execute()
  return rows.map(({ issue_id }) => issue_id)
}
