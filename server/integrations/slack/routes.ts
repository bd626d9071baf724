import { slack } from '#contract/integrations/slack.ts'
import { slackThreads } from '#contract/integrations/slack-threads.ts'
import type { Context } from '../../context.ts'
import { NotFound } from '../../errors.ts'
import { assertSwitchedOn } from '../../features/connections/authorizations/connect.ts'
import { runForCaller, runOnceForCaller } from '../../features/connections/authorizations/vendor-call.ts'
import { disconnect } from '../../features/connections/integrations/disconnect.ts'
import { finishWithoutState } from '../../features/connections/integrations/oauth.ts'
import { getConversationRow } from '../../features/conversations/conversations/conversations.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { integrationOf, listSlack, loadSlack, presentSlack, type Slack } from './authorization.ts'
import { connectByTokens, fetchWorkspace } from './connect.ts'
import { parseCall, readEvent, readPresses } from './events.ts'
import { changeSettings } from './settings.ts'
import { storeEvent } from './store-events.ts'
import { listSlackThreads } from './threads.ts'
import { requestAs, withBotToken } from './token.ts'
import { listChannels } from './workspace.ts'

export function registerSlackRoutes(routes: Routes, context: Context) {
  const { db } = context
  routes.route(slack.oauth, async ({ caller, query: { code, type = 'reply', inbox_id = null } }) => {
    const returned = { type: 'support' as const, inbox_id, code }
    await finishWithoutState(context, caller, integrationOf(type), returned)
    return { data: { ok: true } }
  })
  routes.route(slack.lookup, async ({ caller, body }) => ({
    data: await fetchWorkspace(context, caller, body.authorization),
  }))
  routes.route(slack.connect, async ({ caller, body }) => ({
    data: { ok: true, id: (await connectByTokens(context, caller, body.authorization)).id },
  }))
  routes.route(slack.authorization, async ({ caller, query }) => {
    const { type = 'reply', inbox_id, id } = query
    const connections = await listSlack(context, caller.account_id, { type, inbox_id })
    const connection = id ? connections.find((each) => each.id === id) : connections[0]
    return { data: connection ? await presentSlack(db, connection) : null }
  })
  routes.route(slack.authorizations, async ({ caller, query }) => {
    const { type = 'support', inbox_id } = query
    const connections = await listSlack(context, caller.account_id, { type, inbox_id })
    return { data: await Promise.all(connections.map((connection) => presentSlack(db, connection))) }
  })
  routes.route(slack.settings, async ({ caller, params, body }) => {
    const connection = await getSlack(caller.account_id, params.id)
    return { data: await changeSettings(context, caller, connection, body.settings) }
  })
  routes.route(slack.remove, async ({ caller, params }) => {
    const connection = await getSlack(caller.account_id, params.id)
    return disconnect(context, caller, connection.id, { discard: false })
  })
  routes.route(slack.channels, async ({ caller, query }) => {
    const id = query.authorization_id ?? query.slack_authorization_id
    const connections = await listSlack(context, caller.account_id, { type: query.type })
    const connection = id
      ? connections.find((each) => each.id === id)
      : connections.find(({ settings }) => !query.team_id || settings.team_id === query.team_id)
    if (!connection) return { data: [] }
    return {
      data: await runForCaller(() => withBotToken(context, connection, (token) => listChannels(context, token))),
    }
  })
  routes.route(slack.notify, async ({ caller, body }) => {
    const [connection] = await listSlack(context, caller.account_id, { type: body.type ?? 'reply' })
    if (!connection) return { data: null }
    assertSwitchedOn(context)
    const channel = body.channel || connection.settings.channel_id
    const { text } = body
    const sent = await runOnceForCaller('Slack', 'The message may have been posted', () =>
      requestAs(context, connection, (client) => client.chat.postMessage({ channel, text }), channel),
    )
    return { data: { ok: true, channel: sent.channel ?? channel, ts: sent.ts ?? '' } }
  })
  routes.route(slackThreads.list, async ({ caller, query }) => {
    await getConversationRow(db, caller.account_id, query.conversation_id)
    return { data: await listSlackThreads(db, caller.account_id, query.conversation_id) }
  })

  async function getSlack(account_id: string, id: string): Promise<Slack> {
    const connection = await loadSlack(context, account_id, id)
    if (!connection) throw new NotFound()
    return connection
  }
}

/** Signed calls made by Slack. */
export function registerSlackCallRoutes(routes: Routes, context: Context) {
  routes.route(slack.webhook, async ({ body, reply, request }) => {
    reply.header('content-type', 'text/plain; charset=utf-8')
    const { type, challenge } = body
    if (type === 'url_verification' || (typeof challenge === 'string' && !body.event)) return String(challenge)
    assertSwitchedOn(context)
    const event = readEvent(body)
    if (event) await storeEvent(context, event, request.signedBy)
    return ''
  })
  routes.route(slack.actions, async ({ body, reply, request }) => {
    reply.header('content-type', 'text/plain; charset=utf-8')
    assertSwitchedOn(context)
    for (const press of readPresses(parseCall(body.payload ?? ''))) await storeEvent(context, press, request.signedBy)
    return ''
  })
}
