import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent, Gone } from '../event.ts'
import { CountParameter, Id, IntegerBetween, maybe, Text, Timestamp } from '../wire.ts'
import { ArticleLanguage, Slug } from './help-center.ts'

/** The longest text of an article, in characters. */
export const MAX_ARTICLE_LENGTH = 200_000
/** Articles of one account, archived ones included. */
export const MAX_ARTICLES = 20_000
/** A zip with a Markdown folder. */
export const MAX_IMPORT_BYTES = 8_000_000

const language = z.describe('BCP 47 tag, such as `en`.')
const title = z.describe('The heading of the page.')
const summary = z.describe('One or two sentences for lists and search engines.')
const body = z.describe('The text, as Markdown.')
const slug = z.describe('The last part of its public address. The old address leads to the new one.')

/**
 * Whether readers see it: `draft` was never published or is withdrawn, `published` is what its author last wrote,
 * `changed` has a newer draft beside what is published.
 */
export const TranslationState = z.enum(['draft', 'published', 'changed'])
export type TranslationState = z.output<typeof TranslationState>

/** An article in one language, without its text. */
export const ArticleTranslationSummary = z.object({
  language: z.string().check(language),
  title: z.string().check(title),
  summary: z.string().check(summary),
  slug: z.string().check(slug),
  state: TranslationState.check(z.describe('`draft`, `published`, or `changed`: published, with a newer draft.')),
  url: z.nullable(z.string()).check(z.describe('Its public address; null while nobody can read it.')),
  published_at: z.nullable(Timestamp).check(z.describe('When it was last published; null while it is a draft.')),
  updated_at: Timestamp,
})
export type ArticleTranslationSummary = z.output<typeof ArticleTranslationSummary>

/** An article in a list. */
export const ArticleSummary = z.object({
  id: z.string(),
  object: z.literal('article'),
  collection_id: z.nullable(z.string()).check(z.describe('Its collection; null if it has none.')),
  author_id: z.nullable(z.int32()).check(z.describe('The user who created it.')),
  archived_at: z.nullable(Timestamp).check(z.describe('When it was archived: put aside, and no longer public.')),
  translations: z
    .array(ArticleTranslationSummary)
    .check(z.describe('Its languages, the default language of the help center first.')),
  helpful_count: z.int32().check(z.describe('Readers whom it helped.')),
  unhelpful_count: z.int32().check(z.describe('Readers whom it did not help.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ArticleSummary = z.output<typeof ArticleSummary>

/** An article in one language, as its author last saved it. */
export const ArticleTranslation = z.extend(ArticleTranslationSummary, {
  body: z.string().check(body),
  version: z.int32().check(z.describe('Increases with every saved draft. Send it when you save.')),
  updated_by: z.nullable(z.int32()).check(z.describe('The user who saved it last.')),
})
export type ArticleTranslation = z.output<typeof ArticleTranslation>

/** An article with all its languages. */
export const Article = z.extend(ArticleSummary, { translations: z.array(ArticleTranslation) })
export type Article = z.output<typeof Article>

const texts = {
  title: Text(200).check(z.trim(), title),
  summary: z._default(Text(500).check(z.trim()), '').check(summary),
  body: Text(MAX_ARTICLE_LENGTH).check(body),
}

/** Input of creating an article: its first language. */
export const ArticleDraft = z.object({
  language: ArticleLanguage.check(language),
  ...texts,
  collection_id: maybe(Id).check(z.describe('Its collection.')),
})
export type ArticleDraft = z.output<typeof ArticleDraft>

/** What saving a draft contains. */
export const TranslationDraft = z.object({
  ...texts,
  slug: z.optional(Slug).check(z.describe('Made of the title until it is first published, unless it is set here.')),
  version: z
    .optional(IntegerBetween(0, 2 ** 31 - 1))
    .check(z.describe('The version that the author has seen; 0 for a new language. Another one is refused with 409.')),
})
export type TranslationDraft = z.output<typeof TranslationDraft>

/** How many articles there are in each state. One with several languages may be in several states. */
export const ArticleCounts = z.object({
  object: z.literal('article_counts'),
  all: z.int32().check(z.describe('All but archived ones.')),
  draft: z.int32().check(z.describe('Those with a language that nobody can read.')),
  published: z.int32().check(z.describe('Those with a language that is published.')),
  changed: z.int32().check(z.describe('Those with a language that has a newer draft beside what is published.')),
  archived: z.int32().check(z.describe('Those that were put aside.')),
})
export type ArticleCounts = z.output<typeof ArticleCounts>

/** What was published at one time. */
export const ArticleRevision = z.object({
  id: z.string(),
  object: z.literal('article_revision'),
  language: z.string().check(language),
  number: z.int32().check(z.describe('From 1 in each language.')),
  title: z.string().check(title),
  user_id: z.nullable(z.int32()).check(z.describe('Who published it.')),
  is_current: z.boolean().check(z.describe('Whether readers see it now.')),
  created_at: Timestamp,
})
export type ArticleRevision = z.output<typeof ArticleRevision>

/** A revision with its text. */
export const ArticleRevisionText = z.extend(ArticleRevision, {
  summary: z.string().check(summary),
  body: z.string().check(body),
  html: z.string().check(z.describe('The text as readers see or saw it.')),
})
export type ArticleRevisionText = z.output<typeof ArticleRevisionText>

/** What an import did. */
export const ArticleImport = z.object({
  created: z.int32().check(z.describe('Articles that were created, as drafts.')),
  updated: z.int32().check(z.describe('Drafts of existing articles that were changed.')),
  unchanged: z.int32().check(z.describe('Files with the text that an article already has.')),
  problems: z
    .array(
      z.object({
        file: z.string().check(z.describe('Its path in the zip.')),
        problem: z.string().check(z.describe('Why it was skipped, as a sentence.')),
      }),
    )
    .check(z.describe('Files that were skipped.')),
})
export type ArticleImport = z.output<typeof ArticleImport>

/** An article was created or changed: a draft, what is published, or its collection. */
export const articleUpdated = defineEvent('article:updated', {
  receivers: 'team',
  payload: { article: ArticleSummary },
})

/** An article was deleted. */
export const articleDeleted = defineEvent('article:deleted', {
  receivers: 'team',
  payload: { article_id: z.string() },
  sends: Gone,
  as: ({ article_id: id }) => ({ id }),
})

const languageParams = z.object({ id: Id, language: ArticleLanguage.check(language) })

const listed = {
  collection_id: z
    .optional(z.union([z.literal('none'), Id]))
    .check(z.describe('Only articles of this collection; `none` for those without one.')),
  language: z.optional(ArticleLanguage).check(z.describe('Only articles with this language.')),
}

/** Calls about articles, for the team. */
export const articles = {
  list: endpoint('user', 'GET', '/api/articles', {
    summary: 'Lists articles, last changed first, in pages of at most 100.',
    query: z.object({
      ...listed,
      state: z
        .optional(z.enum(['draft', 'published', 'changed', 'archived']))
        .check(z.describe('Only those with a language in this state, or archived ones. By default all but archived.')),
      q: z.optional(Text(200)).check(z.describe('Words in titles and texts, drafts included.')),
      after: z.optional(Text(200)).check(z.describe('The `next` of the page before. Leave it out for the first page.')),
      limit: CountParameter,
    }),
    answer: z.object({
      data: z.array(ArticleSummary),
      next: z.nullable(z.string()).check(z.describe('Send it as `after` for the next page; null on the last one.')),
    }),
  }),
  counts: endpoint('user', 'GET', '/api/articles/counts', {
    summary: 'Counts the articles in each state.',
    query: z.object(listed),
    answer: data(ArticleCounts),
  }),
  create: endpoint('user', 'POST', '/api/articles', {
    summary: 'Creates an article, as a draft in one language.',
    body: z.object({ article: ArticleDraft }),
    body_limit: 1_000_000,
    answer: data(Article),
    status: 201,
  }),
  fromConversation: endpoint('user', 'POST', '/api/articles/from_conversation', {
    summary:
      'Creates a draft of the question and the answers of a conversation. Names, addresses and numbers of its customer are replaced.',
    body: z.object({
      conversation_id: Id,
      language: z.optional(ArticleLanguage).check(z.describe('By default that of the help center.')),
    }),
    answer: data(Article),
    status: 201,
  }),
  preview: endpoint('user', 'POST', '/api/articles/preview', {
    summary: 'Returns Markdown as the HTML that readers would see. Stores nothing.',
    body: z.object({ body: texts.body }),
    body_limit: 1_000_000,
    answer: data(z.object({ html: z.string().check(z.describe('Safe HTML.')) })),
  }),
  export: endpoint('user', 'GET', '/api/articles/export', {
    media_type: '*/*',
    summary:
      'Returns all articles as a zip of Markdown files with their pictures: `<language>/<collection>/<slug>.md`, drafts included.',
    answer: z.any(),
  }),
  import: endpoint('user', 'POST', '/api/articles/import', {
    summary:
      'Imports a zip of Markdown files with the pictures that they link, as a form with the field `file`. Articles with the same address get a new draft; nothing is published.',
    body: z.object({
      file: z.unknown().check(z.describe('The file itself, as a part of the form.')),
      language: z
        .optional(ArticleLanguage)
        .check(z.describe('Of files outside of a folder of a language. By default that of the help center.')),
    }),
    body_limit: MAX_IMPORT_BYTES + 100_000,
    answer: data(ArticleImport),
    takes_file: true,
  }),
  get: endpoint('user', 'GET', '/api/articles/:id', {
    summary: 'Returns an article with the drafts of all its languages.',
    answer: data(Article),
  }),
  update: endpoint('user', 'PUT', '/api/articles/:id', {
    summary: 'Moves an article to another collection, archives it or brings it back as drafts.',
    body: z.object({
      article: z.object({
        collection_id: maybe(Id).check(z.describe('Its collection; null for none.')),
        is_archived: z.optional(z.boolean()).check(z.describe('Archived articles are no longer public.')),
      }),
    }),
    answer: data(Article),
  }),
  reorder: endpoint('user', 'PUT', '/api/article_collections/:id/articles', {
    summary: 'Puts the articles of a collection into this order. Those that are not named stay behind them.',
    body: z.object({
      ids: z.array(Id).check(z.minLength(1), z.maxLength(1000), z.describe('Ids in the wanted order.')),
    }),
    answer: z.null(),
    status: 204,
  }),
  remove: endpoint('user', 'DELETE', '/api/articles/:id', {
    summary: 'Deletes an article with all its languages and revisions, for good.',
    answer: z.null(),
    status: 204,
  }),
  saveDraft: endpoint('user', 'PUT', '/api/articles/:id/translations/:language', {
    summary: 'Saves the draft in a language. If somebody else saved since, answers 409 with theirs in `data`.',
    params: languageParams,
    body: z.object({ translation: TranslationDraft }),
    body_limit: 1_000_000,
    answer: data(Article),
    refusals: [409],
  }),
  removeTranslation: endpoint('user', 'DELETE', '/api/articles/:id/translations/:language', {
    summary: 'Deletes a language of an article. The last one cannot be deleted.',
    params: languageParams,
    answer: z.null(),
    status: 204,
  }),
  publish: endpoint('user', 'POST', '/api/articles/:id/translations/:language/publish', {
    summary: 'Publishes the draft in a language, and keeps it as a revision.',
    params: languageParams,
    body: z.object({
      version: z
        .optional(IntegerBetween(1, 2 ** 31 - 1))
        .check(z.describe('The version that the author has seen. Another one is refused with 409.')),
    }),
    answer: data(Article),
    refusals: [409],
  }),
  unpublish: endpoint('user', 'POST', '/api/articles/:id/translations/:language/unpublish', {
    summary: 'Withdraws a language from readers. The draft stays.',
    params: languageParams,
    answer: data(Article),
  }),
  revisions: endpoint('user', 'GET', '/api/articles/:id/translations/:language/revisions', {
    summary: 'Lists what was published in a language, newest first, at most 100.',
    params: languageParams,
    answer: data(z.array(ArticleRevision)),
  }),
  revision: endpoint('user', 'GET', '/api/article_revisions/:id', {
    summary: 'Returns a revision with its text.',
    answer: data(ArticleRevisionText),
  }),
  restore: endpoint('user', 'POST', '/api/article_revisions/:id/restore', {
    summary: 'Makes the text of a revision the draft of its language. Nothing is published.',
    answer: data(Article),
  }),
}
