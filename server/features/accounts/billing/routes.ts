import { billing } from '#contract/accounts/billing.ts'
import type { Context } from '../../../context.ts'
import { NotFound, Unacceptable } from '../../../errors.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { findBillingAccount } from './accounts.ts'
import { attempt } from './attempts.ts'
import { prepareCard, saveCard } from './customer.ts'
import { getBilling, listInvoices } from './overview.ts'
import { stripeOf } from './stripe-client.ts'
import { cancel, choosePlan } from './subscribing.ts'
import { receiveEvent } from './webhook.ts'

export function registerBillingRoutes(routes: Routes, context: Context) {
  const { config, db } = context
  const assertBillingEnabled = () => {
    if (!config.billing) throw new NotFound('Billing is not enabled on this server.')
  }

  // Without billing the plan includes everything, and the rest is empty: the old dashboard reads both at its start.
  routes.route(billing.get, async ({ caller }) => ({ data: await getBilling(context, caller.account_id) }))
  for (const call of [billing.subscribe, billing.change]) {
    routes.route(call, async ({ caller, body }) => {
      assertBillingEnabled()
      await choosePlan(context, caller, body.plan)
      return { data: { ok: true } }
    })
  }
  routes.route(billing.cancel, async ({ caller }) => {
    assertBillingEnabled()
    await cancel(context, caller)
    return { data: { ok: true } }
  })
  routes.route(billing.paymentMethod, async ({ caller }) => ({
    data: (await findBillingAccount(db, caller.account_id))?.payment_method ?? null,
  }))
  routes.route(billing.savePaymentMethod, async ({ caller, body }) => {
    assertBillingEnabled()
    return { data: await saveCard(context, caller, body.payment_method.id) }
  })
  routes.route(billing.prepareCard, async ({ caller }) => {
    assertBillingEnabled()
    return { data: await prepareCard(context, caller) }
  })
  routes.route(billing.invoices, async ({ caller }) => {
    assertBillingEnabled()
    return { data: await listInvoices(context, caller.account_id) }
  })
  routes.route(billing.openPortal, async ({ caller }) => {
    assertBillingEnabled()
    const customer = (await findBillingAccount(db, caller.account_id))?.stripe_customer
    if (!customer) throw new Unacceptable('There is no billing account yet. Add a card first.')
    const session = await attempt(context, caller.account_id, async (keyFor) => {
      const stripe = await stripeOf(context)
      const return_url = `${config.baseUrl}/settings/billing`
      return stripe.billingPortal.sessions.create({ customer, return_url }, keyFor('portal'))
    })
    return { data: { url: session.url } }
  })
  routes.route(billing.stripeEvent, async ({ body }) => {
    await receiveEvent(context, body)
    return { data: { ok: true } }
  })
}
