import { type CustomerData, reassignRows } from '../../../customer-data.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { listNotes } from './customer-notes.ts'

export const customerNotesData: CustomerData = {
  table: 'customer_notes',
  merge: reassignRows('customer_notes', 'note_ids'),
  export: { as: 'notes', isInCustomer: true, read: exportNotes },
  async delete({ db }, account_id, ids) {
    await ofAccount(db, account_id).deleteFrom('customer_notes').where('customer_id', 'in', ids).execute()
  },
  erase: { goesWith: 'It was already removed with the deletion.' },
}

async function exportNotes(db: Db, account_id: string, customer_id: string): Promise<object[]> {
  const { data } = await listNotes(db, account_id, { customer_id })
  return data.map(({ customer: _, ...note }) => note)
}
