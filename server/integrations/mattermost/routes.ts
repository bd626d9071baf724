import { type MattermostServer, mattermost } from '#contract/integrations/mattermost.ts'
import type { Context } from '../../context.ts'
import { assertSwitchedOn } from '../../features/connections/authorizations/connect.ts'
import { retainMasked } from '../../features/connections/authorizations/secrets.ts'
import { disconnectOne } from '../../features/connections/integrations/disconnect.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { findMattermost, presentMattermost } from './authorization.ts'
import { readAddress } from './client.ts'
import { connectMattermost, listChannels } from './connect.ts'
import { storePostId } from './events.ts'
import { listNamed, readCall } from './token.ts'

export function registerMattermostRoutes(routes: Routes, context: Context) {
  routes.route(mattermost.connect, async ({ caller, body }) => {
    const { id } = await connectMattermost(context, caller, body.authorization)
    return { data: { ok: true, id } }
  })
  routes.route(mattermost.get, async ({ caller, query }) => {
    const connection = await findMattermost(context, caller.account_id, query.inbox_id)
    return { data: connection ? presentMattermost(connection) : null }
  })
  const findChannels = async (account_id: string, server: MattermostServer) => {
    assertSwitchedOn(context)
    const url = readAddress(server.mattermost_url ?? '')
    const connection = await findMattermost(context, account_id, server.inbox_id)
    const stored = connection?.settings.url === url ? connection?.credentials.access_token : undefined
    const access_token = retainMasked(server.access_token?.trim(), stored)
    return { data: url && access_token ? await listChannels(context, { url, access_token }) : [] }
  }
  routes.route(mattermost.findChannels, ({ caller, body }) => findChannels(caller.account_id, body.authorization))
  routes.route(mattermost.channels, ({ caller, query }) => findChannels(caller.account_id, query))
  routes.route(mattermost.remove, ({ caller, params }) => disconnectOne(context, caller, params.id, 'mattermost'))
  routes.route(mattermost.webhook, async ({ body, reply, request }) => {
    reply.header('content-type', 'text/plain; charset=utf-8')
    assertSwitchedOn(context)
    const { channel_id, token } = readCall(request.rawBody ?? Buffer.alloc(0))
    for (const connection of await listNamed(context, channel_id, token)) {
      if (body.post_id) await storePostId(context, connection, body.post_id)
    }
    return ''
  })
}
