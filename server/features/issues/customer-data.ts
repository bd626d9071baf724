import type { CustomerData } from '../../customer-data.ts'
import { listIssues } from './issues.ts'
import { copyIssues, dropIssues } from './linking.ts'

export const customerIssues: CustomerData = {
  table: 'customer_issues',
  merge: {
    notedAs: 'issue_ids',
    move: copyIssues,
    moveBack: (change, account_id, from, _to, ids) => dropIssues(change, account_id, from, ids),
  },
  export: {
    as: 'issues',
    isInCustomer: true,
    read: (db, account_id, customer_id) => listIssues(db, account_id, { customer_id }),
  },
  async delete({ db }, account_id, ids) {
    await db
      .deleteFrom('customer_issues')
      .where('account_id', '=', account_id)
      .where('customer_id', 'in', ids)
      .execute()
  },
  erase: { goesWith: 'It is gone since the deletion.' },
}
