import type { Belonging } from './conversations-of-customer.ts'
import type { View } from './views.ts'

export const conversationKeys = {
  /** The lists of the inbox. */
  views: ['conversations', 'list'],
  view: (view: View) => [...conversationKeys.views, view],
  details: ['conversations', 'one'],
  detail: (id: string) => [...conversationKeys.details, id],
  counts: ['conversations', 'counts'],
  /** The lists of a customer, a company or a tag. */
  lists: ['conversations', 'of'],
  list: (filter: Belonging) => [...conversationKeys.lists, filter],
  /** Whether there is any yet. */
  first: ['conversations', 'first'],
  /** Of everything, or of one inbox. */
  count: (filter: { inbox_id?: string }) => ['conversations', 'count', filter],
  previous: (id: string) => ['conversations', 'previous', id],
  related: (id: string) => ['conversations', 'related', id],
  shares: (id: string) => ['conversations', 'shares', id],
  openCount: (customer_id: string) => ['conversations', 'open-count', customer_id],
} as const
