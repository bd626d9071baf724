import { Unacceptable } from '../../errors.ts'
import { connectAuthorization } from '../../features/connections/authorizations/connect.ts'
import type { Consent } from '../../integration.ts'
import { consentUrl, exchangeCode } from '../../platform/oauth/oauth.ts'
import { findSheets, googleApp, grantOf } from './client.ts'
import { enqueueMissed } from './new-customers.ts'
import { sheetsOf } from './sheets.ts'
import { saveSheetsSettings } from './sheets-settings.ts'

/**
 * Connects Google Sheets through Google's consent page. After reconnecting, customers created meanwhile get rows, too.
 */
export const sheetsConsent: Consent = {
  begin: async (context, { account_id }, start) => consentUrl(await googleApp(context, account_id, 'sheets'), start),
  async finish(context, caller, { code, verifier }) {
    if (!code) throw new Unacceptable('Google returned no code. Start again.')
    const { account_id, user_id } = caller
    const app = await googleApp(context, account_id, 'sheets')
    const grant = grantOf(await exchangeCode(context.outbound, app, { code, verifier }), 'sheets')
    const settings = sheetsOf((await findSheets(context, account_id)) ?? { settings: {} })
    const needsSheet = settings.adds_customers && !settings.spreadsheet_id
    const connected = await context.change(async (tx) => {
      const connected = await connectAuthorization(context, tx, caller, {
        ...grant,
        integration: 'google_sheets',
        inbox_id: null,
        user_id,
        label: 'Google Sheets',
        settings: { ...settings },
      })
      if (settings.spreadsheet_id && settings.adds_customers && settings.since)
        await enqueueMissed(context, tx, account_id, settings.since)
      return connected
    })
    // A deleted spreadsheet is replaced.
    if (needsSheet) await saveSheetsSettings(context, caller, connected.id, { adds_customers: true })
    return connected
  },
}
