import type { CustomerData } from '../../../customer-data.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

export const customerMerges: CustomerData = {
  table: 'customer_merges',
  merge: { stays: 'Each merge records who became part of whom.' },
  export: { leftOut: 'It records actions of the team, and ids.' },
  // Including undone merges: they contain values that the customer gave to another one.
  async delete({ db }, account_id, ids) {
    await ofAccount(db, account_id)
      .deleteFrom('customer_merges')
      .where((merge) => merge.or([merge('customer_id', 'in', ids), merge('merged_id', 'in', ids)]))
      .execute()
  },
  erase: { goesWith: 'It was already removed with the deletion.' },
}
