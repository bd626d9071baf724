import * as z from 'zod/mini'
import type { Context } from '../../../context.ts'
import type { Change } from '../../../platform/db/change.ts'
import { acrossAccounts } from '../../../platform/db/of-account.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { findBillingAccount, isLive } from './accounts.ts'
import { attempt } from './attempts.ts'
import { isPast } from './state.ts'
import { refusing, stripeOf } from './stripe-client.ts'
import { sync, syncAccount } from './syncing.ts'

const ById = z.object({ account_id: z.string() })

/** Ends a subscription that was not paid within the grace period. */
export const endUnpaid = defineJob('billing.endUnpaid', {
  schema: ById,
  key: ({ account_id }) => account_id,
  timeout: 60,
  mails: ['billing'],
  run: async (context: Context, { account_id }) => {
    const isDue = async () => {
      const billingAccount = await findBillingAccount(context.db, account_id)
      return !!billingAccount?.grace_until && isPast(billingAccount.grace_until, new Date())
    }
    if (!(await isDue())) return
    // They may have paid just now.
    const original = (await sync(context, account_id))?.original
    if (!(await isDue()) || !original || !isLive(original)) return
    await attempt(context, account_id, async (keyFor) => {
      const stripe = await stripeOf(context)
      await stripe.subscriptions.cancel(original.id, {}, keyFor(`cancel:${original.id}`))
    })
    await sync(context, account_id)
  },
})

/** Ends all subscriptions of a customer whose account was closed. The account may no longer exist by then. */
export const endAllSubscriptions = defineJob('billing.endAllSubscriptions', {
  schema: z.object({ account_id: z.string(), customer: z.string() }),
  timeout: 60,
  run: (context: Context, { account_id, customer }) =>
    refusing(context, async () => {
      const stripe = await stripeOf(context)
      const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })
      for (const { id } of data.filter(isLive)) {
        await stripe.subscriptions.cancel(id, {}, { idempotencyKey: `${account_id}:close:${id}` })
      }
    }),
})

/** Makes sure that a closed account is charged no more. */
export async function endBilling({ jobs }: Pick<Context, 'jobs'>, db: Change['db'], account_id: string): Promise<void> {
  const customer = (await findBillingAccount(db, account_id))?.stripe_customer
  if (customer) await jobs.enqueue(db, endAllSubscriptions, { account_id, customer })
}

/** Finds accounts whose grace period is over. */
export async function endGrace({ config, change, jobs }: Context, now: Date): Promise<void> {
  if (!config.billing) return
  await change(async ({ db }) => {
    const due = await acrossAccounts(db, 'looks after all accounts at once')
      .selectFrom('billing_accounts')
      .select('account_id')
      .where('grace_until', '<=', now.toISOString())
      .execute()
    await jobs.enqueueAll(
      db,
      endUnpaid,
      due.map((payload) => ({ payload })),
    )
  })
}

/** Reads every customer once a day, in case an event was lost. */
export async function syncEverybody({ config, change, jobs }: Context): Promise<void> {
  if (!config.billing || !config.stripeSecretKey) return
  await change(async ({ db }) => {
    const billingAccounts = await acrossAccounts(db, 'looks after all accounts at once')
      .selectFrom('billing_accounts')
      .select('account_id')
      .where('stripe_customer', 'is not', null)
      .execute()
    await jobs.enqueueAll(
      db,
      syncAccount,
      billingAccounts.map((payload) => ({ payload })),
    )
  })
}
