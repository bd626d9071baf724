import type { Db } from '../../platform/db/change.ts'
import { selectConversations } from '../conversations/conversations.ts'
import { getProfile } from '../customer-profiles/profiles.ts'
import { listPageVisits } from '../customers/page-visits.ts'
import { expandMessages, selectMessages } from '../messages/messages.ts'

/** Everything that is kept about one customer, as a person may ask for it. */
export async function exportCustomer(db: Db, account_id: string, id: string): Promise<Record<string, unknown>> {
  const customer = await getProfile(db, account_id, id, ['company', 'tags', 'notes', 'issues'])
  const rows = await selectConversations(db, account_id)
    .where('customer_id', '=', customer.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const conversations = []
  for (const row of rows) {
    const messages = await selectMessages(db, account_id)
      .where('conversation_id', '=', row.id)
      .orderBy('number')
      .execute()
    conversations.push({ ...row, messages: await expandMessages(db, account_id, messages) })
  }
  const page_visits = await listPageVisits(db, account_id, customer.id)
  return { exported_at: new Date().toISOString(), customer, conversations, page_visits }
}
