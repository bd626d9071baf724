import type { ArticleHit, PublicArticle, PublicHelpCenter } from '#contract/help/public-articles.ts'
import { readAddress } from '../appearance/settings.ts'
import { request } from '../request.ts'
import { createStorage } from '../storage.ts'

type Data<Shape> = { data: Shape }

/** The calls of one window about its company's help center, in the language of the reader. */
export function createHelpCalls(language: string) {
  const address = readAddress(location.search)!
  const { account_id } = address
  const storage = createStorage(address)
  /** With a session the team learns that somebody read an article and wrote all the same. */
  const token = () => {
    const { session } = storage.read()
    return session?.opened ? { token: session.token } : {}
  }
  return {
    home: () => request<Data<PublicHelpCenter>>('/api/help', { query: { account_id, language } }),
    /** While somebody still types, a search without a hit does not count as one. */
    search: (q: string, isTyping: boolean) =>
      request<Data<ArticleHit[]>>('/api/help/search', {
        query: { account_id, language, q: q.slice(0, 1000), limit: 5, is_typing: `${isTyping}` },
      }),
    get: (id: string) =>
      request<Data<PublicArticle>>(`/api/help/articles/${id}`, { ...token(), query: { account_id, language } }),
    vote: ({ id, language }: PublicArticle, is_helpful: boolean) =>
      request(`/api/help/articles/${id}/vote`, {
        ...token(),
        method: 'POST',
        body: { account_id, language, is_helpful },
      }),
  }
}

export type HelpCalls = ReturnType<typeof createHelpCalls>
