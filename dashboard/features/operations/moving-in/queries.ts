import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import { type API_PRODUCTS, type MovingIn, movingIn } from '#contract/operations/moving-in.ts'
import { call } from '../../../platform/http/api.ts'

const movingInKey = ['moving-in'] as const
/** How often the page asks while a process works. */
const REFRESH_MS = 1_000

/** The import of this installation. */
export const movingInQuery = queryOptions({
  queryKey: movingInKey,
  queryFn: async ({ signal }) => (await call(movingIn.get, { signal })).data,
  refetchOnMount: 'always',
  refetchInterval: ({ state: { data } }) =>
    data?.state === 'checking' || data?.state === 'moving' ? REFRESH_MS : false,
})

/** Shows what a call has answered. */
export function showMovingIn(client: QueryClient, answer: MovingIn): void {
  client.setQueryData(movingInQuery.queryKey, answer)
}

type Action = typeof movingIn.check | typeof movingIn.start | typeof movingIn.stop

/** Checks, starts or stops. Throws ApiError. */
export async function act(client: QueryClient, action: Action & Endpoint): Promise<void> {
  showMovingIn(client, (await call(action, {})).data)
}

/** A server whose API is read. */
export interface ApiAccess {
  product: (typeof API_PRODUCTS)[number]
  address: string
  account: string
  token: string
}

/** Names such a server, and starts the check. Throws ApiError. */
export async function checkApi(client: QueryClient, body: ApiAccess): Promise<void> {
  showMovingIn(client, (await call(movingIn.connect, { body })).data)
  await act(client, movingIn.check)
}

/** Deletes the file or token, and the report. Throws ApiError. */
export async function removeMovingIn(client: QueryClient): Promise<void> {
  await call(movingIn.remove, {})
  await client.invalidateQueries({ queryKey: movingInKey })
}
