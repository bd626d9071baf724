import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/change.ts'
import { acrossAccounts } from '../../platform/db/of-account.ts'
import { SLACK_INTEGRATIONS, type SlackSettings } from './authorization.ts'
import type { FromSlack, Named, SlackEvent } from './events.ts'

/** A connection that an event may concern. */
export interface Target {
  account_id: string
  id: string
  integration: 'slack' | 'slack:sync'
  last_in_at: string | null
  settings: SlackSettings
}

/** The channel of an event; undefined for events about a whole workspace. */
export function channelOf(event: SlackEvent): string | undefined {
  if (event.type === 'reaction_added') return event.item.channel
  return 'channel' in event ? event.channel : undefined
}

/** Whether a connection belongs to one of the named workspaces. */
export function isNamed({ team_ids }: Pick<Named, 'team_ids'>): RawBuilder<boolean> {
  const addresses = team_ids.map((team_id) => `${team_id}/%`)
  return sql<boolean>`address like any (${addresses}::text[])`
}

/** The app's connections that an event may concern, in all accounts. */
export async function findTargets(db: Db, { team_ids, app_id, event }: FromSlack): Promise<Target[]> {
  const channel_id = channelOf(event)
  const rows = await acrossAccounts(db, 'one event concerns every account that connected the workspace')
    .selectFrom('authorizations')
    .select(['account_id', 'id', 'integration', 'last_in_at', 'settings'])
    .where('integration', 'in', SLACK_INTEGRATIONS)
    .where('removed_at', 'is', null)
    .where(isNamed({ team_ids }))
    .execute()
  const targets = rows as unknown as Target[]
  return targets.filter(({ settings, integration }) => {
    const isOfApp = !app_id || !settings.app_id || settings.app_id === app_id
    // Customers also write in the channels of companies.
    return isOfApp && (!channel_id || settings.channel_id === channel_id || integration === 'slack:sync')
  })
}
