import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { FilledText, Ok, Timestamp } from '../wire.ts'
import { SubscriptionPlan } from './plans.ts'

/** Seconds since 1970, as the payment provider counts. */
const EpochSeconds = z.number()

/** The charged card. Its number is never stored here. */
export const PaymentMethod = z.object({
  id: z.string(),
  object: z.literal('payment_method'),
  customer: z.nullable(z.string()),
  brand: z.string(),
  country: z.nullable(z.string()),
  exp_month: z.number(),
  exp_year: z.number(),
  last4: z.string(),
})
export type PaymentMethod = z.output<typeof PaymentMethod>

/** The price of a subscription, from Stripe. */
export const Price = z.object({
  id: z.string(),
  active: z.boolean(),
  /** In cents. */
  unit_amount: z.nullable(z.number()),
  amount_decimal: z.nullable(z.string()),
  currency: z.string(),
  created: EpochSeconds,
  billing_scheme: z.string(),
  interval: z.nullable(z.string()),
  interval_count: z.nullable(z.number()),
  product_id: z.string(),
})
export type Price = z.output<typeof Price>

/** A discount, and whether it still applies. */
export const Discount = z.object({
  id: z.string(),
  name: z.nullable(z.string()),
  livemode: z.boolean(),
  duration: z.string(),
  duration_in_months: z.nullable(z.number()),
  percent_off: z.nullable(z.number()),
  /** In cents. */
  amount_off: z.nullable(z.number()),
  currency: z.nullable(z.string()),
  valid: z.boolean(),
  redeem_by: z.nullable(EpochSeconds),
  times_redeemed: z.number(),
})
export type Discount = z.output<typeof Discount>

/** A plan's product at Stripe. */
export const Product = z.object({
  id: z.string(),
  name: z.string(),
  active: z.boolean(),
  code: z.nullable(z.string()),
})
export type Product = z.output<typeof Product>

/** An account's subscription as last reported by Stripe. */
export const Subscription = z.object({
  id: z.string(),
  livemode: z.boolean(),
  start_date: EpochSeconds,
  /** Stripe's status: `trialing`, `active`, `past_due`, … */
  status: z.string(),
  current_period_start: EpochSeconds,
  current_period_end: EpochSeconds,
  trial_start: z.nullable(EpochSeconds),
  trial_end: z.nullable(EpochSeconds),
  days_until_due: z.nullable(z.number()),
  quantity: z.number(),
  discount: z.nullable(Discount),
  prices: z.array(Price),
  /** Whether it ends with the paid period. */
  cancel_at_period_end: z.boolean(),
})
export type Subscription = z.output<typeof Subscription>

/** An account's subscription and usage, without a call to Stripe. */
export const BillingInfo = z.object({
  payment_method: z.nullable(PaymentMethod),
  /** Null if there is none, or if it has ended. */
  subscription: z.nullable(Subscription),
  product: z.nullable(Product),
  subscription_plan: SubscriptionPlan,
  num_users: z.int32(),
  /** Total number of messages. */
  num_messages: z.int32(),
  /** Messages of this month, in UTC. */
  num_messages_this_month: z.int32(),
  /** Since when a payment is overdue, and until when the plan stays nevertheless. */
  payment_failed_at: z.nullable(Timestamp),
  grace_until: z.nullable(Timestamp),
  /** Page for making the missing payment, or consenting to it. */
  payment_url: z.nullable(z.string()),
  /** Only the first subscription begins with a trial. */
  had_trial: z.boolean(),
  /** Whether the provider's customer portal has anything to show. */
  has_portal: z.boolean(),
})
export type BillingInfo = z.output<typeof BillingInfo>

/** An invoice, with Stripe’s page of it. */
export const Invoice = z.object({
  id: z.string(),
  number: z.nullable(z.string()),
  status: z.nullable(z.string()),
  created: EpochSeconds,
  /** In cents. */
  total: z.number(),
  currency: z.string(),
  /** The provider's page of the invoice. */
  url: z.nullable(z.string()),
  pdf: z.nullable(z.string()),
})
export type Invoice = z.output<typeof Invoice>

const PlanChoice = z.object({ plan: FilledText(20) })

/** Subscription, card or payment changed: clients showing it fetch it again. */
export const billingUpdated = defineEvent('billing:updated', {
  receivers: 'team',
  payload: { billing: z.object({ subscription_plan: SubscriptionPlan, has_payment_failed: z.boolean() }) },
})

/** Plan, card and invoices, if billing is enabled. */
export const billing = {
  get: endpoint('admin', 'GET', '/api/billing', {
    summary: 'Returns plan, subscription, card and usage of the account.',
    answer: data(BillingInfo),
  }),
  subscribe: endpoint('admin', 'POST', '/api/billing', {
    refusals: [402],
    session_only: true,
    summary: 'Subscribes to a plan with the saved card. Repeating the call is safe.',
    body: PlanChoice,
    answer: data(Ok),
  }),
  change: endpoint('admin', 'PUT', '/api/billing', {
    refusals: [402],
    session_only: true,
    summary: 'Changes the subscription to another plan.',
    body: PlanChoice,
    answer: data(Ok),
  }),
  cancel: endpoint('admin', 'DELETE', '/api/billing', {
    refusals: [404],
    session_only: true,
    summary: 'Cancels the subscription at once. The account switches to the Starter plan.',
    answer: data(Ok),
  }),
  paymentMethod: endpoint('admin', 'GET', '/api/payment_methods', {
    summary: 'Returns the card that is charged, if any.',
    answer: data(z.nullable(PaymentMethod)),
  }),
  savePaymentMethod: endpoint('admin', 'POST', '/api/payment_methods', {
    refusals: [402],
    session_only: true,
    summary: 'Sets the card to charge, by its id at the payment provider.',
    body: z.object({ payment_method: z.object({ id: FilledText(255) }) }),
    answer: data(PaymentMethod),
  }),
  prepareCard: endpoint('admin', 'POST', '/api/billing/card_setups', {
    refusals: [404],
    session_only: true,
    summary: 'Starts saving a card at the payment provider, including the bank’s consent if required.',
    answer: data(z.object({ client_secret: z.string() })),
    location: 'none',
  }),
  invoices: endpoint('admin', 'GET', '/api/billing/invoices', {
    refusals: [404],
    summary: 'Lists the newest invoices, with links to the payment provider.',
    answer: data(z.array(Invoice)),
  }),
  openPortal: endpoint('admin', 'POST', '/api/billing/portal_sessions', {
    refusals: [404],
    session_only: true,
    summary: 'Returns the URL of the payment provider’s page to manage subscription, cards and invoices.',
    answer: data(z.object({ url: z.string() })),
    location: 'none',
  }),
  stripeEvent: endpoint('signed', 'POST', '/api/billing/stripe_events', {
    summary: 'Receives events of Stripe about subscriptions and payments. Each is processed once.',
    signature: 'stripe',
    body: z.looseObject({ id: FilledText(255), type: FilledText(255) }),
    answer: data(Ok),
    body_limit: 1_000_000,
    limit: 'none',
  }),
}
