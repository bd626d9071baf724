import type { Customer } from '#contract/customers/customers.ts'
import type { Context } from '../../context.ts'
import { recordBroken, recordFailure, recordTraffic } from '../../features/connections/authorizations/health.ts'
import { VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import { loadIdentities, saveIdentity } from '../../features/connections/external-links/identities.ts'
import { isOfTest, loadCustomer, resolveCustomer } from '../../features/customers/customers/customers.ts'
import { ConnectionRevoked, PermanentFailure } from '../../integration.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { findSheets, type GoogleConnection } from './client.ts'
import { appendRows, disconnectSpreadsheet, listWritten, SHEET_DELETED, sheetsOf } from './sheets.ts'

/** Rows per call, far below Google's limit. */
const ROWS_AT_ONCE = 500

/**
 * Writes a row for each of these customers who is new, has an e-mail address and has no row yet, oldest first. Only one
 * such call per account runs at a time.
 */
export async function writeRows(context: Context, account_id: string, customer_ids: string[]): Promise<void> {
  const connection = await findSheets(context, account_id)
  const { adds_customers, spreadsheet_id, since } = sheetsOf(connection ?? { settings: {} })
  if (!connection || !adds_customers || !spreadsheet_id || !since) return
  const { missing, tried } = await findMissing(context.db, account_id, customer_ids, since)
  if (missing.length === 0) return
  try {
    // Before the call, so that after a crash the next run checks whether the rows exist.
    await context.change((tx) => recordAll(tx, account_id, missing, { isWritten: false }))
    const isUnknown = missing.some(({ id }) => tried.has(id))
    const written = isUnknown ? await listWritten(context, connection, spreadsheet_id) : new Set()
    const rows = missing.filter(({ id }) => !written.has(id)).map((customer) => rowOf(context, customer))
    if (rows.length > 0) await appendRows(context, connection, spreadsheet_id, rows)
    await context.change(async (tx) => {
      await recordAll(tx, account_id, missing, { isWritten: true })
      await recordTraffic(tx, connection, 'out')
    })
  } catch (error) {
    if (error instanceof VendorRefused && error.status === 404) await recordSheetDeleted(context, connection)
    else await recordFailed(context, connection, error)
  }
}

/** Rows wait for a new spreadsheet, which an admin creates. */
async function recordSheetDeleted(context: Context, connection: GoogleConnection): Promise<void> {
  await context.change(async (tx) => {
    await disconnectSpreadsheet(tx, connection)
    await recordBroken(context, tx, connection, SHEET_DELETED)
  })
}

async function recordFailed(context: Context, connection: GoogleConnection, error: unknown): Promise<void> {
  await recordFailure(context, connection, error)
  // A person has to act first, so retrying is useless.
  if (!(error instanceof ConnectionRevoked || error instanceof PermanentFailure)) throw error
}

type WithEmail = Customer & { email: string }

/** Customers who need a row, and those among them whose earlier try had an unknown outcome. */
async function findMissing(
  db: Db,
  account_id: string,
  customer_ids: string[],
  since: string,
): Promise<{ missing: WithEmail[]; tried: Set<string> }> {
  const ids = await Promise.all(
    [...new Set(customer_ids)].map(async (id) =>
      (await isOfTest(db, account_id, id)) ? undefined : (await resolveCustomer(db, id, account_id))?.id,
    ),
  )
  const distinct = [...new Set(ids.filter((id) => id !== undefined))]
  const identities = await loadIdentities(db, account_id, 'google_sheets', distinct)
  // A stored e-mail address means that the row exists; without it the outcome of a try is unknown.
  const tx = distinct.filter((id) => !identities.get(id)?.email)
  const customers = await Promise.all(tx.map((id) => loadCustomer(db, account_id, id)))
  const missing = customers
    .filter((customer): customer is WithEmail => !!customer?.email && customer.created_at >= since)
    .slice(0, ROWS_AT_ONCE)
  return { missing, tried: new Set(identities.keys()) }
}

async function recordAll(
  tx: Change,
  account_id: string,
  customers: WithEmail[],
  { isWritten }: { isWritten: boolean },
): Promise<void> {
  const note = ({ id, email }: WithEmail) =>
    saveIdentity(tx, account_id, {
      integration: 'google_sheets',
      external_id: id,
      customer_id: id,
      ...(isWritten && { email }),
    })
  await Promise.all(customers.map(note))
}

function rowOf({ config }: Context, { id, email, name, phone, first_seen }: WithEmail): string[] {
  return [id, email, name ?? '', phone ?? '', first_seen, `${config.baseUrl}/customers/${id}`]
}
