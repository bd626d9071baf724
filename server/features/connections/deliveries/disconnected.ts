import type { IntegrationName } from '#contract/connections/integrations.ts'
import type { Change } from '../../../platform/db/change.ts'

/** The channels of customers as people call them, with the page where each is connected. */
const CHANNELS: Partial<Record<IntegrationName, { name: string; page: string }>> = {
  twilio: { name: 'SMS', page: 'Integrations → Twilio' },
  'slack:sync': { name: 'Slack', page: 'Integrations → Slack sync' },
  slack: { name: 'Slack', page: 'Integrations → Slack' },
  mattermost: { name: 'Mattermost', page: 'Integrations → Mattermost' },
  mailbox: { name: 'The mailbox', page: 'Integrations → Mailbox' },
  gmail: { name: 'Gmail', page: 'Integrations → Gmail' },
}

/** Why nothing is sent over a removed connection, and what to do, for people. */
export function describeDisconnected(integration: IntegrationName): string {
  const { name, page } = CHANNELS[integration] ?? { name: 'This connection', page: 'Integrations' }
  return `${name} is disconnected. Reconnect it under ${page}.`
}

/**
 * Moves what waits for disconnected ones of an inbox's connections to a new one, for example with another number. The
 * order stays.
 */
export async function adoptWaiting(
  { db }: Change,
  account_id: string,
  { id, integration, inbox_id }: { id: string; integration: IntegrationName; inbox_id: string | null },
): Promise<void> {
  // Personal mailboxes have no inbox, and belong to different people.
  if (inbox_id === null) return
  await db
    .updateTable('deliveries')
    .set({ authorization_id: id })
    .where('account_id', '=', account_id)
    .where('integration', '=', integration)
    .where('state', '=', 'waiting')
    .where('authorization_id', 'in', (from) =>
      from
        .selectFrom('authorizations')
        .select('id')
        .where('account_id', '=', account_id)
        .where('integration', '=', integration)
        .where('inbox_id', '=', inbox_id)
        .where('removed_at', 'is not', null),
    )
    .execute()
}
