import type { SlackAuthorization } from '#contract/integrations/slack.ts'
import type { Context } from '../../context.ts'
import { loadConnected } from '../../features/connections/authorizations/authorizations.ts'
import type { OAuthCredentials } from '../../features/connections/authorizations/fresh-token.ts'
import { maskSecret } from '../../features/connections/authorizations/secrets.ts'
import type { ConnectedAuthorization } from '../../integration.ts'
import type { Db } from '../../platform/db/change.ts'
import { ofAccount } from '../../platform/db/of-account.ts'

/** A workspace's tokens; the access token is the bot's. */
export interface SlackCredentials extends OAuthCredentials {
  /** The token for the live connection; null if Slack calls us. */
  app_token: string | null
}

/** Details and settings of a connected channel. */
export interface SlackSettings {
  team_id: string
  team_name: string
  channel_id: string
  /** Its name, beginning with #. */
  channel: string
  /** The app's user id. All messages of this user in Slack are ours. */
  bot_user_id: string
  bot_name: string
  app_id: string | null
  configuration_url: string | null
  /** The token comes from the consent page, so we may revoke it. */
  is_consented: boolean
  sync_all_incoming_threads: boolean
  sync_by_emoji_tagging: boolean
}

/** The time of the last message that was read, in Slack's form. */
interface SlackCursor {
  ts: string
}

export type Slack = ConnectedAuthorization<SlackCredentials, SlackSettings, SlackCursor>

/** A connection as it is stored: older ones have the token under Slack's name, and lack what came later. */
export type StoredSlack = ConnectedAuthorization<
  Partial<SlackCredentials> & { access_token: string; bot_token?: string },
  SlackSettings,
  SlackCursor
>

export const SLACK_INTEGRATIONS = ['slack', 'slack:sync'] as const

/** The key by which events are routed. */
export function addressOf({ team_id, channel_id }: Pick<SlackSettings, 'team_id' | 'channel_id'>): string {
  return `${team_id}/${channel_id}`
}

/** A connection of this integration, with its type. */
export function asSlack({ credentials, ...authorization }: StoredSlack): Slack {
  const { bot_token, ...stored } = credentials
  // The copy under Slack's name stays unchanged when tokens are renewed.
  const access_token = stored.access_token ?? bot_token
  return {
    ...authorization,
    credentials: { app_token: null, refresh_token: null, expires_at: null, ...stored, access_token },
  }
}

/** Undefined if it was disconnected, or its credentials cannot be decrypted. */
export async function loadSlack(
  context: Pick<Context, 'db' | 'keys'>,
  account_id: string,
  id: string,
): Promise<Slack | undefined> {
  const stored = await loadConnected<StoredSlack>(context, account_id, id)
  return stored && SLACK_INTEGRATIONS.some((name) => name === stored.integration) ? asSlack(stored) : undefined
}

/** An account's connected channels, oldest first. */
export async function listSlack(
  context: Pick<Context, 'db' | 'keys'>,
  account_id: string,
  { type, inbox_id }: { type?: 'reply' | 'support' | undefined; inbox_id?: string | null | undefined },
): Promise<Slack[]> {
  const rows = await ofAccount(context.db, account_id)
    .selectFrom('authorizations')
    .select('id')
    .where('integration', 'in', type ? [integrationOf(type)] : SLACK_INTEGRATIONS)
    .$if(!!inbox_id, (query) => query.where('inbox_id', '=', inbox_id!))
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const connections = await Promise.all(rows.map(({ id }) => loadSlack(context, account_id, id)))
  return connections.flatMap((connection) => connection ?? [])
}

export function integrationOf(type: 'reply' | 'support'): 'slack' | 'slack:sync' {
  return type === 'reply' ? 'slack' : 'slack:sync'
}

/** A connection as shown to the team. */
export function presentSlack(db: Db, slack: Slack): Promise<SlackAuthorization> {
  const { account_id, id, inbox_id, integration, created_at, credentials, settings } = slack
  const { channel, channel_id, configuration_url, team_id, team_name } = settings
  const { sync_all_incoming_threads, sync_by_emoji_tagging } = settings
  return ofAccount(db, account_id)
    .selectFrom('authorizations')
    .select('updated_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
    .then(({ updated_at }) => ({
      id,
      object: 'slack_authorization',
      account_id,
      inbox_id,
      type: integration === 'slack' ? 'reply' : 'support',
      channel,
      channel_id,
      configuration_url,
      team_id,
      team_name,
      bot_token: maskSecret(''),
      app_token: credentials.app_token && maskSecret(''),
      settings: {
        sync_all_incoming_threads,
        sync_by_emoji_tagging,
        sync_trigger_emoji: 'eyes',
        forward_synced_messages_to_reply_channel: true,
      },
      created_at,
      updated_at,
    }))
}
