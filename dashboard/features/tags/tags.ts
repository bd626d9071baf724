import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Tag } from '#contract/conversations.ts'
import { type CountedTag, type TagDraft, tags } from '#contract/tags.ts'
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

/** All tags, and how many customers and conversations have each. */
export const countedTagsQuery = queryOptions({
  queryKey: ['tags', 'counted'],
  queryFn: async ({ signal }) => (await call(tags.list, { query: { counts: true }, signal })).data,
  refetchOnMount: 'always',
})

export function tagQuery(id: string) {
  return queryOptions({
    queryKey: ['tags', 'one', id],
    queryFn: async ({ signal }) => (await call(tags.get, { params: { id }, signal })).data,
    refetchOnMount: 'always',
  })
}

/** Stores a new tag, or what was changed in the one with this id. */
export async function saveTag(client: QueryClient, id: string | undefined, tag: TagDraft): Promise<void> {
  if (id) await call(tags.update, { params: { id }, body: { tag } })
  else await call(tags.create, { body: { tag } })
  await client.invalidateQueries({ queryKey: tagsQuery.queryKey })
}

export async function deleteTag(client: QueryClient, id: string): Promise<void> {
  await call(tags.remove, { params: { id } })
  for (const queryKey of [tagsQuery.queryKey, countedTagsQuery.queryKey]) {
    client.setQueryData<CountedTag[]>(queryKey, (known) => known?.filter((tag) => tag.id !== id))
  }
}
