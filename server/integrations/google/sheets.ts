import * as z from 'zod/mini'
import type { SheetsSettings } from '#contract/google.ts'
import type { Context } from '../../context.ts'
import { NotFound } from '../../errors.ts'
import { saveSettings } from '../../features/authorizations/connect.ts'
import { runOnceForCaller } from '../../features/authorizations/vendor-call.ts'
import type { User } from '../../platform/caller.ts'
import { findSheets, type GoogleConnection, requestGoogle } from './client.ts'

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
  await context.change((open) => saveSettings(open, caller, id, { ...before, ...made, adds_customers, since }))
}

async function createSpreadsheet(context: Context, connection: GoogleConnection) {
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
