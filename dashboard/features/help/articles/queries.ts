import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { articleCollections } from '#contract/help/article-collections.ts'
import { type Article, type ArticleDraft, articles, type TranslationDraft } from '#contract/help/articles.ts'
import { helpCenter } from '#contract/help/help-center.ts'
import { call } from '../../../platform/http/api.ts'
import { helpKeys } from '../keys.ts'

const PAGE_SIZE = 50
/** Browsers allow `keepalive` only for small bodies, of at most 64 kB together. */
const MAX_KEEPALIVE = 20_000

export type ArticleState = 'draft' | 'published' | 'changed' | 'archived'

/** What a list of articles is limited to. */
export interface ArticleFilters {
  q?: string | undefined
  state?: ArticleState | undefined
  collection_id?: string | undefined
  language?: string | undefined
}

/** Name, languages and looks of the help center. */
export const helpCenterQuery = queryOptions({
  queryKey: helpKeys.center,
  queryFn: async ({ signal }) => (await call(helpCenter.get, { signal })).data,
})

/** The collections in their order. */
export const collectionsQuery = queryOptions({
  queryKey: helpKeys.collections,
  queryFn: async ({ signal }) => (await call(articleCollections.list, { signal })).data,
})

/** Articles, last changed first, by pages. */
export function articlesQuery(filters: ArticleFilters) {
  return infiniteQueryOptions({
    queryKey: helpKeys.list(filters),
    queryFn: ({ signal, pageParam }) =>
      call(articles.list, { query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { after: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
}

/** How many articles there are in each state. */
export function articleCountsQuery({ collection_id, language }: ArticleFilters) {
  const query = { collection_id, language }
  return queryOptions({
    queryKey: helpKeys.counts(query),
    queryFn: async ({ signal }) => (await call(articles.counts, { query, signal })).data,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
}

export function articleQuery(id: string) {
  return queryOptions({
    queryKey: helpKeys.one(id),
    queryFn: async ({ signal }) => (await call(articles.get, { params: { id }, signal })).data,
    refetchOnMount: 'always',
  })
}

/** What was published in one language, newest first. */
export function revisionsQuery(id: string, language: string) {
  return queryOptions({
    queryKey: helpKeys.revisions(id, language),
    queryFn: async ({ signal }) => (await call(articles.revisions, { params: { id, language }, signal })).data,
    refetchOnMount: 'always',
  })
}

/** Stores an article that the server answered. Answers of calls that began earlier do not overwrite it. */
async function store(client: QueryClient, article: Article): Promise<Article> {
  const key = helpKeys.one(article.id)
  await client.cancelQueries({ queryKey: key })
  client.setQueryData(key, article)
  void client.invalidateQueries({ queryKey: helpKeys.lists })
  return article
}

export async function createArticle(client: QueryClient, article: ArticleDraft): Promise<Article> {
  return store(client, (await call(articles.create, { body: { article } })).data)
}

/** Makes a draft of the question and the answers of a conversation. */
export async function makeArticle(client: QueryClient, conversation_id: string): Promise<Article> {
  return store(client, (await call(articles.fromConversation, { body: { conversation_id } })).data)
}

/** @throws ApiError with status 409 if somebody else has saved since this version */
export async function saveDraft(
  client: QueryClient,
  { id, language }: TranslationRef,
  translation: TranslationDraft,
): Promise<Article> {
  const { data } = await call(articles.saveDraft, {
    params: { id, language },
    body: { translation },
    keepalive: (translation.body?.length ?? 0) < MAX_KEEPALIVE,
  })
  return store(client, data)
}

export interface TranslationRef {
  id: string
  language: string
}

export async function publish(client: QueryClient, params: TranslationRef, version: number): Promise<Article> {
  const article = await store(client, (await call(articles.publish, { params, body: { version } })).data)
  void client.invalidateQueries({ queryKey: helpKeys.revisions(params.id, params.language) })
  return article
}

export async function unpublish(client: QueryClient, params: TranslationRef): Promise<Article> {
  return store(client, (await call(articles.unpublish, { params })).data)
}

/** Makes the text of a revision the draft. */
export async function restoreRevision(client: QueryClient, id: string): Promise<Article> {
  return store(client, (await call(articles.restore, { params: { id } })).data)
}

export async function updateArticle(
  client: QueryClient,
  id: string,
  article: { collection_id?: string | null; is_archived?: boolean },
): Promise<Article> {
  return store(client, (await call(articles.update, { params: { id }, body: { article } })).data)
}

export async function deleteArticle(client: QueryClient, id: string): Promise<void> {
  await call(articles.remove, { params: { id } })
  client.removeQueries({ queryKey: helpKeys.one(id) })
  await client.invalidateQueries({ queryKey: helpKeys.lists })
}

export async function deleteTranslation(client: QueryClient, params: TranslationRef): Promise<void> {
  await call(articles.removeTranslation, { params })
  await client.invalidateQueries({ queryKey: helpKeys.one(params.id) })
}

/** Markdown as the HTML that readers would see. */
export async function renderPreview(body: string, signal: AbortSignal): Promise<string> {
  return (await call(articles.preview, { body: { body }, signal })).data.html
}
