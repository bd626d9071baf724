import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type CustomerChanges, type CustomerProfile, customerProfiles } from '#contract/customers/customer-profiles.ts'
import { erasure } from '#contract/customers/erasure.ts'
import { tags } from '#contract/customers/tags.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import type { ClientEvent } from '#contract/events.ts'
import { call } from '../../../platform/http/api.ts'
import { eventsSince, position } from '../../../platform/realtime/event-buffer.ts'
import { createTags } from '../tags/queries.ts'
import type { TagPlan } from '../tags/tag-plan.ts'
import { applyToCustomer, hasWrongCompany } from './apply-events.ts'
import { customerKeys } from './keys.ts'

const EXPAND = 'company,tags,notes,issues,merge'

/** Events keep the cache up to date; refetching now and then catches changes without events. */
const FRESH_MS = 60_000

/** One customer with company, tags, notes and issues. */
export function customerQuery(id: string) {
  return queryOptions({
    queryKey: customerKeys.detail(id),
    queryFn: async ({ signal }): Promise<CustomerProfile> => {
      const since = position()
      const query = { expand: EXPAND }
      const { data } = await call(customerProfiles.get, { params: { id }, query, signal })
      return eventsSince(since).reduce(applyToCustomer, data)
    },
    staleTime: FRESH_MS,
  })
}

/** Applies an event to every cached customer. */
export function applyCustomerEvent(client: QueryClient, event: ClientEvent) {
  for (const [key, customer] of client.getQueriesData<CustomerProfile>({ queryKey: customerKeys.details })) {
    const next = customer && applyToCustomer(customer, event)
    if (next === customer) continue
    client.setQueryData(key, next)
    if (next && hasWrongCompany(next)) client.invalidateQueries({ queryKey: key })
  }
}

export async function updateCustomer(client: QueryClient, id: string, changes: Partial<CustomerChanges>) {
  const customer = changes as BodyInput<typeof customerProfiles.update>['customer']
  const { data } = await call(customerProfiles.update, { params: { id }, body: { customer } })
  applyCustomerEvent(client, { event: 'customer:updated', payload: data })
}

/** Sets one attribute of a customer, so that nobody's change of another one is lost; null clears it. */
export async function setCustomerAttribute(client: QueryClient, id: string, key: string, value: string | null) {
  const { data } = await call(customerProfiles.setAttributes, {
    params: { id },
    body: { attributes: { [key]: value } },
  })
  applyCustomerEvent(client, { event: 'customer:updated', payload: data })
}

/** `before` runs after the deletion, before the customer leaves the cache. */
export async function deleteCustomer(client: QueryClient, id: string, before?: () => void) {
  await call(customerProfiles.remove, { params: { id } })
  before?.()
  client.removeQueries({ queryKey: customerKeys.detail(id) })
}

/** Erases all data of a customer permanently. */
export async function eraseCustomer(client: QueryClient, id: string, before: () => void) {
  await call(erasure.erase, { params: { id } })
  before()
  client.removeQueries({ queryKey: customerKeys.detail(id) })
}

export async function setBlocked(client: QueryClient, id: string, blocked: boolean) {
  const { data } = await call(blocked ? customerProfiles.block : customerProfiles.unblock, { params: { id } })
  applyCustomerEvent(client, { event: 'customer:updated', payload: data })
}

/** Lets automatic mails go to a customer again who has marked one as spam. */
export async function allowAutomaticMail(client: QueryClient, id: string) {
  const { data } = await call(customerProfiles.allowAutomaticMail, { params: { id } })
  applyCustomerEvent(client, { event: 'customer:updated', payload: data })
}

/** Adds and removes tags. New ones are created first. */
export async function tagCustomer(client: QueryClient, id: string, { create, add, remove }: TagPlan) {
  const created = await createTags(client, create)
  for (const tag_id of [...add, ...created]) await call(tags.addToCustomer, { params: { id }, body: { tag_id } })
  for (const tag_id of remove) await call(tags.removeFromCustomer, { params: { id, tag_id } })
  await client.invalidateQueries({ queryKey: customerKeys.detail(id) })
}
