import { useQuery } from '@tanstack/react-query'
import type { ArticleCollection } from '#contract/help/article-collections.ts'
import { collectionsQuery, helpCenterQuery } from './queries.ts'

/** The name of a collection in a language, or else in any. */
export function collectionName({ texts, slug }: ArticleCollection, language: string | undefined): string {
  return (language && texts[language]?.name) || Object.values(texts)[0]?.name || slug
}

/** The collections with the number of their articles, for a select. */
export function useCollectionOptions(): { value: string; label: string }[] {
  const { data: center } = useQuery(helpCenterQuery)
  const { data: collections = [] } = useQuery(collectionsQuery)
  return collections.map((collection) => ({
    value: collection.id,
    label:
      `${collection.icon} ${collectionName(collection, center?.default_language)} (${collection.article_count})`.trim(),
  }))
}
