import type { ArticleFilters } from './articles/queries.ts'

/** The keys of everything that is cached about the help center. */
export const helpKeys = {
  center: ['help-center'],
  collections: ['article-collections'],
  articles: ['articles'],
  lists: ['articles', 'list'],
  list: (filters: ArticleFilters) => ['articles', 'list', filters],
  counts: (filters: ArticleFilters) => ['articles', 'list', 'counts', filters],
  one: (id: string) => ['articles', 'one', id],
  revisions: (id: string, language: string) => ['articles', 'revisions', id, language],
  found: (q: string) => ['articles', 'found', q],
  gaps: ['help-gaps'],
} as const
