import type { MattermostAuthorization } from '#contract/integrations/mattermost.ts'
import type { Context } from '../../context.ts'
import { loadConnected } from '../../features/connections/authorizations/authorizations.ts'
import { maskSecret } from '../../features/connections/authorizations/secrets.ts'
import type { ConnectedAuthorization } from '../../integration.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import type { Access } from './client.ts'

export interface MattermostCredentials {
  access_token: string
  verification_token: string
}

export interface MattermostSettings {
  url: string
  channel_id: string
  channel_name: string
  team_id: string
  team_name: string
  team_domain: string
  /** The bot's user id. All posts of this user are ours. */
  bot_user_id: string
}

export type Mattermost = ConnectedAuthorization<MattermostCredentials, MattermostSettings>

export function accessOf({ settings, credentials }: Mattermost): Access {
  return { url: settings.url, access_token: credentials.access_token }
}

/** The unique key of a channel, by which calls are routed. */
export function addressOf(channel_id: string, url: string): string {
  return `${channel_id} ${url}`
}

/** The connected channel of an inbox, or the account's oldest one. */
export async function findMattermost(
  context: Pick<Context, 'db' | 'keys'>,
  account_id: string,
  inbox_id: string | undefined,
): Promise<Mattermost | undefined> {
  const row = await ofAccount(context.db, account_id)
    .selectFrom('authorizations')
    .select('id')
    .where('integration', '=', 'mattermost')
    .$if(!!inbox_id, (query) => query.where('inbox_id', '=', inbox_id!))
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row && loadConnected<Mattermost>(context, account_id, row.id)
}

/** A connection as shown to admins. */
export function presentMattermost({
  id,
  inbox_id,
  created_at,
  credentials,
  settings,
}: Mattermost): MattermostAuthorization {
  const { url, channel_name, bot_user_id: _, ...otherSettings } = settings
  return {
    id,
    object: 'mattermost_authorization',
    inbox_id,
    mattermost_url: url,
    channel: channel_name,
    channel_name,
    ...otherSettings,
    access_token: maskSecret(credentials.access_token),
    verification_token: maskSecret(credentials.verification_token),
    created_at,
  }
}
