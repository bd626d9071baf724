import { integrations } from '#contract/connections/integrations.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { listInbound, openOriginal, retryInbound } from '../inbound/inbound-events.ts'
import { disconnect } from './disconnect.ts'
import { listConnected, testConnection } from './overview.ts'

export function registerIntegrationsRoutes(routes: Routes, context: Context) {
  const { db, change, config } = context
  routes.route(integrations.list, async ({ caller }) => ({
    data: await listConnected(context, caller.account_id),
    is_on: config.integrations,
  }))
  routes.route(integrations.test, async ({ caller, params }) => ({
    data: await testConnection(context, caller.account_id, params.id),
  }))
  routes.route(integrations.remove, ({ caller, params, query }) =>
    disconnect(context, caller, params.id, { discard: query.discard === 'true' }),
  )
  routes.route(integrations.inboundEvents, ({ caller, query }) => listInbound(db, caller.account_id, query))
  routes.route(integrations.inboundOriginal, async ({ caller, params, reply }) => {
    const original = await openOriginal(context, caller.account_id, params.id)
    reply.headers({
      'content-type': 'message/rfc822',
      'content-disposition': `attachment; filename="mail-${params.id}.eml"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    return original
  })
  routes.route(integrations.retryInbound, async ({ caller, params }) => ({
    data: await change((tx) => retryInbound(context, tx, caller.account_id, params.id)),
  }))
}
