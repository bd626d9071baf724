import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { conversations } from '#contract/conversations/conversations.ts'
import { call } from '../../../platform/http/api.ts'
import { conversationKeys } from './keys.ts'

/** The conversations of a customer or company, those with a tag, or those of test chats. */
export type ConversationFilter =
  | { customer_id: string }
  | { tag_id: string }
  | { company_id: string }
  | { source: 'sandbox' }

/** These conversations, latest first, in pages. Refetched on events. */
export function conversationsOfQuery(filter: ConversationFilter) {
  return infiniteQueryOptions({
    queryKey: conversationKeys.list(filter),
    queryFn: ({ pageParam, signal }) =>
      call(conversations.list, { query: { ...filter, after: pageParam, messages: 'last' }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
}
