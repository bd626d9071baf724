import type Stripe from 'stripe'
import type { PaymentMethod } from '#contract/accounts/billing.ts'
import type { Context } from '../../../context.ts'
import { Refusal, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { getUser } from '../users/users.ts'
import { findBillingAccount, saveBillingAccount } from './accounts.ts'
import { attempt } from './attempts.ts'
import { idOf } from './presenting.ts'
import { stripeOf } from './stripe-client.ts'
import { sync } from './syncing.ts'

type KeyFor = (call: string) => { idempotencyKey: string }

/** The account's customer at Stripe, created on first use with the company's name and the caller's address. */
export async function ensureCustomer(context: Context, caller: User, keyFor: KeyFor): Promise<string> {
  const { account_id } = caller
  const existing = await findBillingAccount(context.db, account_id)
  if (existing?.stripe_customer) return existing.stripe_customer
  const stripe = await stripeOf(context)
  const [{ email }, { company_name }] = await Promise.all([
    getUser(context.db, account_id, caller.user_id),
    context.db.selectFrom('accounts').select('company_name').where('id', '=', account_id).executeTakeFirstOrThrow(),
  ])
  const { id } = await stripe.customers.create(
    { name: company_name, email, metadata: { account_id } },
    keyFor('customer'),
  )
  await context.change((tx) => saveBillingAccount(tx, account_id, { stripe_customer: id }))
  return id
}

/** Lets the browser give a card to Stripe, which asks the card's bank for consent if necessary. */
export function prepareCard(context: Context, caller: User): Promise<{ client_secret: string }> {
  return attempt(context, caller.account_id, async (keyFor) => {
    const customer = await ensureCustomer(context, caller, keyFor)
    const stripe = await stripeOf(context)
    const intent = await stripe.setupIntents.create(
      { customer, usage: 'off_session', allowed_payment_method_types: ['card'] },
      keyFor('setup'),
    )
    return { client_secret: intent.client_secret! }
  })
}

/**
 * Charges another card from now on. An open invoice is paid with it at once.
 * @throws Refusal with the provider's message if the card is declined
 */
export async function saveCard(context: Context, caller: User, id: string): Promise<PaymentMethod> {
  const { account_id } = caller
  const attachAndPay = () =>
    attempt(context, account_id, async (keyFor) => {
      const stripe = await stripeOf(context)
      const customer = await ensureCustomer(context, caller, keyFor)
      await attach(stripe, customer, id, keyFor)
      await stripe.customers.update(
        customer,
        { invoice_settings: { default_payment_method: id } },
        keyFor(`default:${id}`),
      )
      const reading = await sync(context, account_id, caller)
      if (reading?.open_invoice) {
        await stripe.invoices.pay(
          reading.open_invoice,
          { payment_method: id },
          keyFor(`pay:${reading.open_invoice}:${id}`),
        )
      }
    })
  // The card is stored whether or not the payment succeeded.
  await attachAndPay().finally(() => sync(context, account_id, caller))
  const saved = (await findBillingAccount(context.db, account_id))?.payment_method
  if (!saved) throw new Refusal(422, 'This is not a card. Choose another way to pay.', 'no_card')
  return saved
}

/** A card confirmed on our page already belongs to the customer; that of an older client does not yet. */
async function attach(stripe: Stripe, customer: string, id: string, keyFor: KeyFor): Promise<void> {
  const method = await stripe.paymentMethods.retrieve(id)
  const owner = idOf(method.customer)
  if (owner === customer) return
  if (owner) throw new Unacceptable('This card belongs to another customer. Enter it again.')
  await stripe.paymentMethods.attach(id, { customer }, keyFor(`attach:${id}`))
}
