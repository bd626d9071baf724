import { type CustomerData, reassignRows } from '../../../customer-data.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { listSessions } from './live-sessions.ts'

export const customerSessions: CustomerData = {
  table: 'browser_sessions',
  merge: reassignRows('browser_sessions', 'browser_session_ids'),
  export: {
    as: 'browser_sessions',
    read: async (db, account_id, customer_id) =>
      (await listSessions(db, account_id, { customer_id })).map(({ customer: _, ...session }) => session),
  },
  async delete({ db }, account_id, ids) {
    await ofAccount(db, account_id).deleteFrom('browser_sessions').where('customer_id', 'in', ids).execute()
  },
  erase: { goesWith: 'It was already removed with the deletion.' },
}
