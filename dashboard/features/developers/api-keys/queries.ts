import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type ApiKey, apiKeys } from '#contract/developers/api-keys.ts'
import { call } from '../../../platform/http/api.ts'
import { ApiError } from '../../../platform/http/request.ts'

/** The user's API keys, newest first, with masked values. */
export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async ({ signal }) => (await call(apiKeys.list, { query: { masked: true }, signal })).data,
  refetchOnMount: 'always',
})

interface Draft {
  label: string
  scope: ApiKey['scope']
  expires_at: string | null
}

/** Generates a key and returns its value, which is not cached. */
export async function generateKey(client: QueryClient, draft: Draft): Promise<ApiKey> {
  const { data } = await call(apiKeys.create, { body: draft })
  await client.invalidateQueries(apiKeysQuery)
  return data
}

export async function revealKey(id: string): Promise<string> {
  return (await call(apiKeys.reveal, { params: { id } })).data.value
}

export async function deleteKey(client: QueryClient, id: string): Promise<void> {
  await call(apiKeys.remove, { params: { id } }).catch((error) => {
    // It was already deleted in another tab.
    if (!(error instanceof ApiError && error.status === 404)) throw error
  })
  client.setQueryData(apiKeysQuery.queryKey, (keys) => keys?.filter((key) => key.id !== id))
}
