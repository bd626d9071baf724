import type Stripe from 'stripe'
import type { PaymentMethod, Product, Subscription } from '#contract/accounts/billing.ts'
import { planNamed, type SubscriptionPlan } from '#contract/accounts/plans.ts'
import { isLive } from './accounts.ts'
import { idOf, presentPaymentMethod, presentProduct, presentSubscription } from './presenting.ts'

/** A customer's state at Stripe. */
export interface StripeReading {
  subscription: Subscription | null
  /** Stripe's object of the same subscription, for changing it. */
  original: Stripe.Subscription | null
  product: Product | null
  /** The subscribed plan; undefined for an unknown product. */
  plan: SubscriptionPlan | undefined
  payment_method: PaymentMethod | null
  /** The unpaid invoice. */
  open_invoice: string | null
  payment_url: string | null
  /** Whether the subscription ended for lack of payment, rather than by choice. */
  ended_unpaid: boolean
}

/** Reads a customer's current state: events may come late, twice and in any order. */
export async function readCustomer(stripe: Stripe, customer: string): Promise<StripeReading> {
  const [{ data }, stripeCustomer] = await Promise.all([
    stripe.subscriptions.list({
      customer,
      status: 'all',
      limit: 20,
      expand: ['data.discounts.source.coupon', 'data.latest_invoice'],
    }),
    stripe.customers.retrieve(customer, { expand: ['invoice_settings.default_payment_method'] }),
  ])
  // The newest comes first. A live subscription takes precedence over ended ones.
  const original = data.find(isLive) ?? data[0] ?? null
  const product = original && (await readProduct(stripe, original))
  return {
    original,
    subscription: original && presentSubscription(original),
    product: product && presentProduct(product),
    plan: planNamed(product?.metadata.name),
    payment_method: stripeCustomer.deleted
      ? null
      : presentPaymentMethod(stripeCustomer.invoice_settings.default_payment_method),
    ...unpaid(original),
    ended_unpaid: original?.cancellation_details?.reason === 'payment_failed',
  }
}

async function readProduct(stripe: Stripe, { items }: Stripe.Subscription): Promise<Stripe.Product | null> {
  const id = idOf(items.data[0]?.price.product)
  return id ? stripe.products.retrieve(id) : null
}

/** Only open invoices of a subscription in trouble: those of a paid one are charged as usual. */
function unpaid(subscription: Stripe.Subscription | null): Pick<StripeReading, 'open_invoice' | 'payment_url'> {
  const invoice = subscription?.latest_invoice
  const isWaiting = /^(past_due|unpaid|incomplete)$/.test(subscription?.status ?? '')
  if (!isWaiting || typeof invoice !== 'object' || invoice?.status !== 'open') {
    return { open_invoice: null, payment_url: null }
  }
  return { open_invoice: invoice.id ?? null, payment_url: invoice.hosted_invoice_url ?? null }
}
