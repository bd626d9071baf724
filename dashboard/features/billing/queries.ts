import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { billing } from '#contract/billing.ts'
import type { SubscriptionPlan } from '#contract/plans.ts'
import { call } from '../../platform/http/api.ts'
import { refreshAfter } from '../../platform/http/refresh-after.ts'

export const billingKeys = {
  all: ['billing'] as const,
  info: ['billing', 'info'] as const,
  invoices: ['billing', 'invoices'] as const,
}

/** What the account pays for and uses. */
export const billingQuery = queryOptions({
  queryKey: billingKeys.info,
  queryFn: async ({ signal }) => (await call(billing.get, { signal })).data,
  // How many messages there are is told by nobody.
  staleTime: 60_000,
})

export const invoicesQuery = queryOptions({
  queryKey: billingKeys.invoices,
  queryFn: async ({ signal }) => (await call(billing.invoices, { signal })).data,
})

/** Subscribes to a plan, or changes the subscription to it. */
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

/** Charges another card from now on. */
export async function saveCard(client: QueryClient, id: string): Promise<void> {
  await refreshAfter(call(billing.savePaymentMethod, { body: { payment_method: { id } } }), client, billingKeys.all)
}

/** The address of the provider's own pages, where everything about paying can be changed. */
export async function openPortal(): Promise<string> {
  return (await call(billing.openPortal, {})).data.url
}

/** The secret with which the provider's own form takes a card, once. */
export async function prepareCard(): Promise<string> {
  return (await call(billing.prepareCard, {})).data.client_secret
}
