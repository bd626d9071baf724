import * as z from 'zod/mini'
import { OAuthType } from '../connections/oauth.ts'
import { data, endpoint } from '../endpoint.ts'
import { BooleanInput, FilledText, Id, maybe, Text, Timestamp } from '../wire.ts'

/** The connected Google product. */
export const GoogleClient = z.enum(['gmail', 'sheets'])
export type GoogleClient = z.output<typeof GoogleClient>

/** Settings of Google Sheets. */
export const SheetsSettings = z.object({
  adds_customers: z.boolean().check(z.describe('Adds a row for each new customer with an e-mail address.')),
  spreadsheet_url: z.nullable(z.string()).check(z.describe("The spreadsheet's address; null before the first row.")),
})
export type SheetsSettings = z.output<typeof SheetsSettings>

/** A connection to Google in the shape of existing clients. */
export const GoogleAuthorization = z.object({
  id: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp.check(z.describe('For Gmail, the time of the last sync.')),
  account_id: z.string(),
  inbox_id: z.nullable(z.string()),
  user_id: z.nullable(z.int32()),
  scope: z.nullable(z.string()).check(z.describe('What Google allows.')),
  sheets: z.nullable(SheetsSettings).check(z.describe('Settings of a spreadsheet connection; null for Gmail.')),
})
export type GoogleAuthorization = z.output<typeof GoogleAuthorization>

const GmailDraft = z.object({
  to: maybe(Text(1000)).check(z.describe('Recipients, separated by commas.')),
  recipient: maybe(Text(1000)).check(z.describe('Another name of `to`.')),
  from: maybe(Text(1000)).check(z.describe('Sender; the mailbox by default.')),
  subject: maybe(Text(998)),
  text: maybe(Text(200_000)).check(z.describe('The text.')),
  message: maybe(Text(200_000)).check(z.describe('Another name of `text`.')),
  inbox_id: maybe(Id),
})
export type GmailDraft = z.output<typeof GmailDraft>

/** Calls about Google: Gmail and Sheets. */
export const google = {
  auth: endpoint('user', 'GET', '/api/google/auth', {
    summary: 'Returns the URL of Google’s consent page, for clients with their own state.',
    query: z.object({
      client: GoogleClient.check(z.describe('`gmail` or `sheets`.')),
      type: z
        .optional(Text(20))
        .check(z.describe('`personal` for the user’s own mailbox, `support` for one of an inbox.')),
      inbox_id: z.optional(Text(64)),
      state: z.optional(Text(200)).check(z.describe('Comes back from Google with the code.')),
    }),
    answer: data(z.object({ url: z.string().check(z.describe('Google’s consent page.')) })),
    session_only: true,
  }),
  oauth: endpoint('user', 'GET', '/api/google/oauth', {
    summary: 'Connects Gmail or Google Sheets with the code of the consent page, for clients without a state.',
    query: z.object({
      code: FilledText(4000).check(z.describe('Google’s code.')),
      state: z.optional(Text(200)).check(z.describe('Comes back from Google with the code.')),
      scope: z.optional(Text(4000)).check(z.describe('What Google allows.')),
      inbox_id: z.optional(Id),
    }),
    answer: data(z.object({ ok: z.boolean() })),
    limit: 'message',
    session_only: true,
  }),
  get: endpoint('user', 'GET', '/api/google/authorization', {
    summary: 'Returns the connection with Gmail or Google Sheets, or null.',
    query: z.object({
      client: GoogleClient.check(z.describe('`gmail` or `sheets`.')),
      type: z
        .optional(Text(20))
        .check(z.describe('`personal` for the user’s own mailbox, `support` for one of an inbox.')),
      inbox_id: z.optional(Id),
    }),
    answer: data(z.nullable(GoogleAuthorization)),
  }),
  saveSettings: endpoint('admin', 'PUT', '/api/google/authorizations/:id/settings', {
    summary: 'Updates the settings of Google Sheets.',
    body: z.object({
      settings: z.object({
        adds_customers: BooleanInput.check(z.describe('Adds a row for each new customer with an e-mail address.')),
      }),
    }),
    answer: data(GoogleAuthorization),
  }),
  remove: endpoint('user', 'DELETE', '/api/google/authorizations/:id', {
    summary: 'Disconnects Gmail or Google Sheets. For admins, and for owners of a connected mailbox.',
    answer: z.null(),
    status: 204,
  }),
  profile: endpoint('user', 'GET', '/api/gmail/profile', {
    summary: 'Returns the Gmail address of an inbox, by default the primary one.',
    query: z.object({
      inbox_id: z.optional(Id),
      type: z
        .optional(OAuthType)
        .check(z.describe('`personal` for the user’s own mailbox, `support` for one of an inbox.')),
    }),
    answer: z.object({ ok: z.boolean(), data: z.nullable(z.object({ email: z.string() })) }),
  }),
  send: endpoint('user', 'POST', '/api/gmail/send', {
    summary: 'Sends an email from the Gmail mailbox of an inbox, by default the primary one.',
    body: GmailDraft,
    answer: z.object({ ok: z.boolean(), data: z.optional(z.looseObject({ id: z.string() })) }),
    limit: 'message',
  }),
  subscribe: endpoint('anyone', 'POST', '/api/newsletters/:name/subscribe', {
    summary: 'Parley sends no newsletters.',
    params: z.object({ name: Text(200) }),
    answer: z.object({ ok: z.boolean(), error: z.string() }),
  }),
}
