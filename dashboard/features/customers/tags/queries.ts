import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Tag } from '#contract/conversations/conversations.ts'
import { type CountedTag, type TagDraft, tags } from '#contract/customers/tags.ts'
import { call } from '../../../platform/http/api.ts'
import { tagKeys } from './keys.ts'

/** Rarely needed and quick to load, so it is refetched each time. */
export const tagsQuery = queryOptions({
  queryKey: tagKeys.all,
  queryFn: async ({ signal }) => (await call(tags.list, { signal })).data,
  staleTime: 0,
})

/** All tags, with how many customers and conversations have each. */
export const countedTagsQuery = queryOptions({
  queryKey: tagKeys.counted,
  queryFn: async ({ signal }) => (await call(tags.list, { query: { counts: true }, signal })).data,
  refetchOnMount: 'always',
})

export function tagQuery(id: string) {
  return queryOptions({
    queryKey: tagKeys.detail(id),
    queryFn: async ({ signal }) => (await call(tags.get, { params: { id }, signal })).data,
    refetchOnMount: 'always',
  })
}

export async function createTag(client: QueryClient, tag: TagDraft): Promise<Tag> {
  const { data } = await call(tags.create, { body: { tag } })
  client.setQueryData(tagsQuery.queryKey, (list) => list && [...list, data])
  await client.invalidateQueries({ queryKey: countedTagsQuery.queryKey })
  return data
}

/** Creates several tags in order, and returns their ids. */
export async function createTags(client: QueryClient, drafts: TagDraft[]): Promise<string[]> {
  const ids: string[] = []
  for (const draft of drafts) ids.push((await createTag(client, draft)).id)
  return ids
}

export async function updateTag(client: QueryClient, id: string, tag: Partial<TagDraft>): Promise<void> {
  await call(tags.update, { params: { id }, body: { tag } })
  await client.invalidateQueries({ queryKey: tagsQuery.queryKey })
}

export async function deleteTag(client: QueryClient, id: string): Promise<void> {
  await call(tags.remove, { params: { id } })
  for (const queryKey of [tagsQuery.queryKey, countedTagsQuery.queryKey]) {
    client.setQueryData<CountedTag[]>(queryKey, (list) => list?.filter((tag) => tag.id !== id))
  }
}
