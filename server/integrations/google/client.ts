import * as z from 'zod/mini'
import type { OAuthType } from '#contract/connections/oauth.ts'
import type { GoogleClient, SheetsSettings } from '#contract/integrations/google.ts'
import type { Context } from '../../context.ts'
import { Forbidden, Unacceptable } from '../../errors.ts'
import { findApp, returnUrl, type VendorApp } from '../../features/connections/authorizations/apps.ts'
import { findConnected } from '../../features/connections/authorizations/authorizations.ts'
import { type OAuthCredentials, withFreshToken } from '../../features/connections/authorizations/fresh-token.ts'
import { callVendor, type VendorCall, VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import { chooseInbox } from '../../features/widget/inboxes/inboxes.ts'
import { type ConnectedAuthorization, RetryLater } from '../../integration.ts'
import type { OAuthApp, Tokens } from '../../platform/oauth/oauth.ts'

/** Settings of a mailbox, or of the account's spreadsheet. Connections of earlier versions lack what came later. */
interface GoogleSettings extends Partial<SheetsSettings> {
  /** Of the mailbox. */
  email?: string
  spreadsheet_id?: string | null
  /** Customers before it do not count as new. */
  since?: string | null
}

/** How far a mailbox was read. */
export interface GmailCursor {
  history_id: string
  synced_at: string
}

export type GoogleConnection = ConnectedAuthorization<OAuthCredentials, GoogleSettings, GmailCursor>

const SCOPES: Record<GoogleClient, string> = {
  gmail: 'https://www.googleapis.com/auth/gmail.modify',
  sheets: 'https://www.googleapis.com/auth/spreadsheets',
}

/** The app that asks for consent at Google. @throws Unacceptable if none is set up */
export async function googleApp(context: Context, account_id: string, client: GoogleClient): Promise<OAuthApp> {
  const app = await findApp(context, account_id, 'google')
  if (!app) throw new Unacceptable('Enter the Google OAuth client first.')
  return describeGoogleApp(context, app, client)
}

/** An app with the addresses and parameters of Google's consent. */
export function describeGoogleApp(
  context: Pick<Context, 'config'>,
  app: Pick<VendorApp, 'client_id' | 'client_secret'>,
  client: GoogleClient,
): OAuthApp {
  const { googleConsentUrl, googleOauthUrl } = context.config
  return {
    ...app,
    vendor: 'Google',
    authorize_url: googleConsentUrl,
    token_url: `${googleOauthUrl}/token`,
    revoke_url: `${googleOauthUrl}/revoke`,
    redirect_uri: returnUrl(context, 'google'),
    scope: SCOPES[client],
    // Without both, Google's grant ends within the hour.
    parameters: { access_type: 'offline', prompt: 'consent' },
    has_pkce: true,
  }
}

/** The grant, if it covers what was requested: people may deselect a part of it. */
export function grantOf({ access_token, refresh_token, expires_at, scope, token_type }: Tokens, client: GoogleClient) {
  if (scope && !scope.split(' ').includes(SCOPES[client])) {
    throw new Unacceptable('You did not grant Google all permissions. Start again and tick all boxes.')
  }
  if (!refresh_token) throw new Unacceptable('Google returned no refresh token. Start again.')
  return {
    scope: scope ?? SCOPES[client],
    token_type,
    credentials: { access_token, refresh_token, expires_at } satisfies OAuthCredentials,
  }
}

type Call = Omit<VendorCall, 'vendor' | 'token' | 'redirects'>

/** Calls a Google API with a token. */
export async function callGoogle({ outbound }: Context, token: string, call: Call) {
  try {
    return await callVendor(outbound, { ...call, vendor: 'Google', token })
  } catch (error) {
    // Google also reports quotas with status 403.
    const isSpent = error instanceof VendorRefused && /rateLimitExceeded|quota/i.test(JSON.stringify(error.body ?? ''))
    if (!isSpent) throw error
    throw new RetryLater('Google limits the number of requests. It will be retried later.', {
      at: new Date(Date.now() + 60_000),
      restsAll: true,
    })
  }
}

/**
 * Calls Google for a connection and parses the response.
 * @throws RetryLater, PermanentFailure, ConnectionRevoked, or OutboundFailed
 */
export async function requestGoogle<S extends z.ZodMiniType>(
  context: Context,
  connection: GoogleConnection,
  call: Call,
  schema: S,
): Promise<z.output<S>> {
  const client = connection.integration === 'gmail' ? 'gmail' : 'sheets'
  const renewal = { app: () => googleApp(context, connection.account_id, client) }
  const { body } = await withFreshToken(context, connection, renewal, (token) => callGoogle(context, token, call))
  return z.parse(schema, body)
}

/** Distinguishes personal mailboxes from those of inboxes. */
export function slotOf(type: OAuthType, user_id: number): string {
  return type === 'personal' ? `personal ${user_id}` : ''
}

/** The Gmail mailbox of an inbox, by default the primary one. */
export async function findGmail(
  context: Context,
  account_id: string,
  inbox_id: string | null | undefined,
): Promise<GoogleConnection | undefined> {
  const inbox = await chooseInbox(context.db, account_id, inbox_id)
  return inbox && findConnected<GoogleConnection>(context, account_id, { integration: 'gmail', inbox_id: inbox.id })
}

/** A user's personal Gmail mailbox. */
export function findPersonalGmail(
  context: Context,
  account_id: string,
  user_id: number,
): Promise<GoogleConnection | undefined> {
  const key = { integration: 'gmail' as const, inbox_id: null, slot: slotOf('personal', user_id) }
  return findConnected<GoogleConnection>(context, account_id, key)
}

/** The account's Google Sheets connection. */
export function findSheets(context: Context, account_id: string): Promise<GoogleConnection | undefined> {
  return findConnected<GoogleConnection>(context, account_id, { integration: 'google_sheets', inbox_id: null })
}

/** @throws Forbidden in the words that existing clients know */
export function needed(connection: GoogleConnection | undefined): GoogleConnection {
  if (!connection) throw new Forbidden('Authorization required')
  return connection
}
