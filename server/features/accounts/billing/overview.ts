import type { BillingInfo, Invoice } from '#contract/accounts/billing.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { planInUse } from '../accounts/accounts.ts'
import { countSeats } from '../users/users.ts'
import { findBillingAccount } from './accounts.ts'
import { presentInvoice } from './presenting.ts'
import { refusing, stripeOf } from './stripe-client.ts'

/** An account's subscription and usage from stored data, without calling Stripe. */
export async function getBilling({ db, config }: Context, account_id: string): Promise<BillingInfo> {
  const [billingAccount, account, num_users, messages] = await Promise.all([
    findBillingAccount(db, account_id),
    db.selectFrom('accounts').select('subscription_plan').where('id', '=', account_id).executeTakeFirstOrThrow(),
    countSeats(db, account_id),
    countMessages(db, account_id, new Date()),
  ])
  return {
    payment_method: billingAccount?.payment_method ?? null,
    subscription: billingAccount?.subscription ?? null,
    product: billingAccount?.product ?? null,
    subscription_plan: planInUse(config, account.subscription_plan),
    num_users,
    ...messages,
    payment_failed_at: billingAccount?.payment_failed_at ?? null,
    grace_until: billingAccount?.grace_until ?? null,
    payment_url: billingAccount?.payment_url ?? null,
    had_trial: billingAccount?.had_trial ?? false,
    has_portal: !!billingAccount?.stripe_customer,
  }
}

/** From the counts for reports. */
async function countMessages(db: Db, account_id: string, now: Date) {
  const month = now.toISOString().slice(0, 7)
  const row = await ofAccount(db, account_id)
    .selectFrom('message_counts')
    .select((eb) => [
      eb.fn.sum<string | null>('messages').as('num_messages'),
      eb.fn.sum<string | null>('messages').filterWhere('day', '>=', `${month}-01`).as('num_messages_this_month'),
    ])
    .executeTakeFirstOrThrow()
  return {
    num_messages: Number(row.num_messages ?? 0),
    num_messages_this_month: Number(row.num_messages_this_month ?? 0),
  }
}

const MAX_INVOICES = 24

/** The newest invoices, from Stripe. */
export async function listInvoices(context: Context, account_id: string): Promise<Invoice[]> {
  const customer = (await findBillingAccount(context.db, account_id))?.stripe_customer
  if (!customer) return []
  const stripe = await stripeOf(context)
  const { data } = await refusing(context, () => stripe.invoices.list({ customer, limit: MAX_INVOICES }))
  return data.filter(({ status }) => status !== 'draft').map(presentInvoice)
}
