import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { defineConsumer } from '../../feature.ts'
import { isConnected } from '../../features/connections/authorizations/authorizations.ts'
import type { Change } from '../../platform/db/change.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { listWaiting } from '../../platform/jobs/waiting-jobs.ts'
import { writeRows } from './customer-rows.ts'

/**
 * Writes rows for a customer and for those whose jobs wait behind it, in one call, because Google limits the number of
 * calls.
 * Jobs of one account run one after the other, so that nobody gets two rows.
 */
export const addCustomerRow = defineJob('google.addCustomerRow', {
  schema: z.object({ account_id: z.string(), customer_id: z.string() }),
  key: ({ account_id }) => account_id,
  backoff: { first: 5, longest: 600 },
  run: writeWaiting,
})

/** Looks for new customers, and for those with a new e-mail address. */
export const findNewCustomers = defineConsumer('google.findNewCustomers', {
  of: ['conversation:created', 'customer:updated'],
  concerns: isConnected('google_sheets'),
  jobs: [addCustomerRow],
  async consume({ config, jobs }, { db }, events) {
    if (!config.integrations) return
    const concerned = events.map(({ account_id, event, request_id }) => ({
      payload: {
        account_id,
        customer_id: event.type === 'customer:updated' ? event.customer.id : event.conversation.customer_id,
      },
      request_id,
    }))
    const rows = [...new Map(concerned.map((job) => [job.payload.customer_id, job])).values()]
    await jobs.enqueueAll(db, addCustomerRow, rows)
  },
})

/**
 * Enqueues jobs for customers created since a time who have no row, because none was written while the connection was
 * broken.
 */
export async function enqueueMissed(
  { jobs }: Pick<Context, 'jobs'>,
  { db }: Change,
  account_id: string,
  since: string,
): Promise<void> {
  const missed = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select('id')
    .where('created_at', '>=', since)
    .where('email', 'is not', null)
    .where('merged_into', 'is', null)
    .where('deleted_at', 'is', null)
    .where('origin', '<>', 'test')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('external_identities')
            .select('external_id')
            .whereRef('external_identities.account_id', '=', 'customers.account_id')
            .whereRef('external_identities.customer_id', '=', 'customers.id')
            .where('integration', '=', 'google_sheets')
            .where('external_identities.email', 'is not', null),
        ),
      ),
    )
    .orderBy('created_at')
    .limit(MAX_WAITING)
    .execute()
  const rows = missed.map(({ id }) => ({ payload: { account_id, customer_id: id } }))
  await jobs.enqueueAll(db, addCustomerRow, rows)
}

/** Maximum number of waiting customers handled at once; a later job handles the others. */
const MAX_WAITING = 2000

async function writeWaiting(context: Context, own: { account_id: string; customer_id: string }): Promise<void> {
  const waiting = await listWaiting(context.db, addCustomerRow, own, MAX_WAITING)
  await writeRows(
    context,
    own.account_id,
    [own, ...waiting].map(({ customer_id }) => customer_id),
  )
}
