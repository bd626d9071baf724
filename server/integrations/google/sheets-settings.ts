import type { SheetsSettings } from '#contract/integrations/google.ts'
import type { Context } from '../../context.ts'
import { NotFound } from '../../errors.ts'
import { saveSettings } from '../../features/connections/authorizations/connect.ts'
import { recordRepaired } from '../../features/connections/authorizations/health.ts'
import type { User } from '../../platform/caller.ts'
import { findSheets } from './client.ts'
import { enqueueMissed } from './new-customers.ts'
import { createSpreadsheet, sheetsOf } from './sheets.ts'

/** Turns rows for new customers on or off. The spreadsheet is created with the first row. @throws NotFound */
export async function saveSheetsSettings(
  context: Context,
  caller: User,
  id: string,
  { adds_customers }: Pick<SheetsSettings, 'adds_customers'>,
): Promise<void> {
  const connection = await findSheets(context, caller.account_id)
  if (connection?.id !== id) throw new NotFound()
  const before = sheetsOf(connection)
  const needsSheet = adds_customers && !before.spreadsheet_id
  const made = needsSheet ? await createSpreadsheet(context, connection) : {}
  const since = adds_customers ? (before.adds_customers && before.since) || new Date().toISOString() : null
  await context.change(async (tx) => {
    await saveSettings(tx, caller, id, { ...before, ...made, adds_customers, since })
    // The earlier one had been deleted, and new customers waited for another one.
    if (needsSheet && (await recordRepaired(tx, connection)) && since) {
      await enqueueMissed(context, tx, caller.account_id, since)
    }
  })
}
