import * as z from 'zod/mini'
import { Customer } from '../customers/customers.ts'
import { endpoint } from '../endpoint.ts'
import { CountParameter, Text, Timestamp } from '../wire.ts'
import { ConversationRow } from './conversations.ts'
import { MessageType } from './messages.ts'

/** Default number of hits per page. */
export const SEARCH_PAGE_SIZE = 20
/** Maximum number of hits per page. */
export const SEARCH_PAGE_LIMIT = 50
/** Maximum length of a search in characters. */
export const SEARCH_TEXT_LIMIT = 400

/** Part of a message around the first match, with `…` where something was left out. */
export const Excerpt = z.object({
  text: z.string().check(z.describe('Part of the text around the match.')),
  ranges: z
    .array(
      z.object({
        start: z.int32().check(z.describe('Position in UTF-16 units.')),
        end: z.int32().check(z.describe('Position behind the word.')),
      }),
    )
    .check(z.describe('The matching words: positions in `text` in UTF-16 units, `end` not included.')),
})
export type Excerpt = z.output<typeof Excerpt>

/** A conversation that was found, with the matching words. */
export const SearchHit = z.object({
  matched: z
    .enum(['message', 'customer', 'subject', 'conversation'])
    .check(
      z.describe(
        'Where the words occur. For a customer or subject, the message is the newest of the conversation, if there is one.',
      ),
    ),
  conversation: z.extend(ConversationRow, { customer: Customer }),
  message: z.nullable(
    z.object({
      id: z.string(),
      number: z.int32().check(z.describe('Position in the conversation, from 1.')),
      created_at: Timestamp,
      type: MessageType.check(z.describe('`reply`, `note` or `bot`.')),
      private: z.boolean().check(z.describe('Whether only the team sees it.')),
      user_id: z.nullable(z.int32()),
      external_author: z
        .optional(z.string())
        .check(z.describe('Name of an author without an account, who answered in Slack or Mattermost.')),
      customer_id: z.nullable(z.string()),
      excerpt: Excerpt.check(z.describe('The part that matched.')),
    }),
  ),
})
export type SearchHit = z.output<typeof SearchHit>

/** Searching conversations; see `contract/conversations/search-query.ts` for the syntax. */
export const search = {
  find: endpoint('user', 'GET', '/api/search', {
    summary:
      'Searches messages and conversations, newest first. Words match beginnings of words, ignoring accents; "quoted phrases" and from: tag: inbox: assignee: status: before: after: has:file are supported.',
    query: z.object({
      q: z
        .optional(Text(SEARCH_TEXT_LIMIT))
        .check(z.describe('Words, and filters such as `from:` or `tag:`. See the search page of the docs.')),
      after: z.optional(Text(200)).check(z.describe('`next` of the page before.')),
      limit: CountParameter,
    }),
    answer: z.object({
      data: z.array(SearchHit),
      next: z
        .nullable(z.string())
        .check(
          z.describe(
            'Where the next page begins. A page may be short, even empty, and still have a next one: the work per call is limited, and the cursor points to what was not searched yet.',
          ),
        ),
    }),
  }),
}
