import { type CustomerData, linksAreCopied } from '../../../customer-data.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { listIssues } from './issues.ts'

export const customerIssues: CustomerData = {
  table: 'customer_issues',
  merge: linksAreCopied('customer_issues', 'issue_id', 'issue_ids'),
  export: {
    as: 'issues',
    isInCustomer: true,
    read: (db, account_id, customer_id) => listIssues(db, account_id, { customer_id }),
  },
  async delete({ db }, account_id, ids) {
    await ofAccount(db, account_id).deleteFrom('customer_issues').where('customer_id', 'in', ids).execute()
  },
  erase: { goesWith: 'It was already removed with the deletion.' },
}
