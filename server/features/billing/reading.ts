import type Stripe from 'stripe'
import type { PaymentMethod, Product, Subscription } from '#contract/billing.ts'
import { planNamed, type SubscriptionPlan } from '#contract/plans.ts'
import { isLive } from './accounts.ts'
import { idOf, presentPaymentMethod, presentProduct, presentSubscription } from './presenting.ts'

/** What Stripe says of a customer. */
export interface Reading {
  subscription: Subscription | null
  /** Stripe's own view of the same subscription, for changing it. */
  original: Stripe.Subscription | null
  product: Product | null
  /** The plan that is subscribed to; undefined for a product that stands for none. */
  plan: SubscriptionPlan | undefined
  payment_method: PaymentMethod | null
  /** The invoice that waits to be paid. */
  open_invoice: string | null
  payment_url: string | null
  /** The subscription ended because nobody paid, and not because somebody wanted it to. */
  ended_unpaid: boolean
}

/** Reads everything of a customer that matters here, as it is now: events may come late, twice and in any order. */
export async function readCustomer(stripe: Stripe, customer: string): Promise<Reading> {
  const [{ data }, known] = await Promise.all([
    stripe.subscriptions.list({
      customer,
      status: 'all',
      limit: 20,
      expand: ['data.discounts.source.coupon', 'data.latest_invoice'],
    }),
    stripe.customers.retrieve(customer, { expand: ['invoice_settings.default_payment_method'] }),
  ])
  // The newest comes first. One that is live counts before any that has ended.
  const original = data.find(isLive) ?? data[0] ?? null
  const product = original && (await readProduct(stripe, original))
  return {
    original,
    subscription: original && presentSubscription(original),
    product: product && presentProduct(product),
    plan: planNamed(product?.metadata.name),
    payment_method: known.deleted ? null : presentPaymentMethod(known.invoice_settings.default_payment_method),
    ...unpaid(original),
    ended_unpaid: original?.cancellation_details?.reason === 'payment_failed',
  }
}

async function readProduct(stripe: Stripe, { items }: Stripe.Subscription): Promise<Stripe.Product | null> {
  const id = idOf(items.data[0]?.price.product)
  return id ? stripe.products.retrieve(id) : null
}

/** Only what is due for a subscription in trouble: an open invoice of one that is paid goes its usual way. */
function unpaid(subscription: Stripe.Subscription | null): Pick<Reading, 'open_invoice' | 'payment_url'> {
  const invoice = subscription?.latest_invoice
  const isWaiting = /^(past_due|unpaid|incomplete)$/.test(subscription?.status ?? '')
  if (!isWaiting || typeof invoice !== 'object' || invoice?.status !== 'open') {
    return { open_invoice: null, payment_url: null }
  }
  return { open_invoice: invoice.id ?? null, payment_url: invoice.hosted_invoice_url ?? null }
}
