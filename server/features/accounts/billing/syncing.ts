import * as z from 'zod/mini'
import { billingUpdated } from '#contract/accounts/billing.ts'
import type { Context } from '../../../context.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { mailAdmins } from '../../mail/mails/mail-admins.ts'
import { getAccount, updateAccount } from '../accounts/accounts.ts'
import { recordAudit, recordChanges } from '../audit/audit.ts'
import { type BillingAccount, findBillingAccount, isLive, lockBillingAccount, saveBillingAccount } from './accounts.ts'
import { endedMail, failedMail } from './mail-templates.ts'
import { readCustomer, type StripeReading } from './reading.ts'
import { decide, isPast, type PaymentOutcome } from './state.ts'
import { refusing, stripeOf } from './stripe-client.ts'

/** Who caused a change; no user when Stripe reported it. */
type Actor = Pick<User, 'account_id' | 'user_id' | 'address'>

/** Synchronises an account with Stripe. */
export const syncAccount = defineJob('billing.sync', {
  schema: z.object({ account_id: z.string() }),
  key: ({ account_id }) => account_id,
  timeout: 60,
  mails: ['billing'],
  run: async (context: Context, { account_id }) => {
    await sync(context, account_id)
  },
})

/**
 * Reads a customer from Stripe and stores the result, unless a reading that began later was stored meanwhile. Returns
 * what was read; undefined for an account unknown to Stripe.
 */
export async function sync(context: Context, account_id: string, actor?: Actor): Promise<StripeReading | undefined> {
  const started = await context.change(async (tx) => {
    const billingAccount = await findBillingAccount(tx.db, account_id)
    if (!billingAccount?.stripe_customer) return undefined
    const { last_reading, stripe_customer } = await lockBillingAccount(tx, account_id)
    await saveBillingAccount(tx, account_id, { last_reading: last_reading + 1 })
    return { number: last_reading + 1, customer: stripe_customer! }
  })
  if (!started) return undefined
  const stripe = await stripeOf(context)
  const reading = await refusing(context, () => readCustomer(stripe, started.customer))
  await context.change((tx) => store(context, tx, account_id, { ...started, reading, actor }))
  return reading
}

interface SyncReading {
  number: number
  reading: StripeReading
  actor: Actor | undefined
}

async function store(
  context: Context,
  tx: Change,
  account_id: string,
  { number, reading, actor }: SyncReading,
): Promise<void> {
  const before = await lockBillingAccount(tx, account_id)
  if (before.stored_reading >= number) return
  const now = new Date()
  const { plan, ...grace } = decide(before, reading, now)
  const { subscription, product, payment_method, payment_url } = reading
  await saveBillingAccount(tx, account_id, {
    ...grace,
    stored_reading: number,
    read_at: now.toISOString(),
    subscription: isLive(subscription) || grace.grace_until ? subscription : null,
    product,
    payment_method,
    payment_url,
    had_trial: before.had_trial || !!subscription?.trial_end,
  })
  await setPlan(context, tx, account_id, plan, actor)
  await recordCard(tx, account_id, before, reading, actor)
  await mailFailure(context, tx, account_id, before, { plan, ...grace })
  const { subscription_plan } = await getAccount({ config: context.config, db: tx.db }, account_id, now)
  tx.announce(account_id, billingUpdated, {
    billing: { subscription_plan, has_payment_failed: grace.payment_failed_at !== null },
  })
}

async function setPlan(
  context: Context,
  tx: Change,
  account_id: string,
  subscription_plan: PaymentOutcome['plan'],
  actor: Actor | undefined,
): Promise<void> {
  if (!subscription_plan) return
  const changes = await updateAccount(context, tx, account_id, { subscription_plan })
  await recordChanges(tx, actor ?? emptyReading(account_id), { action: 'billing.plan_changed' }, changes)
}

/** Records a changed card, whether it was changed here or on Stripe's pages. */
async function recordCard(
  tx: Change,
  account_id: string,
  before: BillingAccount,
  { payment_method }: StripeReading,
  actor: Actor | undefined,
): Promise<void> {
  if (payment_method?.id === before.payment_method?.id) return
  const { brand, last4 } = payment_method ?? {}
  const audited = payment_method
    ? { action: 'billing.card_changed', subject_name: `${brand} ${last4}` }
    : { action: 'billing.card_removed', subject_name: before.payment_method?.last4 ?? null }
  await recordAudit(tx, actor ?? emptyReading(account_id), audited)
}

/** Mails admins when a payment fails, and when the plan ended because of it. */
async function mailFailure(
  context: Context,
  tx: Change,
  account_id: string,
  before: BillingAccount,
  { plan, payment_failed_at, grace_until }: PaymentOutcome,
): Promise<void> {
  const href = `${context.config.baseUrl}/settings/billing`
  if (payment_failed_at && grace_until && !before.payment_failed_at) {
    await mailAdmins(context, tx, account_id, { kind: 'billing', about: `failed ${payment_failed_at}` }, (language) =>
      failedMail(language, { href, until: grace_until }),
    )
  }
  const wasOver = before.grace_until && isPast(before.grace_until, new Date())
  if (wasOver && plan === 'starter') {
    await mailAdmins(
      context,
      tx,
      account_id,
      { kind: 'billing', about: `ended ${before.payment_failed_at}` },
      (language) => endedMail(language, { href }),
    )
  }
}

/** For the audit log: reported by Stripe. */
function emptyReading(account_id: string) {
  return { account_id, user_id: null, address: '' }
}
