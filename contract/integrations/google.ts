import * as z from 'zod/mini'
import { OAuthType } from '../connections/oauth.ts'
import { data, endpoint } from '../endpoint.ts'
import { FilledText, GivenBoolean, Id, maybe, Text, Timestamp } from '../wire.ts'

/** The connected Google product. */
export const GoogleClient = z.enum(['gmail', 'sheets'])
export type GoogleClient = z.output<typeof GoogleClient>

/** Settings of Google Sheets. */
export const SheetsSettings = z.object({
  /** Adds a row for each new customer with an e-mail address. */
  adds_customers: z.boolean(),
  /** The spreadsheet's address; null before the first row. */
  spreadsheet_url: z.nullable(z.string()),
})
export type SheetsSettings = z.output<typeof SheetsSettings>

/** A connection to Google in the shape of existing clients. */
export const GoogleAuthorization = z.object({
  id: z.string(),
  created_at: Timestamp,
  /** For Gmail, the time of the last sync. */
  updated_at: Timestamp,
  account_id: z.string(),
  inbox_id: z.nullable(z.string()),
  user_id: z.nullable(z.int32()),
  scope: z.nullable(z.string()),
  sheets: z.nullable(SheetsSettings),
})
export type GoogleAuthorization = z.output<typeof GoogleAuthorization>

const GmailDraft = z.object({
  to: maybe(Text(1000)),
  recipient: maybe(Text(1000)),
  from: maybe(Text(1000)),
  subject: maybe(Text(998)),
  text: maybe(Text(200_000)),
  message: maybe(Text(200_000)),
  inbox_id: maybe(Id),
})
export type GmailDraft = z.output<typeof GmailDraft>

/** Calls about Google: Gmail and Sheets. */
export const google = {
  auth: endpoint('user', 'GET', '/api/google/auth', {
    summary: 'Returns the URL of Google’s consent page, for clients with their own state.',
    query: z.object({
      client: GoogleClient,
      type: z.optional(Text(20)),
      inbox_id: z.optional(Text(64)),
      state: z.optional(Text(200)),
    }),
    answer: data(z.object({ url: z.string() })),
    session_only: true,
  }),
  oauth: endpoint('user', 'GET', '/api/google/oauth', {
    summary: 'Connects Gmail or Google Sheets with the code of the consent page, for clients without a state.',
    query: z.object({
      code: FilledText(4000),
      state: z.optional(Text(200)),
      scope: z.optional(Text(4000)),
      inbox_id: z.optional(Id),
    }),
    answer: data(z.object({ ok: z.boolean() })),
    limit: 'message',
    session_only: true,
  }),
  get: endpoint('user', 'GET', '/api/google/authorization', {
    summary: 'Returns the connection with Gmail or Google Sheets, or null.',
    query: z.object({ client: GoogleClient, type: z.optional(Text(20)), inbox_id: z.optional(Id) }),
    answer: data(z.nullable(GoogleAuthorization)),
  }),
  saveSettings: endpoint('admin', 'PUT', '/api/google/authorizations/:id/settings', {
    summary: 'Updates the settings of Google Sheets.',
    body: z.object({ settings: z.object({ adds_customers: GivenBoolean }) }),
    answer: data(GoogleAuthorization),
  }),
  remove: endpoint('user', 'DELETE', '/api/google/authorizations/:id', {
    summary: 'Disconnects Gmail or Google Sheets. For admins, and for owners of a connected mailbox.',
    answer: z.null(),
    status: 204,
  }),
  profile: endpoint('user', 'GET', '/api/gmail/profile', {
    summary: 'Returns the Gmail address of an inbox, by default the primary one.',
    query: z.object({ inbox_id: z.optional(Id), type: z.optional(OAuthType) }),
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
