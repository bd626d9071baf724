import { type CustomerData, reassignRows } from '../../../customer-data.ts'
import { destroyConversationsOf } from './destroy-conversations.ts'
import { exportConversations } from './export-conversations.ts'
import { deleteUnprovenTextOf } from './unproven.ts'
import { archiveConversationsOf } from './updating.ts'

const conversations: CustomerData = {
  table: 'conversations',
  merge: reassignRows('conversations', 'conversation_ids'),
  export: { as: 'conversations', read: exportConversations },
  async delete(change, account_id, ids) {
    for (const id of ids) await archiveConversationsOf(change, account_id, id)
    await deleteUnprovenTextOf(change, account_id, ids)
  },
  erase: destroyConversationsOf,
}

const messages: CustomerData = {
  table: 'messages',
  merge: { stays: 'The database assigns them to the customer of their conversation.' },
  export: { leftOut: 'They are part of their conversations.' },
  delete: { stays: 'Conversations are archived, not deleted.' },
  erase: { goesWith: 'They are deleted with their conversations.' },
}

export const conversationsData = [conversations, messages]
