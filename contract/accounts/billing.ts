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
  brand: z.string().check(z.describe('Such as `visa`.')),
  country: z.nullable(z.string()),
  exp_month: z.number(),
  exp_year: z.number(),
  last4: z.string().check(z.describe('The last four digits.')),
})
export type PaymentMethod = z.output<typeof PaymentMethod>

/** The price of a subscription, from Stripe. */
export const Price = z.object({
  id: z.string(),
  active: z.boolean().check(z.describe('Whether it can be chosen.')),
  unit_amount: z.nullable(z.number()).check(z.describe('In cents.')),
  amount_decimal: z.nullable(z.string()).check(z.describe('The amount in cents with fractions, as text.')),
  currency: z.string().check(z.describe('Three letters in lower case, such as `eur`.')),
  created: EpochSeconds.check(z.describe('In seconds since 1970.')),
  billing_scheme: z.string().check(z.describe('`per_unit`, or `tiered`.')),
  interval: z.nullable(z.string()).check(z.describe('`month` or `year`.')),
  interval_count: z.nullable(z.number()).check(z.describe('Number of intervals between two payments.')),
  product_id: z.string().check(z.describe('Stripe’s id of the product.')),
})
export type Price = z.output<typeof Price>

/** A discount, and whether it still applies. */
export const Discount = z.object({
  id: z.string(),
  name: z.nullable(z.string()),
  livemode: z.boolean().check(z.describe('False for test data of Stripe.')),
  duration: z.string().check(z.describe('`once`, `repeating` or `forever`.')),
  duration_in_months: z.nullable(z.number()).check(z.describe('For `repeating`.')),
  percent_off: z.nullable(z.number()).check(z.describe('Percent off the price; null if it is an amount.')),
  amount_off: z.nullable(z.number()).check(z.describe('In cents.')),
  currency: z.nullable(z.string()).check(z.describe('Of the amount; null if it is a percentage.')),
  valid: z.boolean().check(z.describe('Whether it can still be used.')),
  redeem_by: z.nullable(EpochSeconds).check(z.describe('Until when it can be used.')),
  times_redeemed: z.number().check(z.describe('How often it was used.')),
})
export type Discount = z.output<typeof Discount>

/** A plan's product at Stripe. */
export const Product = z.object({
  id: z.string(),
  name: z.string(),
  active: z.boolean().check(z.describe('Whether it can be chosen.')),
  code: z.nullable(z.string()),
})
export type Product = z.output<typeof Product>

/** An account's subscription as last reported by Stripe. */
export const Subscription = z.object({
  id: z.string(),
  livemode: z.boolean().check(z.describe('False for test data of Stripe.')),
  start_date: EpochSeconds.check(z.describe('When the subscription began.')),
  status: z.string().check(z.describe("Stripe's status: `trialing`, `active`, `past_due`, …")),
  current_period_start: EpochSeconds.check(z.describe('Beginning of the paid period.')),
  current_period_end: EpochSeconds.check(z.describe('End of the paid period.')),
  trial_start: z.nullable(EpochSeconds).check(z.describe('Beginning of the free trial.')),
  trial_end: z.nullable(EpochSeconds).check(z.describe('End of the free trial.')),
  days_until_due: z.nullable(z.number()).check(z.describe('Days to pay an invoice; null if the card is charged.')),
  quantity: z.number().check(z.describe('Number of paid users.')),
  discount: z.nullable(Discount),
  prices: z.array(Price),
  cancel_at_period_end: z.boolean().check(z.describe('Whether it ends with the paid period.')),
})
export type Subscription = z.output<typeof Subscription>

/** An account's subscription and usage, without a call to Stripe. */
export const BillingInfo = z.object({
  payment_method: z.nullable(PaymentMethod),
  subscription: z.nullable(Subscription).check(z.describe('Null if there is none, or if it has ended.')),
  product: z.nullable(Product),
  subscription_plan: SubscriptionPlan.check(z.describe('The plan in force.')),
  num_users: z.int32().check(z.describe('Active users.')),
  num_messages: z.int32().check(z.describe('Total number of messages.')),
  num_messages_this_month: z.int32().check(z.describe('Messages of this month, in UTC.')),
  payment_failed_at: z
    .nullable(Timestamp)
    .check(z.describe('Since when a payment is overdue, and until when the plan stays nevertheless.')),
  grace_until: z.nullable(Timestamp).check(z.describe('Until when the plan stays although a payment is overdue.')),
  payment_url: z.nullable(z.string()).check(z.describe('Page for making the missing payment, or consenting to it.')),
  had_trial: z.boolean().check(z.describe('Only the first subscription begins with a trial.')),
  has_portal: z.boolean().check(z.describe("Whether the provider's customer portal has anything to show.")),
})
export type BillingInfo = z.output<typeof BillingInfo>

/** An invoice, with Stripe’s page of it. */
export const Invoice = z.object({
  id: z.string(),
  number: z.nullable(z.string()).check(z.describe('As printed on the invoice.')),
  status: z
    .nullable(z.string())
    .check(z.describe('Stripe’s status: `draft`, `open`, `paid`, `void` or `uncollectible`.')),
  created: EpochSeconds.check(z.describe('In seconds since 1970.')),
  total: z.number().check(z.describe('In cents.')),
  currency: z.string().check(z.describe('Three letters in lower case, such as `eur`.')),
  url: z.nullable(z.string()).check(z.describe("The provider's page of the invoice.")),
  pdf: z.nullable(z.string()).check(z.describe('URL of the PDF.')),
})
export type Invoice = z.output<typeof Invoice>

const PlanChoice = z.object({ plan: FilledText(20).check(z.describe('The plan to change to.')) })

/** Subscription, card or payment changed: clients showing it fetch it again. */
export const billingUpdated = defineEvent('billing:updated', {
  receivers: 'team',
  payload: {
    billing: z.object({
      subscription_plan: SubscriptionPlan.check(z.describe('The plan in force.')),
      has_payment_failed: z.boolean().check(z.describe('Whether the card was refused; the plan changed nevertheless.')),
    }),
  },
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
    answer: data(z.object({ client_secret: z.string().check(z.describe('For Stripe’s form in the browser.')) })),
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
    answer: data(z.object({ url: z.string().check(z.describe('Page of the provider to open.')) })),
    location: 'none',
  }),
  stripeEvent: endpoint('signed', 'POST', '/api/billing/stripe_events', {
    summary: 'Receives events of Stripe about subscriptions and payments. Each is processed once.',
    signature: 'stripe',
    body: z.looseObject({
      id: FilledText(255),
      type: FilledText(255).check(z.describe('Stripe’s name of the event.')),
    }),
    answer: data(Ok),
    body_limit: 1_000_000,
    limit: 'none',
  }),
}
