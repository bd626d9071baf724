import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { conversations } from '#contract/conversations.ts'
import { call } from '../../platform/http/api.ts'
import { conversationKeys } from './keys.ts'

/** Whose conversations, or those with which tag. */
export type Belonging = { customer_id: string } | { tag_id: string } | { company_id: string }

/** Conversations that belong to something, latest first, in pages. Events make it ask again. */
export function conversationsOfQuery(filter: Belonging) {
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
