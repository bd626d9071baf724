import { randomUUID } from 'node:crypto'

// The objects of a small Stripe, in the shapes of its API. Contains only what Parley reads.

export type Fields = Record<string, unknown>

export interface Card extends Fields {
  id: string
  customer: string | null
  card: { brand: string; country: string; exp_month: number; exp_year: number; last4: string }
}

export interface Customer extends Fields {
  id: string
  email: string | null
  metadata: Record<string, string>
  invoice_settings: { default_payment_method: string | null }
}

export interface Price extends Fields {
  id: string
  product: string
  unit_amount: number
}

interface Item {
  id: string
  price: Price
  quantity: number
  current_period_start: number
  current_period_end: number
}

export interface Subscription extends Fields {
  id: string
  customer: string
  status: string
  items: { object: 'list'; data: Item[] }
  trial_end: number | null
  latest_invoice: string | null
  cancellation_details: { reason: string | null }
}

export interface Invoice extends Fields {
  id: string
  customer: string
  subscription: string
  status: string
  total: number
}

export const DAY = 86_400
const MONTH = 30 * DAY

export function now(): number {
  return Math.floor(Date.now() / 1000)
}

export function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 24)}`
}

export function makeProduct(id: string, name: string, title: string): Fields {
  return { id, object: 'product', name: title, active: true, metadata: { name }, created: now() }
}

export function makePrice(product: string, unit_amount: number): Price {
  return {
    id: `price_of_${product}`,
    object: 'price',
    product,
    active: true,
    unit_amount,
    unit_amount_decimal: String(unit_amount),
    currency: 'usd',
    created: now(),
    billing_scheme: 'per_unit',
    recurring: { interval: 'month', interval_count: 1 },
  }
}

/** Card numbers with special behaviour in Stripe's test mode. */
export const CARDS = {
  '4242424242424242': { brand: 'visa', behaviour: 'fine' },
  '5555555555554444': { brand: 'mastercard', behaviour: 'fine' },
  '4000000000000002': { brand: 'visa', behaviour: 'declined' },
  '4000000000000341': { brand: 'visa', behaviour: 'fails when charged' },
  '4000002760003184': { brand: 'visa', behaviour: 'asks the bank' },
} as const
export type CardNumber = keyof typeof CARDS

export function makeCard(number: CardNumber): Card {
  return {
    id: newId('pm'),
    object: 'payment_method',
    type: 'card',
    customer: null,
    behaviour: CARDS[number].behaviour,
    card: { brand: CARDS[number].brand, country: 'US', exp_month: 8, exp_year: 2030, last4: number.slice(-4) },
  }
}

export function makeCustomer({ name, email, metadata }: Fields): Customer {
  return {
    id: newId('cus'),
    object: 'customer',
    name,
    email: (email as string) ?? null,
    metadata: (metadata as Record<string, string>) ?? {},
    invoice_settings: { default_payment_method: null },
    created: now(),
  }
}

export function makeItem(price: Price, end: number): Item {
  return { id: newId('si'), price, quantity: 1, current_period_start: now(), current_period_end: end }
}

/** Begins a period now. */
export function renewPeriod({ items }: Subscription): void {
  for (const item of items.data) Object.assign(item, { current_period_start: now(), current_period_end: now() + MONTH })
}

export function makeSubscription(
  customer: string,
  prices: Price[],
  { trial_period_days, metadata }: Fields,
): Subscription {
  const trial = Number(trial_period_days ?? 0)
  const trial_end = trial > 0 ? now() + trial * DAY : null
  return {
    id: newId('sub'),
    object: 'subscription',
    livemode: false,
    customer,
    status: trial_end ? 'trialing' : 'active',
    start_date: now(),
    created: now(),
    trial_start: trial_end ? now() : null,
    trial_end,
    days_until_due: null,
    cancel_at_period_end: false,
    cancellation_details: { reason: null },
    discounts: [],
    latest_invoice: null,
    metadata: (metadata as Record<string, string>) ?? {},
    items: { object: 'list', data: prices.map((price) => makeItem(price, trial_end ?? now() + MONTH)) },
  }
}

export function makeInvoice(
  { id: subscription, customer }: Subscription,
  total: number,
  number: number,
  url: string,
): Invoice {
  const id = newId('in')
  return {
    id,
    object: 'invoice',
    customer,
    subscription,
    number: `PARLEY-${String(number).padStart(4, '0')}`,
    status: 'open',
    created: now(),
    total,
    currency: 'usd',
    hosted_invoice_url: `${url}/invoices/${id}`,
    invoice_pdf: `${url}/invoices/${id}.pdf`,
  }
}

export function makeCoupon(
  off: ({ percent_off: number } | { amount_off: number; currency: string }) & { valid?: boolean },
): Fields {
  return {
    id: newId('coupon'),
    object: 'coupon',
    name: 'Launch',
    livemode: false,
    duration: 'forever',
    duration_in_months: null,
    percent_off: null,
    amount_off: null,
    currency: null,
    valid: true,
    redeem_by: null,
    times_redeemed: 1,
    ...off,
  }
}
