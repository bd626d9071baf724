import * as z from 'zod/mini'
import { google } from '#contract/integrations/google.ts'
import type { Context } from '../../context.ts'
import { defineFeature } from '../../feature.ts'
import { VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import { planAnswersByMailbox } from '../../features/mail/conversation-mails/answering.ts'
import { ConnectionRevoked, type Integration } from '../../integration.ts'
import { revokeToken } from '../../platform/oauth/oauth.ts'
import { type GoogleConnection, googleApp, requestGoogle } from './client.ts'
import { gmailConsent } from './gmail-connect.ts'
import { pollGmail, receiveFromGmail } from './gmail-incoming.ts'
import { deliverByGmail, findSent } from './gmail-outgoing.ts'
import { addCustomerRow, findNewCustomers } from './new-customers.ts'
import { openOldConsentPage } from './old-clients.ts'
import { registerGoogleRoutes } from './routes.ts'
import { disconnectSpreadsheet, SHEET_DELETED, sheetsOf } from './sheets.ts'
import { sheetsConsent } from './sheets-connect.ts'

/** Revokes the whole grant: the refresh token with all access tokens. */
async function revoke(context: Context, { account_id, credentials }: GoogleConnection): Promise<void> {
  const app = await googleApp(context, account_id, 'gmail')
  await revokeToken(context.outbound, app, credentials.refresh_token ?? credentials.access_token)
}

const gmail: Integration<GoogleConnection> = {
  name: 'gmail',
  role: 'origin',
  transport: 'polled',
  consent: gmailConsent,
  poll: pollGmail,
  receive: receiveFromGmail,
  plan: planAnswersByMailbox,
  deliver: deliverByGmail,
  findSent,
  async test(context, authorization) {
    const url = `${context.config.gmailApiUrl}/gmail/v1/users/me/profile`
    await requestGoogle(context, authorization, { url }, z.unknown())
  },
  revoke,
}

const sheets: Integration<GoogleConnection> = {
  name: 'google_sheets',
  role: 'none',
  transport: 'none',
  consent: sheetsConsent,
  async test(context, connection) {
    const { spreadsheet_id, adds_customers } = sheetsOf(connection)
    if (adds_customers && !spreadsheet_id) throw new ConnectionRevoked(SHEET_DELETED)
    const url = spreadsheet_id
      ? `${context.config.sheetsApiUrl}/v4/spreadsheets/${encodeURIComponent(spreadsheet_id)}?fields=spreadsheetId`
      : `${context.config.googleOauthUrl}/tokeninfo`
    await requestGoogle(context, connection, { url }, z.unknown()).catch(async (error: unknown) => {
      if (!(error instanceof VendorRefused && error.status === 404)) throw error
      await context.change((tx) => disconnectSpreadsheet(tx, connection))
      throw new ConnectionRevoked(SHEET_DELETED)
    })
  },
  revoke,
}

export const googleIntegration = defineFeature({
  name: 'google',
  calls: [google],
  routes: [registerGoogleRoutes],
  pages: openOldConsentPage,
  jobs: [addCustomerRow],
  consumers: [findNewCustomers],
  integrations: [gmail, sheets],
})
