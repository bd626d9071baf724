import type { QueryClient } from '@tanstack/react-query'
import {
  type ArticleCollection,
  type ArticleCollectionDraft,
  articleCollections,
} from '#contract/help/article-collections.ts'
import { call } from '../../../platform/http/api.ts'
import { collectionsQuery } from '../articles/queries.ts'
import { helpKeys } from '../keys.ts'

/** Creates a collection, or changes the one with this id. */
export async function saveCollection(
  client: QueryClient,
  id: string | undefined,
  collection: ArticleCollectionDraft,
): Promise<void> {
  if (id) await call(articleCollections.update, { params: { id }, body: { collection } })
  else await call(articleCollections.create, { body: { collection } })
  await client.invalidateQueries({ queryKey: helpKeys.collections })
}

/** Moves a collection in the list, at once on screen. */
export async function moveCollection(client: QueryClient, ids: string[]): Promise<void> {
  const key = collectionsQuery.queryKey
  const before = client.getQueryData(key)
  const order = (list: ArticleCollection[] | undefined) =>
    list && [...list].sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
  client.setQueryData(key, order)
  try {
    client.setQueryData(key, (await call(articleCollections.reorder, { body: { ids } })).data)
  } catch (error) {
    client.setQueryData(key, before)
    throw error
  }
}

/** Deletes a collection; its articles stay. */
export async function deleteCollection(client: QueryClient, id: string): Promise<void> {
  await call(articleCollections.remove, { params: { id } })
  await Promise.all([
    client.invalidateQueries({ queryKey: helpKeys.collections }),
    client.invalidateQueries({ queryKey: helpKeys.articles }),
  ])
}
