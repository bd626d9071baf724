import type { ConversationFilter } from './conversations-of-customer.ts'
import type { View } from './views.ts'

/** What is counted: everything, one inbox or team, or a customer's open conversations. */
export type CountFilter =
  | { inbox_id?: string | undefined; team_id?: string | undefined }
  | { customer_id: string; status: 'open' }

export const conversationKeys = {
  /** The lists of the inbox. */
  views: ['conversations', 'list'],
  view: (view: View) => [...conversationKeys.views, view],
  details: ['conversations', 'one'],
  detail: (id: string) => [...conversationKeys.details, id],
  counts: ['conversations', 'counts'],
  /** The lists of a customer, a company or a tag. */
  lists: ['conversations', 'of'],
  list: (filter: ConversationFilter) => [...conversationKeys.lists, filter],
  /** Whether there is any conversation yet. */
  first: ['conversations', 'first'],
  count: (filter: CountFilter) => ['conversations', 'count', filter],
  previous: (id: string) => ['conversations', 'previous', id],
  related: (id: string) => ['conversations', 'related', id],
  shares: (id: string) => ['conversations', 'shares', id],
} as const
