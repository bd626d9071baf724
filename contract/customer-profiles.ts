import * as z from 'zod/mini'
import { Company } from './companies.ts'
import { ConversationRow, Tag } from './conversations.ts'
import { CustomerNote } from './customer-notes.ts'
import { Customer, IdentityToken } from './customers.ts'
import { data, endpoint } from './endpoint.ts'
import { defineEvent, Gone } from './event.ts'
import { Issue } from './issues.ts'
import { Message } from './messages.ts'
import {
  FilledText,
  GivenBoolean,
  Id,
  Metadata,
  maybe,
  PageNumbers,
  PageWanted,
  Several,
  Text,
  Timestamp,
} from './wire.ts'

/** A customer with the expanded fields. */
export const CustomerProfile = z.extend(Customer, {
  company: z.optional(z.nullable(Company)),
  tags: z.optional(z.array(Tag)),
  conversations: z.optional(z.array(ConversationRow)),
  messages: z.optional(z.array(Message)),
  notes: z.optional(z.array(CustomerNote)),
  issues: z.optional(z.array(Issue)),
  /** When the latest merge that can still be undone was made. */
  merged_at: z.optional(z.nullable(Timestamp)),
})
export type CustomerProfile = z.output<typeof CustomerProfile>

/** A field that the team may fill or clear: blank clears it. */
const field = (limit: number) =>
  maybe(
    z.pipe(
      Text(limit),
      z.transform((text: string) => text.trim() || null),
    ),
  )

/** What the team may change about a customer. */
export const CustomerChanges = z.object({
  name: field(300),
  email: field(320).check(z.refine((email) => !email || /^[^\s@]+@[^\s@]+$/.test(email), 'has invalid format')),
  phone: field(100),
  external_id: field(300),
  profile_photo_url: field(2000),
  time_zone: field(100),
  company_id: maybe(Id),
  /** Null clears it. */
  metadata: maybe(Metadata),
})
export type CustomerChanges = z.output<typeof CustomerChanges>

const Ids = z.pipe(Several, z.array(Id))

/** Counting and paging stop here: nobody pages further by hand, and a page must not cost more in a large account. */
export const CUSTOMER_COUNT_LIMIT = 10_000

/** A case-insensitive pattern; `%` matches any text. */
const Pattern = z.optional(Text(2000))
const patterns = {
  name: Pattern,
  email: Pattern,
  phone: Pattern,
  host: Pattern,
  pathname: Pattern,
  current_url: Pattern,
  browser: Pattern,
  browser_version: Pattern,
  browser_language: Pattern,
  os: Pattern,
  time_zone: Pattern,
}
/** Fields that API clients search by pattern. The dashboard searches by words. */
export const PATTERN_FIELDS = Object.keys(patterns) as (keyof typeof patterns)[]

/** Filters of a list; those left out match all. */
export const CustomerFilters = z.object({
  q: z.optional(Text(200)),
  include_anonymous: z.optional(GivenBoolean),
  tag_id: z.optional(Id),
  /** Customers with all of these tags. */
  tag_ids: z.optional(Ids),
  company_id: z.optional(Id),
  issue_id: z.optional(Id),
  external_id: z.optional(Text(300)),
  blocked: z.optional(GivenBoolean),
  ...patterns,
})
export type CustomerFilters = z.output<typeof CustomerFilters>

/** A named filter. */
export const SavedFilter = z.object({
  id: z.string(),
  object: z.literal('customer_filter'),
  name: z.string(),
  /** Query parameters of the list. */
  query: z.record(z.string(), z.string()),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type SavedFilter = z.output<typeof SavedFilter>

const SavedFilterDraft = z.object({
  name: FilledText(100),
  query: z.record(Text(40), Text(4000)).check(z.refine((query) => Object.keys(query).length <= 20, 'is too large')),
})
export type SavedFilterDraft = z.output<typeof SavedFilterDraft>

/** A saved filter was created or changed. */
export const customerFilterUpdated = defineEvent('customer_filter:updated', {
  receivers: 'team',
  payload: { customer_filter: SavedFilter },
})

/** A saved filter was deleted. */
export const customerFilterDeleted = defineEvent('customer_filter:deleted', {
  receivers: 'team',
  payload: { filter_id: z.string() },
  sends: Gone,
  as: ({ filter_id: id }) => ({ id }),
})

/** These conversations belong to another customer now, after a merge or its undoing. */
export const ConversationsMoved = z.object({
  customer: Customer,
  conversation_ids: z.array(z.string()),
  from_customer_id: z.string(),
})

/** The conversations of a customer moved to another one, after a merge or its undoing. */
export const conversationsMoved = defineEvent('conversations:moved', {
  receivers: 'team',
  payload: ConversationsMoved.shape,
  sends: ConversationsMoved,
  as: (payload) => payload,
  access: ({ customer, from_customer_id }) => [customer.id, from_customer_id],
})

/** Calls about customers for the team: lists, changes, merging, export. */
export const customerProfiles = {
  list: endpoint('user', 'GET', '/api/customers', {
    for_functions: true,
    summary:
      'Customers: who is online first, then who was seen last. Words of `q` match beginnings of words in name, e-mail, phone and external id, accents ignored; `plan:pro` finds what metadata says. `format=csv` sends the page as a CSV file.',
    query: z.extend(CustomerFilters, { ...PageWanted.shape, format: z.optional(Text(20)) }),
    answer: z.object({ data: z.array(CustomerProfile), ...PageNumbers }),
  }),
  export: endpoint('user', 'GET', '/api/customers/export.csv', {
    summary: 'The same customers as a CSV file, all of them.',
    query: CustomerFilters,
    answer: z.unknown(),
  }),
  get: endpoint('user', 'GET', '/api/customers/:id', {
    for_functions: true,
    summary:
      'One customer, with its company and tags unless `expand[]` asks for other things. The id of a merged customer answers with the one it became part of.',
    query: z.object({ expand: z.optional(Several) }),
    answer: data(CustomerProfile),
  }),
  update: endpoint('user', 'PUT', '/api/customers/:id', {
    for_functions: true,
    summary: 'Changes what is known of a customer.',
    body: z.object({ customer: CustomerChanges }),
    answer: data(Customer),
  }),
  remove: endpoint('user', 'DELETE', '/api/customers/:id', {
    summary:
      'Erases who a customer was: names, addresses, devices, notes, tags and links are destroyed, its browsers signed out, its conversations archived. Messages stay in the archive without a name.',
    answer: z.null(),
    status: 204,
  }),
  block: endpoint('user', 'POST', '/api/customers/:id/block', {
    summary: 'Refuses messages of this customer from now on.',
    answer: data(Customer),
  }),
  unblock: endpoint('user', 'DELETE', '/api/customers/:id/block', {
    summary: 'Takes messages of this customer again.',
    answer: data(Customer),
  }),
  merge: endpoint('user', 'POST', '/api/customers/:id/merge', {
    summary: 'Makes another customer part of this one: conversations, notes, tags, issues and browsers move here.',
    body: z.object({ customer_id: Id }),
    answer: data(Customer),
  }),
  unmerge: endpoint('user', 'POST', '/api/customers/:id/unmerge', {
    summary:
      'Takes the newest merge into this customer back, within 30 days. Answers with the customer that is itself again.',
    answer: data(Customer),
  }),
  listFilters: endpoint('user', 'GET', '/api/customer_filters', {
    summary: "The team's saved filters of customers, by name.",
    answer: data(z.array(SavedFilter)),
  }),
  saveFilter: endpoint('user', 'POST', '/api/customer_filters', {
    summary: 'Saves a filter under a name; the same name replaces it.',
    body: z.object({ customer_filter: SavedFilterDraft }),
    answer: data(SavedFilter),
    status: 201,
  }),
  removeFilter: endpoint('user', 'DELETE', '/api/customer_filters/:id', {
    summary: 'Removes a saved filter.',
    answer: z.null(),
    status: 204,
  }),
  proveIdentity: endpoint('visitor', 'PUT', '/api/visitor_sessions/identity', {
    summary: 'Proves who the visitor is, when that is known later. What was said so far goes along to who they are.',
    body: z.object({ visitor_session: z.object({ inbox_id: maybe(Id), identity_token: IdentityToken }) }),
    answer: data(z.object({ customer_id: z.string() })),
    limit: 'message',
  }),
}
