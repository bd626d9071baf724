import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { FilledText, Id, maybe, Text, Timestamp } from '../wire.ts'
import { ArticleLanguage, MAX_LANGUAGES, Slug } from './help-center.ts'

/** Collections of an account. */
export const MAX_COLLECTIONS = 100

const slug = z.describe('Its part of the public address, in all languages.')
const parent_id = z.describe('The collection around it; null at the top. Collections are nested one level deep.')
const icon = z.describe('An emoji, or an empty text.')

/** Name and description of a collection in one language. */
const CollectionText = z.object({
  name: FilledText(100).check(z.describe('Its heading.')),
  description: z._default(Text(300), '').check(z.describe('One sentence below the name.')),
})

const texts = z.record(ArticleLanguage, CollectionText).check(
  z.refine((by) => Object.keys(by).length > 0, "can't be blank"),
  z.refine((by) => Object.keys(by).length <= MAX_LANGUAGES, 'has too many languages'),
  z.meta({
    description: 'Name and description by language. The default language is shown where one is missing.',
    examples: [{ en: { name: 'Orders', description: 'Buying and paying' } }],
  }),
)

/** Articles that belong together. */
export const ArticleCollection = z.object({
  id: z.string(),
  object: z.literal('article_collection'),
  parent_id: z.nullable(z.string()).check(parent_id),
  slug: z.string().check(slug),
  icon: z.string().check(icon),
  texts: z
    .record(
      z.string(),
      z.object({
        name: z.string().check(z.describe('Its heading.')),
        description: z.string().check(z.describe('One sentence below the name.')),
      }),
    )
    .check(z.describe('Name and description by language.')),
  article_count: z.int32().check(z.describe('Its articles in any language, drafts included, archived ones excluded.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ArticleCollection = z.output<typeof ArticleCollection>

/** Input of creating a collection. */
export const ArticleCollectionDraft = z.object({
  texts,
  icon: z.optional(Text(16)).check(icon),
  parent_id: maybe(Id).check(parent_id),
  slug: z.optional(Slug).check(z.describe('Made of the name in the default language if it is left out.')),
})
export type ArticleCollectionDraft = z.output<typeof ArticleCollectionDraft>

/** Collections were created, changed, ordered or deleted. Clients fetch the list again. */
export const articleCollectionsUpdated = defineEvent('article_collections:updated', {
  receivers: 'team',
  payload: {
    collections: z.object({ ids: z.array(z.string()).check(z.describe('Ids of the collections that changed.')) }),
  },
})

/** Calls about collections of articles. */
export const articleCollections = {
  list: endpoint('user', 'GET', '/api/article_collections', {
    summary: 'Lists collections in their order, each followed by those inside it.',
    answer: data(z.array(ArticleCollection)),
  }),
  create: endpoint('user', 'POST', '/api/article_collections', {
    summary: 'Creates a collection at the end of the list, or of the collection around it.',
    body: z.object({ collection: ArticleCollectionDraft }),
    answer: data(ArticleCollection),
    status: 201,
  }),
  reorder: endpoint('user', 'PUT', '/api/article_collections/order', {
    summary:
      'Puts collections into this order, each among those beside it. Those that are not named stay behind them, in their order.',
    body: z.object({
      ids: z.array(Id).check(z.minLength(1), z.maxLength(200), z.describe('Ids in the wanted order.')),
    }),
    answer: data(z.array(ArticleCollection)),
  }),
  update: endpoint('user', 'PUT', '/api/article_collections/:id', {
    summary: 'Updates a collection. `texts` replaces all texts.',
    body: z.object({ collection: z.partial(ArticleCollectionDraft) }),
    answer: data(ArticleCollection),
  }),
  remove: endpoint('user', 'DELETE', '/api/article_collections/:id', {
    summary: 'Deletes a collection. Its articles stay, without a collection, and those inside it move to the top.',
    answer: z.null(),
    status: 204,
  }),
}
