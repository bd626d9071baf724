import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { deletedConversations } from '#contract/conversations/deleted-conversations.ts'
import { call } from '../../../platform/http/api.ts'
import { conversationKeys } from '../conversations/keys.ts'

/** Deleted conversations, the last deleted first, in pages. Among the lists that events about conversations refetch. */
export function deletedConversationsQuery(q: string) {
  return infiniteQueryOptions({
    queryKey: [...conversationKeys.lists, 'deleted', q],
    queryFn: ({ pageParam, signal }) =>
      call(deletedConversations.list, { query: { after: pageParam, ...(q && { q }) }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
}

/** Destroys a deleted conversation for good. */
export async function destroyConversation(id: string): Promise<void> {
  await call(deletedConversations.destroy, { params: { id } })
}
