import * as z from 'zod/mini'
import { ConversationRow, Tag } from '../conversations/conversations.ts'
import { Message } from '../conversations/messages.ts'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent, Gone } from '../event.ts'
import {
  BooleanInput,
  FilledText,
  Id,
  Metadata,
  maybe,
  PageNumbers,
  PageRequest,
  Several,
  Text,
  Timestamp,
} from '../wire.ts'
import { AttributeValues } from './attributes.ts'
import { Company } from './companies.ts'
import { CustomerNote } from './customer-notes.ts'
import { Customer, IdentityToken } from './customers.ts'
import { Issue } from './issues.ts'

/** A customer with the expanded fields. */
export const CustomerProfile = z.extend(Customer, {
  company: z.optional(z.nullable(Company)),
  tags: z.optional(z.array(Tag)),
  conversations: z.optional(z.array(ConversationRow)).check(z.describe('Newest first.')),
  messages: z.optional(z.array(Message)),
  notes: z.optional(z.array(CustomerNote)),
  issues: z.optional(z.array(Issue)),
  merged_at: z
    .optional(z.nullable(Timestamp))
    .check(z.describe('When the latest merge that can still be undone was made.')),
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
  external_id: field(300).check(z.describe('The id that your own system has for it.')),
  profile_photo_url: field(2000).check(z.describe('URL of a picture.')),
  time_zone: field(100).check(z.describe('An IANA name such as `Europe/Berlin`.')),
  company_id: maybe(Id),
  metadata: maybe(Metadata).check(z.describe('Null clears it.')),
})
export type CustomerChanges = z.output<typeof CustomerChanges>

const Ids = z.pipe(Several, z.array(Id))

/** Counting and paging stop here: nobody pages further by hand, and a page must not cost more in a large account. */
export const CUSTOMER_COUNT_LIMIT = 10_000

/** A case-insensitive pattern; `%` matches any text. */
const Pattern = z.optional(Text(2000))
const patterns = {
  name: Pattern.check(z.describe('Part of the name.')),
  email: Pattern.check(z.describe('Part of the address.')),
  phone: Pattern.check(z.describe('Part of the number.')),
  host: Pattern.check(z.describe('Part of the host name of the page last visited.')),
  pathname: Pattern.check(z.describe('Part of the path of the page last visited.')),
  current_url: Pattern.check(z.describe('Part of the URL of the page last visited.')),
  browser: Pattern.check(z.describe('Name of the browser, such as `Firefox`.')),
  browser_version: Pattern.check(z.describe('Version of the browser.')),
  browser_language: Pattern.check(z.describe('Language of the browser, such as `de-AT`.')),
  os: Pattern.check(z.describe('Name of the operating system.')),
  time_zone: Pattern.check(z.describe('Part of the time zone’s name.')),
}
/** Fields that API clients search by pattern. The dashboard searches by words. */
export const PATTERN_FIELDS = Object.keys(patterns) as (keyof typeof patterns)[]

/** Filters of a list; those left out match all. */
export const CustomerFilters = z.object({
  q: z.optional(Text(200)).check(z.describe('Part of name, e-mail address, phone number or external id.')),
  include_anonymous: z
    .optional(BooleanInput)
    .check(z.describe('`false` leaves out customers without an e-mail address.')),
  tag_id: z.optional(Id),
  tag_ids: z.optional(Ids).check(z.describe('Customers with all of these tags.')),
  company_id: z.optional(Id),
  issue_id: z.optional(Id),
  external_id: z.optional(Text(300)).check(z.describe('The id that your own system has for it.')),
  blocked: z.optional(BooleanInput).check(z.describe('Only blocked customers, or only the others.')),
  ...patterns,
})
export type CustomerFilters = z.output<typeof CustomerFilters>

/** Orders in which pages follow on each other. A list, because the dashboard is built without schemas. */
export const CUSTOMER_ORDERS = ['created', 'last_seen', 'name', 'attribute'] as const
export type CustomerOrder = (typeof CUSTOMER_ORDERS)[number]
const SortDirection = z.enum(['asc', 'desc'])
export type SortDirection = z.output<typeof SortDirection>

/** A named filter. */
export const SavedFilter = z.object({
  id: z.string(),
  object: z.literal('customer_filter'),
  name: z.string(),
  query: z.record(z.string(), z.string()).check(z.describe('Query parameters of the list.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type SavedFilter = z.output<typeof SavedFilter>

const SavedFilterDraft = z.object({
  name: FilledText(100),
  query: z.record(Text(40), Text(4000)).check(
    z.describe('Query parameters of the list.'),
    z.refine((query) => Object.keys(query).length <= 20, 'is too large'),
  ),
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
  payload: { filter_id: z.string().check(z.describe('Id of the saved filter.')) },
  sends: Gone,
  as: ({ filter_id: id }) => ({ id }),
})

/** For how long the team can undo a merge. */
export const MERGE_UNDO_DAYS = 30

/** These conversations belong to another customer now, after a merge or its undoing. */
export const ConversationsMoved = z.object({
  customer: Customer,
  conversation_ids: z.array(z.string()).check(z.describe('The conversations that moved.')),
  from_customer_id: z.string().check(z.describe('The customer that had them.')),
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
    // Of members who ask for CSV.
    refusals: [403],
    for_functions: true,
    summary:
      'Lists customers: those online first, then those last seen. With another `order`, pages follow on each other while customers come and go: pass `next` as `after` for the next page, `previous` as `before` for the one before. With `order=created` the oldest come first, an order that does not change while you read. Customers without a value come last. Words of `q` match beginnings of words in name, e-mail, phone and external id, ignoring accents; `plan:pro` matches metadata. `format=csv` returns the page as CSV.',
    query: z.extend(CustomerFilters, {
      ...PageRequest.shape,
      format: z.optional(Text(20)).check(z.describe('`csv` answers with a file.')),
      order: z
        .optional(z.enum(['seen', ...CUSTOMER_ORDERS]))
        .check(z.describe('`seen`: those online, then by last visit. `attribute`: by the one named in `attribute`.')),
      attribute: z
        .optional(Text(100))
        .check(z.describe('With `order=attribute`: its key. Numbers, days and choices are sorted as such.')),
      direction: z.optional(SortDirection).check(z.describe('Of any order but `seen`; ascending by default.')),
      after: z.optional(Text(1000)).check(z.describe('With an `order`: the `next` of the page before.')),
      before: z.optional(Text(1000)).check(z.describe('With an `order`: the `previous` of the page behind.')),
    }),
    answer: z.object({
      data: z.array(CustomerProfile),
      ...PageNumbers,
      next: z
        .optional(z.nullable(z.string()))
        .check(z.describe('With an `order`: where the next page begins; null on the last one.')),
      previous: z
        .optional(z.nullable(z.string()))
        .check(z.describe('With an `order`: where the page before ends; null on the first one.')),
    }),
  }),
  export: endpoint('user', 'GET', '/api/customers/export.csv', {
    media_type: 'text/csv',
    summary: 'Exports all matching customers as CSV.',
    query: CustomerFilters,
    answer: z.unknown(),
  }),
  get: endpoint('user', 'GET', '/api/customers/:id', {
    for_functions: true,
    summary:
      'Returns a customer, with its company and tags unless `expand[]` says otherwise. The id of a merged customer returns the one it became part of.',
    query: z.object({
      expand: z.optional(Several).check(z.describe('Fields to include, such as `company` or `tags`.')),
    }),
    answer: data(CustomerProfile),
  }),
  update: endpoint('user', 'PUT', '/api/customers/:id', {
    for_functions: true,
    summary: 'Updates a customer.',
    body: z.object({ customer: CustomerChanges }),
    answer: data(Customer),
  }),
  setAttributes: endpoint('user', 'PUT', '/api/customers/:id/attributes', {
    for_functions: true,
    summary: 'Sets attributes of a customer. Other attributes, and what else is in its metadata, stay as they are.',
    body: z.object({ attributes: AttributeValues }),
    answer: data(Customer),
  }),
  remove: endpoint('user', 'DELETE', '/api/customers/:id', {
    summary:
      'Deletes the personal data of a customer: names, addresses, devices, notes, tags and links. Its browsers are signed out and its conversations archived, without a name.',
    answer: z.null(),
    status: 204,
  }),
  block: endpoint('user', 'POST', '/api/customers/:id/block', {
    summary: 'Blocks a customer: its messages are refused.',
    answer: data(Customer),
  }),
  unblock: endpoint('user', 'DELETE', '/api/customers/:id/block', {
    summary: 'Unblocks a customer.',
    answer: data(Customer),
  }),
  allowAutomaticMail: endpoint('user', 'DELETE', '/api/customers/:id/complaint', {
    summary: 'Removes the mark of a customer who has marked a mail as spam: automatic mails go to them again.',
    answer: data(Customer),
  }),
  merge: endpoint('user', 'POST', '/api/customers/:id/merge', {
    summary: 'Merges another customer into this one, with its conversations, notes, tags, issues and browsers.',
    body: z.object({ customer_id: Id }),
    answer: data(Customer),
  }),
  unmerge: endpoint('user', 'POST', '/api/customers/:id/unmerge', {
    summary: 'Undoes the newest merge into this customer, within 30 days. Returns the separated customer.',
    answer: data(Customer),
  }),
  listFilters: endpoint('user', 'GET', '/api/customer_filters', {
    summary: "Lists the team's saved filters of customers, by name.",
    answer: data(z.array(SavedFilter)),
  }),
  saveFilter: endpoint('user', 'POST', '/api/customer_filters', {
    summary: 'Saves a filter under a name, replacing one of the same name.',
    body: z.object({ customer_filter: SavedFilterDraft }),
    answer: data(SavedFilter),
    status: 201,
  }),
  removeFilter: endpoint('user', 'DELETE', '/api/customer_filters/:id', {
    summary: 'Deletes a saved filter.',
    answer: z.null(),
    status: 204,
  }),
  proveIdentity: endpoint('visitor', 'PUT', '/api/visitor_sessions/identity', {
    summary: 'Proves the identity of a visitor. Earlier messages move to the proven customer.',
    body: z.object({ visitor_session: z.object({ inbox_id: maybe(Id), identity_token: IdentityToken }) }),
    answer: data(z.object({ customer_id: z.string() })),
    limit: 'message',
  }),
}
