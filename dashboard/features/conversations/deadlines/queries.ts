import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type DeadlinePolicy, type DeadlinePolicyChanges, deadlines } from '#contract/conversations/deadlines.ts'
import { call } from '../../../platform/http/api.ts'
import { ApiError } from '../../../platform/http/request.ts'
import { POLICIES_KEY } from './keys.ts'

/** The policies, in the order in which they are tried. */
export const policiesQuery = queryOptions({
  queryKey: POLICIES_KEY,
  queryFn: async ({ signal }) => (await call(deadlines.listPolicies, { signal })).data,
})

/** Creates a policy, or changes the one with this id. The server validates the fields. */
export async function savePolicy(
  client: QueryClient,
  id: string | undefined,
  policy: DeadlinePolicyChanges & { name: string },
): Promise<void> {
  if (id) await changePolicy(client, id, policy)
  else {
    const { data } = await call(deadlines.createPolicy, { body: { policy } })
    client.setQueryData(
      policiesQuery.queryKey,
      (policies) => policies && [...policies.filter((item) => item.id !== data.id), data],
    )
  }
}

export async function changePolicy(client: QueryClient, id: string, policy: DeadlinePolicyChanges): Promise<void> {
  const { data } = await call(deadlines.updatePolicy, { params: { id }, body: { policy } })
  client.setQueryData(policiesQuery.queryKey, (policies) => policies?.map((item) => (item.id === id ? data : item)))
}

/** Deletes a policy. Ignores that it was already deleted elsewhere. */
export async function deletePolicy(client: QueryClient, id: string): Promise<void> {
  await call(deadlines.removePolicy, { params: { id } }).catch((error) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  })
  client.setQueryData(policiesQuery.queryKey, (policies) => policies?.filter((policy) => policy.id !== id))
}

/** Moves a policy up (-1) or down (1) in the list. */
export async function movePolicy(
  client: QueryClient,
  policies: DeadlinePolicy[],
  at: number,
  by: -1 | 1,
): Promise<void> {
  const ids = policies.map(({ id }) => id)
  ids.splice(at + by, 0, ...ids.splice(at, 1))
  const { data } = await call(deadlines.orderPolicies, { body: { ids } })
  client.setQueryData(policiesQuery.queryKey, data)
}
