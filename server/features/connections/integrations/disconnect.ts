import type { IntegrationName } from '#contract/connections/integrations.ts'
import type { Context } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import type { ConnectedAuthorization } from '../../../integration.ts'
import type { User } from '../../../platform/caller.ts'
import { getAuthorization, loadConnected } from '../authorizations/authorizations.ts'
import { removeAuthorization } from '../authorizations/connect.ts'
import { dropWaiting } from '../deliveries/deliveries.ts'

/**
 * Disconnects. Waiting deliveries are kept until the same place is connected again, or dropped. The other system is
 * notified if possible; the result does not matter.
 */
export async function disconnect(
  context: Context,
  caller: User,
  id: string,
  { discard }: { discard: boolean },
): Promise<null> {
  const authorization = await loadConnected(context, caller.account_id, id)
  await context.change(async (tx) => {
    await removeAuthorization(tx, caller, id)
    if (discard) await dropWaiting(tx, caller.account_id, id)
  })
  if (authorization) revoke(context, authorization)
  await context.liveConnections.reconcile()
  return null
}

/** The same for calls of one integration, which must not see others. @throws NotFound */
export async function disconnectOne(
  context: Context,
  caller: User,
  id: string,
  integration: IntegrationName,
): Promise<null> {
  const authorization = await getAuthorization(context.db, caller.account_id, id)
  if (authorization.integration !== integration) throw new NotFound()
  return disconnect(context, caller, id, { discard: false })
}

/** Best effort: the credentials are deleted here, whatever the other system answers. */
function revoke(context: Context, authorization: ConnectedAuthorization): void {
  const integration = context.integrations.get(authorization.integration)
  integration?.revoke?.(context, authorization).catch((error) => {
    context.log.info({ err: error, authorization_id: authorization.id }, 'An OAuth grant could not be revoked')
  })
}
