import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type SavedReply, type SavedReplyDraft, savedReplies } from '#contract/conversations/saved-replies.ts'
import { searchFields } from '../../../platform/forms/text-search.ts'
import { call } from '../../../platform/http/api.ts'
import { ApiError } from '../../../platform/http/request.ts'

/** There are no events for changes. */
const FRESH_MS = 60_000

/**
 * All saved replies, most recently updated first. Refetched on each visit of their page, and now and then in a
 * composer.
 */
export const savedRepliesQuery = queryOptions({
  queryKey: ['saved-replies'],
  queryFn: async ({ signal }) => (await call(savedReplies.list, { signal })).data,
  refetchOnMount: 'always',
  staleTime: FRESH_MS,
})

/** Creates a saved reply, or changes the one with this id. The server validates the fields. */
export async function saveReply(client: QueryClient, id: string | undefined, draft: SavedReplyDraft): Promise<void> {
  const body = { canned_response: { ...draft, name: withoutSlashes(draft.name) } }
  const { data } = id
    ? await call(savedReplies.update, { params: { id }, body })
    : await call(savedReplies.create, { body })
  client.setQueryData(
    savedRepliesQuery.queryKey,
    (replies) => replies && [data, ...replies.filter((reply) => reply.id !== id)],
  )
}

export async function deleteReply(client: QueryClient, id: string): Promise<void> {
  await call(savedReplies.remove, { params: { id } }).catch((error) => {
    // It was already deleted elsewhere.
    if (!(error instanceof ApiError && error.status === 404)) throw error
  })
  client.setQueryData(savedRepliesQuery.queryKey, (replies) => replies?.filter((reply) => reply.id !== id))
}

/** Slashes are shown and typed before a name, but are not part of it. */
export function withoutSlashes(name: string): string {
  return name.replaceAll('/', '')
}

/** The replies that contain every word of `text` in their id, name (with its slash) or content. */
export function searchReplies<Reply extends Pick<SavedReply, 'id' | 'name' | 'content'>>(
  replies: readonly Reply[],
  text: string,
): Reply[] {
  return searchFields(replies, text, ({ id, name, content }) => [id, `/${name}`, content])
}
