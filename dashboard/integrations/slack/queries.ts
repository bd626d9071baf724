import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type SlackDraft,
  type SlackTokens,
  type SlackType,
  type SlackWorkspace,
  slack,
} from '#contract/integrations/slack.ts'
import { integrationKeys } from '../../features/connections/authorizations/keys.ts'
import { call } from '../../platform/http/api.ts'

/** The connected channels of an inbox, oldest first. */
export const slackQuery = (type: SlackType, inbox_id: string | undefined) =>
  queryOptions({
    queryKey: [...integrationKeys.list, 'slack', type, inbox_id],
    queryFn: async ({ signal }) =>
      (await call(slack.authorizations, { query: { type, ...(inbox_id && { inbox_id }) }, signal })).data,
    refetchOnMount: 'always',
  })

/** The channels of a workspace in which customers write. */
export const slackChannelsQuery = (team_id: string) =>
  queryOptions({
    queryKey: ['slack-channels', team_id],
    queryFn: async ({ signal }) => (await call(slack.channels, { query: { team_id, type: 'support' }, signal })).data,
    retry: false,
    staleTime: 60_000,
  })

/** The workspace that the app's tokens give access to. Throws with Slack's message. */
export async function lookUpWorkspace(authorization: SlackTokens): Promise<SlackWorkspace> {
  return (await call(slack.lookup, { body: { authorization } })).data
}

/** Connects a channel. Throws with Slack's message. */
export async function connectChannel(client: QueryClient, authorization: SlackDraft): Promise<void> {
  await call(slack.connect, { body: { authorization } })
  void client.invalidateQueries({ queryKey: integrationKeys.list })
}

/** Changes which messages become conversations. */
export async function saveSwitches(
  client: QueryClient,
  id: string,
  settings: { sync_all_incoming_threads?: boolean; sync_by_emoji_tagging?: boolean },
): Promise<void> {
  await call(slack.settings, { params: { id }, body: { settings } })
  await client.invalidateQueries({ queryKey: integrationKeys.list })
}
