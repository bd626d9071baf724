import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type MattermostDraft, type MattermostServer, mattermost } from '#contract/integrations/mattermost.ts'
import { integrationKeys } from '../../features/connections/authorizations/keys.ts'
import { call } from '../../platform/http/api.ts'

/** The connected channel of an inbox, or null. */
export const mattermostQuery = (inbox_id: string) =>
  queryOptions({
    queryKey: [...integrationKeys.list, 'mattermost', inbox_id],
    queryFn: async ({ signal }) => (await call(mattermost.get, { query: { inbox_id }, signal })).data,
    refetchOnMount: 'always',
  })

/** The channels that the bot can see, from the Mattermost server. */
export const channelsQuery = (server: MattermostServer) =>
  queryOptions({
    queryKey: ['mattermost-channels', server],
    queryFn: async ({ signal }) =>
      (await call(mattermost.findChannels, { body: { authorization: server }, signal })).data,
    retry: false,
    staleTime: 60_000,
  })

/** Connects a channel. Throws with Mattermost's message. */
export async function saveMattermost(client: QueryClient, authorization: MattermostDraft): Promise<void> {
  await call(mattermost.connect, { body: { authorization } })
  await client.invalidateQueries({ queryKey: integrationKeys.list })
}
