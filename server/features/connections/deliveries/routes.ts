import { deliveries } from '#contract/connections/deliveries.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { getConversation } from '../../conversations/conversations/conversations.ts'
import { findChannelProblem } from './channel.ts'
import { discardDelivery, listDeliveries, listDeliveriesOf, retryDelivery } from './deliveries.ts'
import { resolveHeld } from './held.ts'

export function registerDeliveriesRoutes(routes: Routes, context: Context) {
  const { db, change } = context
  routes.route(deliveries.list, ({ caller, query }) => listDeliveries(db, caller.account_id, query))
  routes.route(deliveries.ofConversation, async ({ caller, params: { conversation_id } }) => {
    await getConversation(db, caller.account_id, conversation_id)
    return { data: await listDeliveriesOf(db, caller.account_id, conversation_id) }
  })
  routes.route(deliveries.channel, async ({ caller, params }) => ({
    data: await findChannelProblem(context, caller, params.conversation_id),
  }))
  routes.route(deliveries.retry, async ({ caller, params }) => ({
    data: await change((tx) => retryDelivery(context, tx, caller.account_id, params.id)),
  }))
  routes.route(deliveries.discard, ({ caller, params }) =>
    change((tx) => discardDelivery(tx, caller.account_id, params.id)),
  )
  routes.route(deliveries.settleHeld, async ({ caller: { account_id }, params: { id: authorization_id }, body }) => ({
    count: await change((tx) => resolveHeld(context, tx, { account_id, authorization_id }, body.action)),
  }))
}
