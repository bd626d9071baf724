import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { BooleanInput, CountParameter, FilledText, Id, Text, Timestamp } from '../wire.ts'
import { ConversationPage } from './conversations.ts'
import { ViewConditions } from './view-conditions.ts'

/** Shared views of an account. */
export const MAX_SHARED_VIEWS = 50
/** Personal views of one user. */
export const MAX_PERSONAL_VIEWS = 50
/** Counting stops here: more are shown as `99+`. */
export const VIEW_COUNT_LIMIT = 100

/** How a view sorts its conversations. */
export const ViewSort = z.enum(['activity', 'due'])
export type ViewSort = z.output<typeof ViewSort>

const sort = z.describe(
  '`activity`: the latest first. `due`: only open conversations with a running deadline, the most urgent first.',
)

/** A saved filter over conversations. */
export const ConversationView = z.object({
  id: z.string(),
  object: z.literal('conversation_view'),
  name: z.string(),
  is_personal: z.boolean().check(z.describe('Whether only its creator sees it.')),
  conditions: ViewConditions,
  sort: ViewSort.check(sort),
  missing: z
    .array(z.string())
    .check(
      z.describe(
        'Ids in its conditions that no longer exist, which nothing matches; and keys that are no attributes, under which there may still be values.',
      ),
    ),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ConversationView = z.output<typeof ConversationView>

/** The fields of a view that can be changed; those left out stay. */
export const ConversationViewChanges = z.partial(
  z.object({
    name: FilledText(100),
    is_personal: BooleanInput.check(z.describe('Whether only its creator sees it.')),
    conditions: ViewConditions,
    sort: ViewSort.check(sort),
  }),
)
export type ConversationViewChanges = z.output<typeof ConversationViewChanges>

/** Input of creating a view. */
export const ConversationViewDraft = z.object({
  name: FilledText(100),
  is_personal: z._default(BooleanInput, true).check(z.describe('Whether only its creator sees it.')),
  conditions: z._default(ViewConditions, []),
  sort: z._default(ViewSort, 'activity').check(sort),
})
export type ConversationViewDraft = z.output<typeof ConversationViewDraft>

/** Which conversations a view shows. */
export const ViewFilter = z.pick(ConversationViewDraft, { conditions: true, sort: true })
export type ViewFilter = z.output<typeof ViewFilter>

const count = z.int32().check(z.describe('Its conversations; 100 stands for 100 or more.'))

/** The views of the account changed. Clients fetch the list again. */
export const conversationViewsUpdated = defineEvent('conversation_views:updated', {
  receivers: 'team',
  payload: { views: z.object({ ids: z.array(z.string()).check(z.describe('Ids of the views that changed.')) }) },
})

/** Calls about saved views of conversations. */
export const conversationViews = {
  list: endpoint('user', 'GET', '/api/conversation_views', {
    summary: 'Lists shared views, then those of the caller, each in their order.',
    answer: data(z.array(ConversationView)),
  }),
  create: endpoint('user', 'POST', '/api/conversation_views', {
    summary: 'Creates a view at the end of the list. Everybody may create personal ones, admins shared ones.',
    body: z.object({ view: ConversationViewDraft }),
    answer: data(ConversationView),
    status: 201,
  }),
  reorder: endpoint('user', 'PUT', '/api/conversation_views/order', {
    summary: 'Puts views into this order. Views that are not named stay behind them, in their order.',
    body: z.object({
      ids: z.array(Id).check(z.minLength(1), z.maxLength(200), z.describe('Ids of views in the wanted order.')),
    }),
    answer: data(z.array(ConversationView)),
  }),
  update: endpoint('user', 'PUT', '/api/conversation_views/:id', {
    summary: 'Updates a view: an own one, or for admins a shared one.',
    body: z.object({ view: ConversationViewChanges }),
    answer: data(ConversationView),
  }),
  remove: endpoint('user', 'DELETE', '/api/conversation_views/:id', {
    summary: 'Deletes a view: an own one, or for admins a shared one.',
    answer: z.null(),
    status: 204,
  }),
  counts: endpoint('user', 'GET', '/api/conversation_views/counts', {
    summary: 'Counts the conversations of each view of the caller, up to 100.',
    answer: data(z.array(z.object({ id: z.string(), count }))),
  }),
  count: endpoint('user', 'POST', '/api/conversation_views/count', {
    summary: 'Counts the conversations that an unsaved view would show, up to 100. Changes nothing.',
    body: z.object({ view: ViewFilter }),
    answer: data(z.object({ count })),
  }),
  conversations: endpoint('user', 'GET', '/api/conversation_views/:id/conversations', {
    for_functions: true,
    summary: 'Lists the conversations of a view in its order, in pages of at most 50.',
    query: z.object({
      after: z.optional(Text(200)).check(z.describe('The `next` of the page before. Leave it out for the first page.')),
      limit: CountParameter,
      messages: z
        .optional(z.enum(['last', 'all']))
        .check(z.describe('`last` returns only the newest message of each, shortened; otherwise the newest 50.')),
    }),
    answer: ConversationPage,
  }),
}
