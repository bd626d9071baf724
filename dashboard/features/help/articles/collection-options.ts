import { useQuery } from '@tanstack/react-query'
import type { ArticleCollection } from '#contract/help/article-collections.ts'
import { collectionsQuery, helpCenterQuery } from './queries.ts'

/** The name of a collection in a language, or else in any. */
export function collectionName({ texts, slug }: ArticleCollection, language: string | undefined): string {
  return (language && texts[language]?.name) || Object.values(texts)[0]?.name || slug
}

/** The name of a collection, behind that of the one around it. */
export function collectionPath(
  collection: ArticleCollection,
  collections: readonly ArticleCollection[],
  language: string | undefined,
): string {
  const around = collections.find(({ id }) => id === collection.parent_id)
  const name = collectionName(collection, language)
  return around ? `${collectionName(around, language)} › ${name}` : name
}

/** The collections with the number of their articles, for a select. */
export function useCollectionOptions(): { value: string; label: string }[] {
  const { data: center } = useQuery(helpCenterQuery)
  const { data: collections = [] } = useQuery(collectionsQuery)
  return collections.map((collection) => {
    const name = collectionPath(collection, collections, center?.default_language)
    return { value: collection.id, label: `${collection.icon} ${name} (${collection.article_count})`.trim() }
  })
}
