import type Stripe from 'stripe'
import type { Discount, Invoice, PaymentMethod, Price, Product, Subscription } from '#contract/accounts/billing.ts'

// Converts Stripe's objects into the shapes of the API.

export function presentSubscription(subscription: Stripe.Subscription): Subscription {
  const items = subscription.items.data
  return {
    id: subscription.id,
    livemode: subscription.livemode,
    start_date: subscription.start_date,
    status: subscription.status,
    current_period_start: items[0]?.current_period_start ?? subscription.start_date,
    current_period_end: items[0]?.current_period_end ?? subscription.start_date,
    trial_start: subscription.trial_start,
    trial_end: subscription.trial_end,
    days_until_due: subscription.days_until_due,
    quantity: items[0]?.quantity ?? 1,
    discount: presentDiscount(subscription.discounts[0]),
    prices: items.map(({ price }) => presentPrice(price)),
    cancel_at_period_end: subscription.cancel_at_period_end,
  }
}

function presentPrice(price: Stripe.Price): Price {
  return {
    id: price.id,
    active: price.active,
    unit_amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal === null ? null : String(price.unit_amount_decimal),
    currency: price.currency,
    created: price.created,
    billing_scheme: price.billing_scheme,
    interval: price.recurring?.interval ?? null,
    interval_count: price.recurring?.interval_count ?? null,
    product_id: idOf(price.product)!,
  }
}

function presentDiscount(discount: string | Stripe.Discount | undefined): Discount | null {
  const coupon = typeof discount === 'object' ? discount.source.coupon : null
  if (!coupon || typeof coupon === 'string') return null
  return {
    id: coupon.id,
    name: coupon.name ?? null,
    livemode: coupon.livemode,
    duration: coupon.duration,
    duration_in_months: coupon.duration_in_months ?? null,
    percent_off: coupon.percent_off ?? null,
    amount_off: coupon.amount_off ?? null,
    currency: coupon.currency ?? null,
    valid: coupon.valid,
    redeem_by: coupon.redeem_by ?? null,
    times_redeemed: coupon.times_redeemed,
  }
}

export function presentProduct({ id, name, active, metadata }: Stripe.Product): Product {
  return { id, name, active, code: metadata.code ?? null }
}

/** The charged card; other payment methods have no such data. */
export function presentPaymentMethod(
  paymentMethod: string | Stripe.PaymentMethod | null | undefined,
): PaymentMethod | null {
  if (!paymentMethod || typeof paymentMethod === 'string' || !paymentMethod.card) return null
  const { brand, country, exp_month, exp_year, last4 } = paymentMethod.card
  return {
    id: paymentMethod.id,
    object: 'payment_method',
    customer: idOf(paymentMethod.customer),
    brand,
    country,
    exp_month,
    exp_year,
    last4,
  }
}

export function presentInvoice(invoice: Stripe.Invoice): Invoice {
  return {
    id: invoice.id!,
    number: invoice.number,
    status: invoice.status,
    created: invoice.created,
    total: invoice.total,
    currency: invoice.currency,
    url: invoice.hosted_invoice_url ?? null,
    pdf: invoice.invoice_pdf ?? null,
  }
}

/** The id of an object that Stripe returns either as id or expanded. */
export function idOf(named: string | { id: string } | null | undefined): string | null {
  return typeof named === 'string' ? named : (named?.id ?? null)
}
