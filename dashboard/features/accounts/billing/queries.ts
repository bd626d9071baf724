import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { billing } from '#contract/accounts/billing.ts'
import type { SubscriptionPlan } from '#contract/accounts/plans.ts'
import { call } from '../../../platform/http/api.ts'
import { refreshAfter } from '../../../platform/http/refresh-after.ts'

export const billingKeys = {
  all: ['billing'] as const,
  info: ['billing', 'info'] as const,
  invoices: ['billing', 'invoices'] as const,
}

/** Subscription and usage of the account. */
export const billingQuery = queryOptions({
  queryKey: billingKeys.info,
  queryFn: async ({ signal }) => (await call(billing.get, { signal })).data,
  // No event reports how many messages there are.
  staleTime: 60_000,
})

export const invoicesQuery = queryOptions({
  queryKey: billingKeys.invoices,
  queryFn: async ({ signal }) => (await call(billing.invoices, { signal })).data,
})

/** Starts a subscription, or changes its plan. */
export async function choosePlan(client: QueryClient, plan: SubscriptionPlan, hasSubscription: boolean): Promise<void> {
  await refreshAfter(
    call(hasSubscription ? billing.change : billing.subscribe, { body: { plan } }),
    client,
    billingKeys.all,
  )
}

export async function cancelSubscription(client: QueryClient): Promise<void> {
  await call(billing.cancel, {})
  await client.invalidateQueries({ queryKey: billingKeys.all })
}

/** Replaces the card that is charged. */
export async function saveCard(client: QueryClient, id: string): Promise<void> {
  await refreshAfter(call(billing.savePaymentMethod, { body: { payment_method: { id } } }), client, billingKeys.all)
}

/** The address of the payment provider's portal, where everything about billing can be changed. */
export async function openPortal(): Promise<string> {
  return (await call(billing.openPortal, {})).data.url
}

/** The secret that the payment provider's form needs to store a card, valid once. */
export async function prepareCard(): Promise<string> {
  return (await call(billing.prepareCard, {})).data.client_secret
}
