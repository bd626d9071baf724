import { audit } from '#contract/accounts/audit.ts'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { billing } from '#contract/accounts/billing.ts'
import type { StripeEmulator } from '../emulators/stripe.ts'
import type { CardNumber } from '../emulators/stripe-objects.ts'
import { type Caller, type Callers, expect } from './fixture.ts'
import { PASSWORD } from './world.ts'

/** What companies do with their billing, with one emulated Stripe. */
export function billingWith(stripe: StripeEmulator) {
  const { ledger } = stripe
  /** A new company with its admin. */
  async function open(as: Callers, company_name: string) {
    const email = `${company_name.toLowerCase()}@billing.test`
    const user = { company_name, email, password: PASSWORD, password_confirmation: PASSWORD }
    const { data } = await as.anybody(authSessions.register, { body: { user } })
    return { account_id: data.account_id, email, call: as.holder(data.token) }
  }

  async function saveCard(call: Caller, number?: CardNumber) {
    const { id } = stripe.addCard(number)
    return (await call(billing.savePaymentMethod, { body: { payment_method: { id } } })).data
  }

  const choose = (call: Caller, plan: string) => call(billing.subscribe, { body: { plan } })
  const read = async (call: Caller) => (await call(billing.get)).data
  const actions = async (call: Caller) =>
    (await call(audit.list, { query: { action: 'billing' } })).data.map(({ action }) => action).toReversed()
  const customerOf = (email: string) => [...ledger.customers.values()].find((customer) => customer.email === email)!.id
  const subscriptionsOf = (email: string) =>
    [...ledger.subscriptions.values()].filter(({ customer }) => customer === customerOf(email))
  const chargesOf = (email: string) => ledger.charges.filter(({ customer }) => customer === customerOf(email))

  /** A company whose trial has ended and which has paid for a plan. */
  async function openPaying(as: Callers, server: { url: string }, name: string, plan = 'lite') {
    const company = await open(as, name)
    await saveCard(company.call)
    await choose(company.call, plan)
    const { id } = subscriptionsOf(company.email)[0]!
    ledger.renew(id)
    await stripe.deliverAll(server.url)
    await expect.poll(async () => (await read(company.call)).subscription?.status).toBe('active')
    return { ...company, subscription_id: id }
  }

  return { open, saveCard, choose, read, actions, customerOf, subscriptionsOf, chargesOf, openPaying }
}
