import type Stripe from 'stripe'
import { planNamed, productName, type SubscriptionPlan, TRIAL_DAYS } from '#contract/accounts/plans.ts'
import type { Context } from '../../../context.ts'
import { Invalid, Refusal, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { recordAudit } from '../audit/audit.ts'
import { findBillingAccount, isLive } from './accounts.ts'
import { attempt } from './attempts.ts'
import type { StripeReading } from './reading.ts'
import { stripeOf } from './stripe-client.ts'
import { sync } from './syncing.ts'

type KeyFor = (call: string) => { idempotencyKey: string }

/**
 * Subscribes to a plan, or changes the existing subscription. Stripe is read first, so a repeated call after a lost
 * response, or from another page, finds what was done instead of paying twice.
 * @throws Unacceptable without a card
 */
export async function choosePlan(context: Context, caller: User, plan_name: string): Promise<void> {
  const plan = planNamed(plan_name)
  if (!plan) throw new Invalid({ plan: ['is invalid'] })
  await attempt(context, caller.account_id, async (keyFor) => {
    const reading = await sync(context, caller.account_id, caller)
    if (!reading?.payment_method) throw new Unacceptable('Add a card first. Paid plans need one.')
    const { original } = reading
    if (original && isLive(original) && original.status !== 'incomplete') {
      await changeTo(context, reading, plan, keyFor)
    } else {
      await create(context, caller.account_id, plan, keyFor, original)
    }
  })
  const after = await sync(context, caller.account_id, caller)
  if (after?.subscription?.status === 'incomplete') {
    throw new Refusal(
      402,
      'The first payment could not be made. Choose another card, or confirm the payment.',
      'unpaid',
    )
  }
}

async function create(
  context: Context,
  account_id: string,
  plan: SubscriptionPlan,
  keyFor: KeyFor,
  before: Stripe.Subscription | null,
): Promise<void> {
  const stripe = await stripeOf(context)
  const { stripe_customer, had_trial } = (await findBillingAccount(context.db, account_id))!
  const prices = await pricesOf(context, plan)
  // A subscription whose first payment never succeeded prevents a new one.
  if (before?.status === 'incomplete') await stripe.subscriptions.cancel(before.id, {}, keyFor(`drop:${before.id}`))
  await stripe.subscriptions.create(
    {
      customer: stripe_customer!,
      items: prices.map(({ id }) => ({ price: id })),
      metadata: { account_id },
      ...(!had_trial && { trial_period_days: TRIAL_DAYS }),
    },
    keyFor('subscribe'),
  )
}

/** Replaces the prices of one plan by those of another. Stripe credits what was paid in advance. */
async function changeTo(
  context: Context,
  { original, plan: before }: StripeReading,
  plan: SubscriptionPlan,
  keyFor: KeyFor,
) {
  if (before === plan) return
  const stripe = await stripeOf(context)
  const { id, items } = original!
  const prices = await pricesOf(context, plan)
  const changed = prices.map((price, index) => ({ id: items.data[index]?.id, price: price.id }))
  const removed = items.data.slice(prices.length).map((item) => ({ id: item.id, deleted: true }))
  await stripe.subscriptions.update(
    id,
    { items: [...changed.map(({ id, price }) => (id ? { id, price } : { price })), ...removed] },
    keyFor(`change:${plan}`),
  )
}

/**
 * The prices of a plan's product, whose metadata `name` is the plan's name.
 * @throws Refusal if the operator has not created it
 */
async function pricesOf(context: Context, plan: SubscriptionPlan): Promise<Stripe.Price[]> {
  const stripe = await stripeOf(context)
  const name = productName(plan, { isEu: context.config.euEdition })
  const products = await stripe.products.list({ active: true, limit: 100 })
  const product = products.data.find(({ metadata }) => metadata.name === name)
  const prices = product ? (await stripe.prices.list({ product: product.id, active: true, limit: 20 })).data : []
  if (prices.length === 0) {
    throw new Refusal(
      503,
      `This plan is not for sale: the operator of this server has to create a Stripe product with a price and the metadata name=${name}.`,
      'payment_not_set_up',
    )
  }
  return prices
}

/**
 * Ends the subscription at once.
 * @throws Unacceptable if there is none
 */
export async function cancel(context: Context, caller: User): Promise<void> {
  const { account_id } = caller
  await attempt(context, account_id, async (keyFor) => {
    const original = (await sync(context, account_id))?.original
    const storedSubscription = (await findBillingAccount(context.db, account_id))?.subscription
    if (!original || !isLive(original)) {
      if (storedSubscription) return
      throw new Unacceptable('There is no subscription to cancel.')
    }
    const stripe = await stripeOf(context)
    await stripe.subscriptions.cancel(original.id, {}, keyFor(`cancel:${original.id}`))
  })
  await context.change((tx) => recordAudit(tx, caller, { action: 'billing.canceled' }))
  await sync(context, account_id, caller)
}
