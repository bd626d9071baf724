import * as z from 'zod/mini'
import { Excerpt } from '../conversations/search.ts'
import { data, endpoint } from '../endpoint.ts'
import { AccountId, CountParameter, FilledText, Id, maybe, Text, Timestamp } from '../wire.ts'
import { ArticleLanguage } from './help-center.ts'

/** The longest question that articles are searched for, in characters. */
export const MAX_QUESTION_LENGTH = 1000
/** Articles that one search finds at most. */
export const MAX_ARTICLE_HITS = 20

/** The longest comment of a reader, in characters. */
export const MAX_COMMENT_LENGTH = 1000

/** A published article that may answer a question. */
export const ArticleHit = z.object({
  id: z.string(),
  object: z.literal('article_hit'),
  language: z.string().check(z.describe('The language in which it was found, such as `en`.')),
  title: z.string().check(z.describe('Its heading.')),
  summary: z.string().check(z.describe('One or two sentences about it; may be empty.')),
  collection: z.nullable(z.string()).check(z.describe('The name of its collection.')),
  excerpt: Excerpt.check(z.describe('The part of its text that fits best.')),
  url: z.string().check(z.describe('Its public address.')),
})
export type ArticleHit = z.output<typeof ArticleHit>

/** A published article as readers see it. */
export const PublicArticle = z.object({
  id: z.string(),
  object: z.literal('public_article'),
  language: z.string().check(z.describe('The language of the text: the wanted one, or the default language.')),
  direction: z.enum(['ltr', 'rtl']).check(z.describe('The direction in which it is read.')),
  title: z.string().check(z.describe('Its heading.')),
  summary: z.string().check(z.describe('One or two sentences about it; may be empty.')),
  collection: z.nullable(z.string()).check(z.describe('The name of its collection.')),
  html: z.string().check(z.describe('The text as safe HTML, without scripts and foreign pictures.')),
  url: z.string().check(z.describe('Its public address.')),
  updated_at: Timestamp,
})
export type PublicArticle = z.output<typeof PublicArticle>

const PublicLink = z.object({
  id: z.string(),
  title: z.string().check(z.describe('Its heading.')),
  summary: z.string().check(z.describe('One or two sentences about it; may be empty.')),
  url: z.string().check(z.describe('Its public address.')),
})

/** What a widget shows of a help center before somebody searches. */
export const PublicHelpCenter = z.object({
  object: z.literal('public_help_center'),
  name: z.string().check(z.describe('Its name.')),
  url: z.string().check(z.describe('The public address of its first page.')),
  language: z.string().check(z.describe('The language of the names below.')),
  collections: z
    .array(
      z.object({
        id: z.string(),
        name: z.string().check(z.describe('Its heading.')),
        description: z.string().check(z.describe('One sentence about it; may be empty.')),
        icon: z.string().check(z.describe('An emoji, or an empty text.')),
        url: z.string().check(z.describe('Its public address.')),
        article_count: z.int32().check(z.describe('Its published articles.')),
        articles: z.array(PublicLink).check(z.describe('Its first articles, at most 20.')),
      }),
    )
    .check(z.describe('Collections with published articles, in their order.')),
})
export type PublicHelpCenter = z.output<typeof PublicHelpCenter>

const account_id = AccountId
const language = z.optional(ArticleLanguage).check(z.describe('The language of the reader, such as `de`.'))

/** Calls of widgets and websites, which need no session. A visitor's session only counts "read, then wrote anyway". */
export const publicArticles = {
  home: endpoint('anyone', 'GET', '/api/help', {
    summary: 'Returns the collections and first articles of a help center. 404 if nobody has published it.',
    query: z.object({ account_id, language }),
    answer: data(PublicHelpCenter),
  }),
  search: endpoint('anyone', 'GET', '/api/help/search', {
    summary: 'Finds published articles for a question, best first. An empty list if there is no help center.',
    query: z.object({
      account_id,
      q: Text(MAX_QUESTION_LENGTH).check(z.describe('Words, or a whole question.')),
      language,
      limit: CountParameter,
      is_typing: z
        .optional(z.enum(['true', 'false']))
        .check(z.describe('`true` while somebody still types: such a search is not counted.')),
    }),
    answer: data(z.array(ArticleHit)),
  }),
  get: endpoint('anyone', 'GET', '/api/help/articles/:id', {
    summary: 'Returns a published article in the wanted language, or else in the default language.',
    params: z.object({ id: Id }),
    query: z.object({ account_id, language }),
    answer: data(PublicArticle),
  }),
  vote: endpoint('anyone', 'POST', '/api/help/articles/:id/vote', {
    summary: 'Records whether an article helped. A second vote of the same reader replaces the first.',
    params: z.object({ id: Id }),
    body: z.object({
      account_id,
      language,
      is_helpful: z.boolean().check(z.describe('Whether it answered the question.')),
      comment: maybe(Text(MAX_COMMENT_LENGTH)).check(z.describe('What was missing, for the team.')),
    }),
    answer: z.null(),
    status: 204,
    limit: 'message',
  }),
}

/** Articles of the sample help center of the bot's demo, at most, and the lengths of their parts in characters. */
export const MAX_SAMPLE_ARTICLES = 50
export const MAX_SAMPLE_TITLE = 300
export const MAX_SAMPLE_TEXT = 1000

/** An article of the sample help center, which is kept by the browser alone. */
export const SampleArticle = z.object({
  id: FilledText(100).check(z.describe('Any text that is unique among them.')),
  title: FilledText(MAX_SAMPLE_TITLE).check(z.describe('Its heading: a question.')),
  text: FilledText(MAX_SAMPLE_TEXT).check(z.describe('Its text: the answer.')),
})
export type SampleArticle = z.output<typeof SampleArticle>

/** Searching articles: for the team, and for the demo of the bot. */
export const articleSearch = {
  find: endpoint('user', 'GET', '/api/articles/search', {
    for_functions: true,
    summary: 'Finds published articles for a question, best first, at most 20. Counts nothing.',
    query: z.object({
      q: Text(MAX_QUESTION_LENGTH).check(z.describe('Words, or a whole question.')),
      language: z.optional(ArticleLanguage).check(z.describe('Articles in this language come first.')),
      limit: CountParameter,
    }),
    answer: data(z.array(ArticleHit)),
  }),
  inSample: endpoint('anyone', 'POST', '/api/help/sample_search', {
    summary:
      'Finds those of the sent articles that answer a question, as the search of help centers does. Stores nothing.',
    body: z.object({
      q: Text(MAX_QUESTION_LENGTH).check(z.describe('Words, or a whole question.')),
      articles: z
        .array(SampleArticle)
        .check(z.maxLength(MAX_SAMPLE_ARTICLES), z.describe('The articles of the sample help center.')),
    }),
    answer: data(
      z.object({
        article_ids: z.array(z.string()).check(z.describe('Ids of the articles that answer it, best first.')),
      }),
    ),
    limit: 'message',
  }),
}
