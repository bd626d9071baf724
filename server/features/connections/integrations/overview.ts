import type { Authorization, AuthorizationInList } from '#contract/connections/integrations.ts'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../errors.ts'
import { getAuthorization, listAuthorizations, loadConnected } from '../authorizations/authorizations.ts'
import { assertSwitchedOn } from '../authorizations/connect.ts'
import { recordFailure, recordRepaired, recordWorking } from '../authorizations/health.ts'
import { recordReceiving } from '../authorizations/receiving.ts'
import { asRefusal } from '../authorizations/vendor-call.ts'
import { countOpenDeliveries, makeWaitingDue } from '../deliveries/deliveries.ts'
import { wakeSender } from '../deliveries/sender.ts'
import { countFailedInbound } from '../inbound/inbound-events.ts'

/** All connections, with numbers of waiting and failed deliveries. */
export async function listConnected({ db }: Pick<Context, 'db'>, account_id: string): Promise<AuthorizationInList[]> {
  const [connected, open, failedInbound] = await Promise.all([
    listAuthorizations(db, account_id),
    countOpenDeliveries(db, account_id),
    countFailedInbound(db, account_id),
  ])
  return connected.map((authorization) => ({
    ...authorization,
    waiting_count: open.get(authorization.id)?.waiting ?? 0,
    held_count: open.get(authorization.id)?.held ?? 0,
    failed_count: open.get(authorization.id)?.failed ?? 0,
    failed_inbound_count: failedInbound.get(authorization.id) ?? 0,
  }))
}

/**
 * Tests whether the other system answers, and records the result. If it does, the connection works again, and what waited
 * for it is sent.
 * @throws Refusal with the recorded sentence
 */
export async function testConnection(context: Context, account_id: string, id: string): Promise<Authorization> {
  assertSwitchedOn(context)
  const { integration: name } = await getAuthorization(context.db, account_id, id)
  const integration = context.integrations.get(name)
  if (!integration?.test) throw new Refusal(422, 'There is no test for this integration.')
  const authorization = await loadConnected(context, account_id, id)
  if (!authorization) throw new Refusal(422, 'Its credentials cannot be decrypted on this server. Connect it again.')
  try {
    await integration.test(context, authorization)
    await context.change(async (tx) => {
      await recordRepaired(tx, authorization)
      // That it answers does not show that a live connection is open.
      if (integration.poll) await recordReceiving(context, tx, authorization)
      else await recordWorking(tx, authorization)
      await makeWaitingDue(tx, account_id, id)
    })
  } catch (error) {
    await recordFailure(context, authorization, error)
    throw asRefusal(error)
  }
  await context.liveConnections.reconcile()
  wakeSender(context)
  return getAuthorization(context.db, account_id, id)
}
