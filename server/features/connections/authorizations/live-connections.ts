import type { Context } from '../../../context.ts'
import { ConnectionRevoked } from '../../../integration.ts'
import { acrossAccounts } from '../../../platform/db/of-account.ts'
import type { LiveConnection, WantedConnection } from '../../../platform/outbound/live-connections.ts'
import { isServed } from '../../accounts/accounts/suspension.ts'
import { loadConnected } from './authorizations.ts'
import { recordReceiving, recordReceivingFailure } from './receiving.ts'

/** The long-lived connections that should be open. */
export async function listWantedConnections(context: Context): Promise<WantedConnection[]> {
  const live = [...context.integrations.values()].filter((integration) => integration.connect).map(({ name }) => name)
  if (live.length === 0) return []
  const rows = await acrossAccounts(context.db, 'looks after all accounts at once')
    .selectFrom('authorizations')
    .select(['account_id', 'id', 'updated_at'])
    .where('integration', 'in', live)
    .where('state', '=', 'connected')
    .where('removed_at', 'is', null)
    .where(isServed('authorizations.account_id'))
    .execute()
  return rows.map(({ updated_at, ...whose }) => ({
    name: `authorization ${whose.id}`,
    revision: updated_at,
    open: (signal) => openConnection(context, whose, signal),
    onWorking: () => context.change((tx) => recordReceiving(context, tx, whose)),
    onInterruption: (error, isDown) => recordReceivingFailure(context, whose, error, isDown),
  }))
}

async function openConnection(
  context: Context,
  whose: { account_id: string; id: string },
  signal: AbortSignal,
): Promise<LiveConnection> {
  const authorization = await loadConnected(context, whose.account_id, whose.id)
  if (!authorization)
    throw new ConnectionRevoked('Its credentials cannot be decrypted on this server. Connect it again.')
  return context.integrations.get(authorization.integration)!.connect!(context, authorization, signal)
}
