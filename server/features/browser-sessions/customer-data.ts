import type { CustomerData } from '../../customer-data.ts'
import type { Change } from '../../platform/db/change.ts'
import { listSessions } from './browser-sessions.ts'

export const customerSessions: CustomerData = {
  table: 'browser_sessions',
  merge: { notedAs: 'browser_session_ids', move: moveSessions, moveBack: moveSessions },
  export: {
    as: 'browser_sessions',
    read: async (db, account_id, customer_id) =>
      (await listSessions(db, account_id, { customer_id })).map(({ customer: _, ...session }) => session),
  },
  async delete({ db }, account_id, ids) {
    await db
      .deleteFrom('browser_sessions')
      .where('account_id', '=', account_id)
      .where('customer_id', 'in', ids)
      .execute()
  },
  erase: { goesWith: 'It is gone since the deletion.' },
}

/** Gives sessions of one customer to another. Answers with their ids. */
async function moveSessions({ db }: Change, account_id: string, from: string, to: string, ids?: string[]) {
  if (ids?.length === 0) return []
  const moved = await db
    .updateTable('browser_sessions')
    .set({ customer_id: to })
    .where('account_id', '=', account_id)
    .where('customer_id', '=', from)
    .$if(!!ids, (query) => query.where('id', 'in', ids!))
    .returning('id')
    .execute()
  return moved.map(({ id }) => id)
}
