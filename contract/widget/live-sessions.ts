import * as z from 'zod/mini'
import type { AccountSettings } from '../accounts/accounts.ts'
import type { User } from '../accounts/users.ts'
import { Customer } from '../customers/customers.ts'
import { data, endpoint } from '../endpoint.ts'
import { AccountId, BooleanInput, CountParameter, Id, Metadata, maybe, TimeInput, Timestamp } from '../wire.ts'

/** A tab of a website in which the recorder runs. */
export const BrowserSession = z.object({
  id: z.string(),
  object: z.literal('browser_session'),
  account_id: z.string(),
  customer_id: z
    .nullable(z.string())
    .check(z.describe('The customer whom the page names as the user of this tab. Not verified.')),
  metadata: z
    .nullable(z.record(z.string(), z.unknown()))
    .check(z.describe('Reported by the browser: `browser`, `os`, `pathname`, `current_url`, …')),
  started_at: z.nullable(Timestamp).check(z.describe('When the tab was opened.')),
  finished_at: z.nullable(Timestamp).check(z.describe('When the tab was closed; null while it is open.')),
  updated_at: Timestamp,
})
export type BrowserSession = z.output<typeof BrowserSession>

/** A session as its recorder sees it. */
export const RecorderSession = z.pick(BrowserSession, {
  id: true,
  object: true,
  account_id: true,
  customer_id: true,
  metadata: true,
  started_at: true,
  finished_at: true,
  updated_at: true,
})

/** A session with its customer, for the team. */
export const VisitedSession = z.extend(BrowserSession, { customer: z.nullable(Customer) })
export type VisitedSession = z.output<typeof VisitedSession>

/** The account's settings for recorders. */
export const RecorderSettings = z.object({
  shows_sign: z.boolean().check(z.describe('Whether visitors see a sign while a team member watches.')),
  keeps_last_minute: z
    .boolean()
    .check(z.describe("Whether the visitor's browser keeps the last minute in memory, for users who start watching.")),
})
export type RecorderSettings = z.output<typeof RecorderSettings>

/** At least 32 random bytes in base64url, created by the tab itself. */
const RecorderToken = z.string().check(z.regex(/^[A-Za-z0-9_-]{43,128}$/, 'is invalid'))
/** Recorders of Papercups have no token, and send other fields in beacons. */
const ifOurs = z.optional(z.catch(z.nullable(RecorderToken), null))
const Beacon = z.object({ token: ifOurs })

/** Ids of several sessions: `ids[]=a&ids[]=b`, or `ids=a,b`. */
const Ids = z.pipe(
  z.union([z.string().check(z.maxLength(4_000)), z.array(z.string().check(z.maxLength(40))).check(z.maxLength(100))]),
  z.transform((input: string | string[]) => (typeof input === 'string' ? input.split(',') : input).filter(Boolean)),
)

const Filters = z.object({
  customer_id: z.optional(Id),
  ids: z.optional(Ids).check(z.describe('Only these sessions.')),
  active: z.optional(BooleanInput).check(z.describe('True for unfinished sessions, false for finished ones.')),
})

/** Whether a user may watch live sessions. */
export function mayWatchSessions(role: User['role'], settings: z.output<typeof AccountSettings>): boolean {
  return role === 'admin' || settings.members_watch_sessions === true
}

/**
 * Whether an address is on one of these hosts. `example.com` includes its subdomains; with a port it means that host
 * alone.
 */
export function isOnHosts(address: string, hosts: readonly string[]): boolean {
  const [, host = '', name = ''] =
    /^https?:\/\/(([^/?#:@\\]+)(?::\d+)?)(?:[/?#]|$)/i.exec(address)?.map(lowerCase) ?? []
  return hosts.some((allowed) => allowed === host || allowed === name || name.endsWith(`.${allowed}`))
}

const lowerCase = (text: string) => text.toLowerCase()

/** Tabs in which visitors can be watched: `contract/http.md` 4.3 and `contract/storytime.md`. */
export const browserSessions = {
  create: endpoint('anyone', 'POST', '/api/browser_sessions', {
    session_only: true,
    summary:
      'Starts the session of a recorder in a tab, or continues the one with this token, so that repeating the call is safe.',
    body: z.object({
      browser_session: z.object({
        account_id: AccountId,
        customer_id: z
          .optional(z.catch(z.nullable(Id), null))
          .check(z.describe('Ignored unless it is a customer of the account.')),
        metadata: z
          .optional(z.catch(z.nullable(Metadata), null))
          .check(z.describe('Reported by the browser: `browser`, `os`, `pathname`, `current_url`, …')),
        started_at: z.optional(z.catch(z.nullable(TimeInput), null)).check(z.describe('When the tab was opened.')),
        token: z.optional(RecorderToken).check(z.describe('Secret that the recorder got when it started.')),
      }),
    }),
    answer: data(z.extend(RecorderSession, { recorder: RecorderSettings })),
    status: 201,
  }),
  finish: endpoint('anyone', 'POST', '/api/browser_sessions/:id/finish', {
    session_only: true,
    summary: 'Ends a session. Sent as a beacon when the page is left.',
    body: Beacon,
    beacon: true,
    answer: data(RecorderSession),
  }),
  restart: endpoint('anyone', 'POST', '/api/browser_sessions/:id/restart', {
    session_only: true,
    summary: 'Resumes a session after the page was reloaded in the same tab.',
    body: Beacon,
    beacon: true,
    answer: data(RecorderSession),
  }),
  identify: endpoint('anyone', 'POST', '/api/browser_sessions/:id/identify', {
    session_only: true,
    summary: 'Sets or removes the customer of a session.',
    body: z.object({ customer_id: z.optional(z.catch(z.nullable(Id), null)), token: ifOurs }),
    answer: data(RecorderSession),
  }),
  exists: endpoint('anyone', 'GET', '/api/browser_sessions/:id/exists', {
    session_only: true,
    summary: 'Returns whether a session of an older recorder exists, whose only secret is its id.',
    answer: data(z.boolean()),
  }),
  list: endpoint('user', 'GET', '/api/browser_sessions', {
    summary:
      'Lists sessions, most recently updated first, by default 100. For admins, and for members if the account allows it.',
    query: z.extend(Filters, { limit: CountParameter }),
    answer: data(z.array(VisitedSession)),
  }),
  count: endpoint('user', 'GET', '/api/browser_sessions/count', {
    summary: 'Counts the sessions.',
    query: Filters,
    answer: data(z.object({ count: z.int32() })),
  }),
  get: endpoint('user', 'GET', '/api/browser_sessions/:id', {
    summary: 'Returns a session. Its events are not stored, so `browser_replay_events` is empty.',
    answer: data(
      z.extend(VisitedSession, {
        browser_replay_events: z.array(z.unknown()).check(z.describe('Recorded events of rrweb.')),
      }),
    ),
  }),
  pageFile: endpoint('user', 'GET', '/api/browser_sessions/page_file', {
    media_type: '*/*',
    session_only: true,
    summary:
      'Returns a copy of an image, font or stylesheet of a watched page, from a host in `replay_hosts` of the account.',
    query: z.object({
      url: z
        .string()
        .check(z.maxLength(2000), z.regex(/^https?:\/\/\S+$/i, 'is invalid'))
        .check(z.describe('URL of a picture, font or style on the watched page.')),
    }),
    answer: z.any(),
  }),
  update: endpoint('admin', 'PUT', '/api/browser_sessions/:id', {
    summary: 'Updates a session.',
    body: z.object({
      browser_session: z.object({
        customer_id: maybe(Id),
        metadata: maybe(Metadata).check(
          z.describe('Reported by the browser: `browser`, `os`, `pathname`, `current_url`, …'),
        ),
        started_at: z.optional(TimeInput).check(z.describe('When the tab was opened.')),
        finished_at: maybe(TimeInput).check(z.describe('When the tab was closed; null while it is open.')),
      }),
    }),
    answer: data(BrowserSession),
  }),
  remove: endpoint('admin', 'DELETE', '/api/browser_sessions/:id', {
    summary: 'Deletes a session. A recorder still running in it starts another when its page is reloaded.',
    answer: z.null(),
    status: 204,
  }),
}
