import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { NotFound } from '../../errors.ts'
import { defineConsumer } from '../../feature.ts'
import { noteFailure, noteTraffic } from '../../features/authorizations/health.ts'
import { getCustomer } from '../../features/customers/customers.ts'
import { findIdentity, saveIdentity } from '../../features/external-links/identities.ts'
import { Never, Reconnect } from '../../integration.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { findSheets } from './client.ts'
import { appendRow, hasRow, sheetsOf } from './sheets.ts'

/** Writes a row for a customer who has none. Those of one account go one after the other, so that nobody has two. */
export const addCustomerRow = defineJob('google.addCustomerRow', {
  schema: z.object({ account_id: z.string(), customer_id: z.string() }),
  key: ({ account_id }) => account_id,
  backoff: { first: 5, longest: 600 },
  run: writeRow,
})

/** Looks for customers who are new, or whose email address is. */
export const findNewCustomers = defineConsumer('google.findNewCustomers', {
  of: ['conversation:created', 'customer:updated'],
  jobs: [addCustomerRow],
  async consume({ config, jobs }, { db }, events) {
    if (!config.integrations) return
    const accounts = [...new Set(events.map(({ account_id }) => account_id))]
    const connected = await db
      .selectFrom('authorizations')
      .select('account_id')
      .where('account_id', 'in', accounts)
      .where('integration', '=', 'google_sheets')
      .where('state', '=', 'connected')
      .where('removed_at', 'is', null)
      .execute()
    const wanted = new Set(connected.map(({ account_id }) => account_id))
    const concerned = events
      .filter(({ account_id }) => wanted.has(account_id))
      .map(({ account_id, event, request_id }) => ({
        payload: {
          account_id,
          customer_id: event.type === 'customer:updated' ? event.customer.id : event.conversation.customer_id,
        },
        request_id,
      }))
    const rows = [...new Map(concerned.map((one) => [one.payload.customer_id, one])).values()]
    await jobs.enqueueAll(db, addCustomerRow, rows)
  },
})

async function writeRow(
  context: Context,
  { account_id, customer_id }: { account_id: string; customer_id: string },
): Promise<void> {
  const { db, change, config } = context
  const connection = await findSheets(context, account_id)
  const { adds_customers, spreadsheet_id, since } = sheetsOf(connection ?? { settings: {} })
  if (!connection || !adds_customers || !spreadsheet_id || !since) return
  const customer = await getCustomer(db, account_id, customer_id).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined
    throw error
  })
  if (!customer?.email || customer.created_at < since) return
  const known = await findIdentity(db, account_id, 'google_sheets', customer.id)
  // Its email says that the row is there; before that nobody knows how a try has ended.
  if (known?.email) return
  const { id, email, name, phone, first_seen } = customer
  const mark = { integration: 'google_sheets' as const, external_id: id, customer_id: id }
  try {
    if (!known) await change((open) => saveIdentity(open, account_id, mark))
    if (!known || !(await hasRow(context, connection, spreadsheet_id, id))) {
      const row = [id, email, name ?? '', phone ?? '', first_seen, `${config.baseUrl}/customers/${id}`]
      await appendRow(context, connection, spreadsheet_id, row)
    }
    await change(async (open) => {
      await saveIdentity(open, account_id, { ...mark, email })
      await noteTraffic(open, connection, 'out')
    })
  } catch (error) {
    await noteFailure(context, connection, error)
    // A person has to do something first; trying again helps nobody.
    if (!(error instanceof Reconnect || error instanceof Never)) throw error
  }
}
