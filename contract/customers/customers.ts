import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent, Gone } from '../event.ts'
import { AccountId, Id, ifAny, Metadata, maybe, NewId, Text, TimeInput, Timestamp } from '../wire.ts'
import { Company } from './companies.ts'
import { VisitorCustomer } from './visitor-customer.ts'

const text = z.nullable(z.string())

/** Who set a field of a customer, other than an unsigned browser: the team, an import, a signed token, or a mail. */
export const FieldSource = z.enum(['team', 'import', 'proof', 'mail'])
export type FieldSource = z.output<typeof FieldSource>

/** A customer as included in conversations and events. */
export const Customer = z.object({
  id: z.string(),
  object: z.literal('customer'),
  name: text,
  email: text,
  phone: text,
  external_id: text.check(z.describe('The id that the website has for the person.')),
  profile_photo_url: text.check(z.describe('URL of a picture.')),
  company_id: text,
  host: text.check(z.describe('Host name of the page last visited, such as `www.example.com`.')),
  pathname: text.check(z.describe('Path of the page last visited.')),
  current_url: text.check(z.describe('URL of the page last visited.')),
  browser: text.check(z.describe('Name of the browser, such as `Firefox`.')),
  os: text.check(z.describe('Name of the operating system.')),
  metadata: z.record(z.string(), z.unknown()).check(z.describe('Data that the website or the team has set.')),
  created_at: Timestamp,
  updated_at: Timestamp,
  title: z.string().check(z.describe('The name, else the e-mail, else `Anonymous User`.')),
  nickname: z.string().check(z.describe('Derived from the id, to tell anonymous customers apart: `Teal Otter`.')),
  first_seen: z.string().check(z.describe('Day of the first visit.')),
  last_seen_at: Timestamp.check(z.describe('Time of the last visit.')),
  ip: text.check(z.describe('Address from which the browser last connected.')),
  time_zone: text.check(z.describe('An IANA name such as `Europe/Berlin`.')),
  blocked_at: z.nullable(Timestamp).check(z.describe('Since when their messages are refused.')),
  complained_at: z
    .nullable(Timestamp)
    .check(z.describe('Since when they get no automatic mails, because they have marked a mail as spam.')),
  field_sources: z
    .record(z.string(), FieldSource)
    .check(
      z.describe(
        'The source of each field; missing fields come from an unsigned browser. Metadata fields are `metadata.key`.',
      ),
    ),
  claimed_external_id: text.check(
    z.describe('The external id claimed by an unsigned browser, if it belongs to somebody else.'),
  ),
  claimed_customer_id: text.check(
    z.describe('The customer claimed by an unsigned browser, by external id or e-mail address. Not proven.'),
  ),
})
export type Customer = z.output<typeof Customer>

/** The name of a customer of whom nothing is known, and the title of one without name and e-mail address. */
export const ANONYMOUS = 'Anonymous User'

/** What a customer is called everywhere: who only texts by the number, and anonymous ones by names of their own. */
export function displayName(
  customer: Pick<Customer, 'name' | 'email' | 'phone' | 'nickname'> | null | undefined,
): string {
  return customer?.name || customer?.email || customer?.phone || customer?.nickname || ANONYMOUS
}

/** Published widgets send missing values as the text `undefined` or `null`. */
const ClaimedText = z.nullable(
  z.pipe(
    z.union([z.string(), z.number(), z.null()]),
    z.transform((value: string | number | null) => {
      const trimmed = value === null ? '' : String(value).replaceAll('\u0000', '').trim()
      return trimmed === '' || trimmed === 'undefined' || trimmed === 'null' ? null : trimmed.slice(0, 2000)
    }),
  ),
)
/** A website's mistake must not keep its visitors from chatting. */
const Loose = z.catch(ClaimedText, null)
/** These identify a person. A truncated value could be somebody else's, so one that is too long is dropped. */
const ClaimedKey = (limit: number) =>
  z
    .pipe(
      ClaimedText,
      z.transform((trimmed: string | null) => (trimmed !== null && trimmed.length > limit ? null : trimmed)),
    )
    .check(z.describe(`Ignored if it is longer than ${limit} characters.`))
const LooseKey = (limit: number) => z.catch(ClaimedKey(limit), null)
const LooseInteger = z.catch(
  z.nullable(
    z.pipe(
      z.union([z.string(), z.number()]),
      z.transform((value: string | number) => {
        const number = Math.round(Number(value))
        return Number.isFinite(number) && Math.abs(number) < 1_000_000 ? number : null
      }),
    ),
  ),
  null,
)
const LooseMetadata = z.catch(z.nullable(Metadata), null)

/** In a query; what is no text counts as left out. */
const AnyText = z.optional(z.unknown().check(z.meta({ type: 'string' })))

/** The part of a tag that published clients read. */
const TagOfCustomer = z.looseObject({ id: z.string(), object: z.literal('tag'), name: z.string() })

/** What a visitor's browser may claim about its user. Other fields are ignored. */
export const CustomerClaims = z.object({
  name: z.optional(Loose),
  email: z.optional(LooseKey(320)),
  phone: z.optional(Loose),
  external_id: z
    .optional(LooseKey(600))
    .check(
      z.describe(
        'The id that the website has for the person. Unsigned, it identifies nobody whom the team or an import added.',
      ),
    ),
  profile_photo_url: z.optional(Loose).check(z.describe('URL of a picture.')),
  host: z.optional(Loose).check(z.describe('Host name of the page last visited, such as `www.example.com`.')),
  pathname: z.optional(Loose).check(z.describe('Path of the page last visited.')),
  current_url: z.optional(Loose).check(z.describe('URL of the page last visited.')),
  browser: z.optional(Loose).check(z.describe('Name of the browser, such as `Firefox`.')),
  browser_version: z.optional(Loose).check(z.describe('Version of the browser.')),
  browser_language: z.optional(Loose).check(z.describe('Language of the browser, such as `de-AT`.')),
  os: z.optional(Loose).check(z.describe('Name of the operating system.')),
  lib: z.optional(Loose).check(z.describe('Name of the client, such as `parley-widget`.')),
  time_zone: z.optional(Loose).check(z.describe('An IANA name such as `Europe/Berlin`.')),
  screen_height: z.optional(LooseInteger).check(z.describe('In pixels.')),
  screen_width: z.optional(LooseInteger).check(z.describe('In pixels.')),
  metadata: z.optional(LooseMetadata).check(z.describe('Data of the website about its user.')),
})
export type CustomerClaims = z.output<typeof CustomerClaims>

/** Signed with a secret of the inbox: the visitor's identity, and until when the token is valid. */
export const IdentityToken = Text(4000).check(
  z.describe('A token about the visitor, signed with a secret of the inbox.'),
)

/** A visitor's token and its customer. */
export const VisitorSession = z.object({
  token: z
    .string()
    .check(
      z.describe(
        "The secret that gives access to this customer's conversations. Only the browser knows it; the server stores a hash.",
      ),
    ),
  customer_id: z
    .string()
    .check(z.describe("Differs from the browser's own id when a signed token named a known customer.")),
})
export type VisitorSession = z.output<typeof VisitorSession>

/** Number of page visits kept for a customer. */
export const PAGE_VISITS_KEPT = 50

/** A page that a customer visited. */
export const PageVisit = z.object({
  url: z.string().check(z.describe('Address of the page.')),
  created_at: Timestamp,
})
export type PageVisit = z.output<typeof PageVisit>

/** Who may act as a customer has changed; null concerns all customers of the account. */
export const accessChanged = defineEvent('access:changed', {
  receivers: 'nobody',
  payload: { customer_id: z.nullable(z.string()) },
  access: ({ customer_id }) => (customer_id === null ? null : [customer_id]),
})

/** A customer was created or changed. */
export const customerUpdated = defineEvent('customer:updated', {
  receivers: 'team',
  payload: { customer: Customer },
})

/** A customer was deleted, or merged into another. */
export const customerDeleted = defineEvent('customer:deleted', {
  receivers: 'team',
  payload: { customer_id: z.string() },
  sends: Gone,
  as: ({ customer_id: id }) => ({ id }),
  access: ({ customer_id }) => [customer_id],
})

/** Calls of visitors' browsers about themselves: `contract/widget.md`. */
export const customers = {
  create: endpoint('anyone', 'POST', '/api/customers', {
    for_functions: true,
    summary:
      'Creates a customer, or returns the one with this external id. Without a team session, customers created by the team, an import or a signed token are never returned, and the response only repeats the request.',
    body: z.object({
      customer: z.extend(CustomerClaims, {
        account_id: ifAny(AccountId),
        name: z.optional(ClaimedText),
        email: z.optional(ClaimedKey(320)),
        phone: z.optional(ClaimedText),
        external_id: z.optional(ClaimedKey(600)).check(z.describe('The id that your own system has for it.')),
        profile_photo_url: z.optional(ClaimedText).check(z.describe('URL of a picture.')),
        company_id: z
          .optional(z.catch(z.nullable(Id), null))
          .check(z.describe("One of the account's companies. Only users may set it.")),
        first_seen: z
          .optional(z.catch(z.nullable(TimeInput), null))
          .check(z.describe('Day of the first visit; today by default.')),
      }),
    }),
    answer: data(Customer),
    visitor_answer: data(VisitorCustomer),
    status: 201,
  }),
  identify: endpoint('anyone', 'GET', '/api/customers/identify', {
    summary:
      'Finds a customer by external id. Returns null for customers with a visitor session, and for those created by the team, an import or a signed token.',
    needs: ['external_id', 'account_id'],
    query: z.object({
      external_id: AnyText.check(z.describe('The id that the website has for the person.')),
      account_id: AnyText,
      email: AnyText,
      host: AnyText.check(z.describe('Host name of the page last visited, such as `www.example.com`.')),
    }),
    answer: data(z.object({ customer_id: z.nullable(z.string()) })),
    // Has a limit of its own.
    limit: 'none',
  }),
  exists: endpoint('anyone', 'GET', '/api/customers/:id/exists', {
    summary: 'Returns whether a customer exists, in the account if one is given.',
    query: z.object({ account_id: z.optional(AccountId) }),
    answer: data(z.boolean()),
  }),
  updateMetadata: endpoint('anyone', 'PUT', '/api/customers/:id/metadata', {
    summary:
      "Updates the details that a visitor's browser reports. Values from the team, an import or a signed token are kept.",
    body: z.object({ metadata: CustomerClaims }),
    answer: data(z.extend(Customer, { company: z.nullable(Company), tags: z.array(TagOfCustomer) })),
    // Published clients read both fields. What the team knows is not for visitors.
    visitor_answer: data(z.extend(VisitorCustomer, { company: z.null(), tags: z.tuple([]) })),
  }),
  pageVisits: endpoint('user', 'GET', '/api/customers/:id/page_visits', {
    summary: 'Lists the newest page visits of a customer since their first conversation, oldest first.',
    answer: data(z.array(PageVisit)),
  }),
  startSession: endpoint('anyone', 'POST', '/api/visitor_sessions', {
    session_only: true,
    summary:
      'Starts a visitor session for a new customer. The browser creates token and customer id, so repeating the call is safe.',
    body: z.object({
      visitor_session: z.object({
        account_id: Id,
        inbox_id: z.optional(z.nullable(Id)),
        token: z
          .string()
          .check(z.regex(/^[A-Za-z0-9_-]{43,128}$/, 'is invalid'))
          .check(z.describe('At least 32 random bytes in base64url.')),
        customer_id: NewId,
        customer: z.optional(CustomerClaims),
        identity_token: maybe(IdentityToken).check(
          z.describe(
            "Signed by the website's back end; if it names a known customer, the session gets that customer with all their conversations. So does the token that Chatwoot's chat left in a browser, if the import was given the secret that signed it.",
          ),
        ),
        test_token: maybe(Text(400)).check(
          z.describe('From the team: what the new customer writes is a test, of which nobody is notified.'),
        ),
      }),
    }),
    answer: data(VisitorSession),
    status: 201,
    limit: 'message',
  }),
  testToken: endpoint('user', 'GET', '/api/visitor_sessions/test_token', {
    summary:
      'Returns a token, valid for a day, with which a visitor session starts test conversations: they have the source `sandbox`, are archived from the beginning, and nothing follows from them but runs of functions.',
    answer: data(
      z.object({ test_token: z.string().check(z.describe('Send it as `test_token` when the session begins.')) }),
    ),
  }),
  endSession: endpoint('visitor', 'DELETE', '/api/visitor_sessions', {
    summary: 'Ends the visitor session of the token.',
    answer: data(z.object({})),
  }),
  mine: endpoint('visitor', 'GET', '/api/visitor_sessions', {
    summary:
      'Returns the customer of a visitor session: details from its browsers and signed tokens, none entered by the team.',
    answer: data(VisitorCustomer),
  }),
}
