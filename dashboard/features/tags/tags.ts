import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Tag } from '#contract/conversations.ts'
import { tags } from '#contract/tags.ts'
import { call } from '../../api.ts'

/** Rarely needed and quickly told, so the list is asked for again whenever it is. */
export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: async ({ signal }) => (await call(tags.list, { signal })).data,
  staleTime: 0,
})

export async function createTag(client: QueryClient, draft: { name: string; color: string }): Promise<Tag> {
  const { data } = await call(tags.create, { body: { tag: draft } })
  client.setQueryData(tagsQuery.queryKey, (known) => known && [...known, data])
  return data
}
