import { telegram } from '#contract/integrations/telegram.ts'
import type { Context } from '../../context.ts'
import { disconnectOne } from '../../features/connections/integrations/disconnect.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { connectTelegram } from './connect.ts'
import { findTelegram, presentTelegram } from './connection.ts'
import { createInvitation } from './invitations.ts'

export function registerTelegramRoutes(routes: Routes, context: Context) {
  routes.route(telegram.connect, async ({ caller, body }) => ({
    data: await connectTelegram(context, caller, body.connection),
  }))
  routes.route(telegram.get, async ({ caller, query }) => {
    const connection = await findTelegram(context, caller.account_id, query.inbox_id)
    return { data: connection ? presentTelegram(connection) : null }
  })
  routes.route(telegram.remove, ({ caller, params }) => disconnectOne(context, caller, params.id, 'telegram'))
  routes.route(telegram.invite, async ({ caller, params }) => ({
    data: await createInvitation(context, caller.account_id, params.conversation_id),
  }))
}
