import * as z from 'zod/mini'
import type { SheetsSettings } from '#contract/integrations/google.ts'
import type { Context } from '../../context.ts'
import { runOnceForCaller } from '../../features/connections/authorizations/vendor-call.ts'
import type { Change } from '../../platform/db/change.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { toJson } from '../../platform/db/to-json.ts'
import { type GoogleConnection, requestGoogle } from './client.ts'

/** The stored settings. */
interface StoredSettings extends SheetsSettings {
  spreadsheet_id: string | null
  /** Earlier customers do not count as new. */
  since: string | null
}

const NOTHING: StoredSettings = { adds_customers: false, spreadsheet_url: null, spreadsheet_id: null, since: null }

/** The settings, and the spreadsheet with the rows. */
export function sheetsOf({ settings }: Pick<GoogleConnection, 'settings'>): StoredSettings {
  return { ...NOTHING, ...settings }
}

const COLUMNS = ['Customer ID', 'Email', 'Name', 'Phone', 'First seen', 'Profile']
const Spreadsheet = z.object({ spreadsheetId: z.string(), spreadsheetUrl: z.optional(z.string()) })

/** Why no rows are written once the spreadsheet is deleted. */
export const SHEET_DELETED =
  'The spreadsheet was deleted at Google. Create a new one under Integrations → Google Sheets: new customers wait for it.'

/** After the spreadsheet was deleted at Google; the time from which customers are new stays. */
export async function disconnectSpreadsheet({ db }: Change, connection: GoogleConnection): Promise<void> {
  const settings = { ...sheetsOf(connection), spreadsheet_id: null, spreadsheet_url: null }
  // Writes authorizations, too: its settings belong to the integration.
  await ofAccount(db, connection.account_id)
    .updateTable('authorizations')
    .set({ settings: toJson(settings) })
    .where('id', '=', connection.id)
    .execute()
}

/** Creates the spreadsheet for new customers. @throws Refusal */
export async function createSpreadsheet(context: Context, connection: GoogleConnection) {
  const text = (stringValue: string) => ({ userEnteredValue: { stringValue } })
  const json = {
    properties: { title: 'New customers in Parley' },
    sheets: [{ properties: { title: SHEET }, data: [{ rowData: [{ values: COLUMNS.map(text) }] }] }],
  }
  const call = { method: 'POST' as const, url: `${context.config.sheetsApiUrl}/v4/spreadsheets`, json }
  const { spreadsheetId, spreadsheetUrl } = await runOnceForCaller(
    'Google',
    'The spreadsheet may have been created',
    () => requestGoogle(context, connection, call, Spreadsheet),
  )
  const spreadsheet_url = spreadsheetUrl ?? `https://docs.google.com/spreadsheets/d/${spreadsheetId}`
  return { spreadsheet_id: spreadsheetId, spreadsheet_url }
}

const SHEET = 'Customers'
const Column = z.object({ values: z.optional(z.array(z.array(z.unknown()))) })

const rangeUrl = (context: Context, spreadsheet_id: string, range: string) =>
  `${context.config.sheetsApiUrl}/v4/spreadsheets/${encodeURIComponent(spreadsheet_id)}/values/${encodeURIComponent(range)}`

/** Appends rows, all of them or none. Formulas are stored as text. */
export async function appendRows(
  context: Context,
  connection: GoogleConnection,
  spreadsheet_id: string,
  values: string[][],
): Promise<void> {
  const url = `${rangeUrl(context, spreadsheet_id, `${SHEET}!A1`)}:append?valueInputOption=RAW&insertDataOption=INSERT_ROWS`
  await requestGoogle(context, connection, { method: 'POST', url, json: { values } }, z.unknown())
}

/** The ids of customers with a row. */
export async function listWritten(
  context: Context,
  connection: GoogleConnection,
  spreadsheet_id: string,
): Promise<Set<unknown>> {
  const call = { url: rangeUrl(context, spreadsheet_id, `${SHEET}!A:A`), max_bytes: 20_000_000 }
  const { values = [] } = await requestGoogle(context, connection, call, Column)
  return new Set(values.map(([id]) => id))
}
