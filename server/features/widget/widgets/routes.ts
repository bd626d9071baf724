import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PublicWidgetSettings, WidgetSettings, widgets } from '#contract/widget/widgets.ts'
import { isId } from '#contract/wire.ts'
import type { Context } from '../../../context.ts'
import { missingParameters, NotFound, Refusal, Unacceptable } from '../../../errors.ts'
import type { PageTools } from '../../../feature.ts'
import { pick } from '../../../pick.ts'
import { sendPacked } from '../../../platform/http/compression.ts'
import { widgetHeaders } from '../../../platform/http/pages.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { unknownAccount } from '../../accounts/accounts/accounts.ts'
import { recordChanges } from '../../accounts/audit/audit.ts'
import { chooseInbox } from '../inboxes/inboxes.ts'
import { recordWidgetSeen, updateWidgetSettings } from '../inboxes/widget-settings.ts'
import { findWidget } from './finding.ts'
import { widgetScripts } from './script.ts'
import { describeTeam } from './widget-team.ts'

export function registerWidgetsRoutes(routes: Routes, context: Context) {
  const { config, db, change } = context
  async function find(account_id: string, inbox_id: string | null | undefined) {
    const widget = await findWidget(context, account_id, inbox_id)
    if (widget) return widget
    const isInboxUnknown = !!inbox_id && !!(await findWidget(context, account_id, null))
    throw isInboxUnknown
      ? new NotFound(`This account has no inbox with ID: ${inbox_id}`)
      : unknownAccount(account_id, config)
  }

  routes.route(widgets.settings, async ({ caller, query, request }) => {
    const account_id = caller.kind === 'user' ? caller.account_id : query.account_id
    if (!account_id) {
      throw new Unacceptable('The account_id is a required parameter', {
        received: Object.keys(request.query as object),
      })
    }
    const { settings, account, has_articles } = await find(account_id, query.inbox_id)
    return { data: pick(WidgetSettings, { ...settings, account, has_articles }) }
  })

  routes.route(widgets.team, async ({ query }) => ({
    data: await describeTeam(db, await find(query.account_id, query.inbox_id)),
  }))

  routes.route(widgets.update, async ({ caller, body }) => {
    const { inbox_id: chosen, ...wanted } = body.widget_settings
    const { account_id } = caller
    const inbox = await chooseInbox(db, account_id, chosen)
    if (!inbox) throw new NotFound()
    await change(async (tx) => {
      const changes = await updateWidgetSettings(tx, account_id, inbox.id, wanted)
      const audited = { action: 'inbox.widget_settings_updated', subject_id: inbox.id, subject_name: inbox.name }
      await recordChanges(tx, caller, audited, changes)
    })
    const { settings, account, has_articles } = await find(account_id, inbox.id)
    return { data: { ...settings, account, has_articles } }
  })

  routes.route(widgets.seen, async ({ body: { account_id, inbox_id, metadata }, request }) => {
    if (!account_id || !metadata) {
      throw new Unacceptable(missingParameters('account_id', 'metadata'), {
        received: Object.keys({ ...(request.query as object), ...(request.body as object) }),
      })
    }
    const { settings } = await find(account_id, inbox_id)
    await change((tx) => recordWidgetSeen(tx, settings.account_id, settings.inbox_id, metadata))
    return { data: pick(PublicWidgetSettings, settings) }
  })
}

/**
 * Serves the widget's script. If the address names an account, the script includes the widget's settings, so that the
 * page makes a single request. With an invalid address the plain script is sent, which requests its settings itself.
 */
export function serveWidgetScript(app: FastifyInstance, context: Context, { limit, sendWidget }: PageTools) {
  async function find({ query, ip, log }: FastifyRequest) {
    const { token, inbox } = query as Record<string, unknown>
    if (typeof token !== 'string' || !isId(token)) return undefined
    const inbox_id = typeof inbox === 'string' && isId(inbox) ? inbox.toLowerCase() : null
    const pay = () => limit(widgets.settings, { kind: 'anonymous', address: ip }, 0)
    try {
      return await widgetScripts(context).get(token.toLowerCase(), inbox_id, pay)
    } catch (error) {
      if (!(error instanceof Refusal)) log.warn({ err: error }, 'The widget’s script is served without settings')
      return undefined
    }
  }
  app.get('/widget.js', async (request, reply) => {
    const script = await find(request)
    if (!script) return sendWidget(reply)
    return sendPacked(
      request,
      reply.type('application/javascript; charset=utf-8').headers(widgetHeaders('widget.js')),
      script,
    )
  })
}
