import { type IntegrationName, kindOf } from '#contract/connections/kinds.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** Why nothing is sent over a removed connection, and what to do, for people. */
export function describeDisconnected(integration: IntegrationName): string {
  const { name, vendor } = kindOf(integration)
  const what = vendor ?? `The ${name.toLowerCase()}`
  return `${what} is disconnected. Reconnect it under Integrations → ${name}.`
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
  await ofAccount(db, account_id)
    .updateTable('deliveries')
    .set({ authorization_id: id })
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
