import type { CustomerData } from '../../../customer-data.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** Customer data in runs of functions. */
export const functionCustomerData: CustomerData[] = [
  {
    table: 'function_runs',
    merge: { stays: 'Runs contain the customer as of then, and are replaced by later runs.' },
    export: { leftOut: 'It is a log of calls to programs of the company, and repeats the content of the export.' },
    delete: deleteRuns,
    async erase(_context, change, account_id, ids) {
      await deleteRuns(change, account_id, ids)
      return {}
    },
  },
]

/** Functions still have to learn that the customer was deleted. */
async function deleteRuns({ db }: Change, account_id: string, ids: string[]): Promise<void> {
  await ofAccount(db, account_id)
    .deleteFrom('function_runs')
    .where('customer_id', 'in', ids)
    .where('event', '<>', 'customer:deleted')
    .execute()
}

/** Deletes the runs about a conversation. */
export async function deleteRunsOf({ db }: Change, account_id: string, conversation_id: string): Promise<void> {
  await ofAccount(db, account_id).deleteFrom('function_runs').where('conversation_id', '=', conversation_id).execute()
}
