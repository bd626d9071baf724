import type { CustomerData } from '../../customer-data.ts'
import type { Change } from '../../platform/db/change.ts'

/** What runs of functions hold of customers. */
export const functionCustomerData: CustomerData[] = [
  {
    table: 'function_runs',
    merge: { stays: 'What ran tells of the customer as they were then, and gives way to later runs.' },
    export: { leftOut: 'It is a log of programs of the company, and repeats what the document says.' },
    delete: forgetRuns,
    async erase(_context, change, account_id, ids) {
      await forgetRuns(change, account_id, ids)
      return {}
    },
  },
]

/** Programs are still to be told that the customer is gone. */
async function forgetRuns({ db }: Change, account_id: string, ids: string[]): Promise<void> {
  await db
    .deleteFrom('function_runs')
    .where('account_id', '=', account_id)
    .where('customer_id', 'in', ids)
    .where('event', '<>', 'customer:deleted')
    .execute()
}
