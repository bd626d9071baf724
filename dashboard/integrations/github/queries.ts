import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type GithubSettings, github } from '#contract/integrations/github.ts'
import { integrationKeys } from '../../features/connections/authorizations/keys.ts'
import { call } from '../../platform/http/api.ts'

const KEY = [...integrationKeys.list, 'github'] as const

export const githubQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) => (await call(github.get, { signal })).data,
  refetchOnMount: 'always',
})

/** The repositories that the connection can see. */
export const repositoriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['github-repositories', id],
    queryFn: async ({ signal }) => (await call(github.repositories, { signal })).data,
    staleTime: 60_000,
  })

/** Connects with a token. Throws with GitHub's message. */
export async function connectWithToken(client: QueryClient, access_token: string): Promise<void> {
  await call(github.connect, { body: { authorization: { access_token } } })
  await client.invalidateQueries({ queryKey: integrationKeys.list })
}

export async function saveSettings(client: QueryClient, id: string, settings: GithubSettings): Promise<void> {
  const { data } = await call(github.saveSettings, { params: { id }, body: { settings } })
  client.setQueryData(KEY, data)
}
