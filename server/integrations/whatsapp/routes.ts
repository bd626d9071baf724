import { whatsapp } from '#contract/integrations/whatsapp.ts'
import type { Context } from '../../context.ts'
import { Forbidden } from '../../errors.ts'
import { assertSwitchedOn } from '../../features/connections/authorizations/connect.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { connectWhatsapp, findWhatsapp, presentWhatsapp, verifyTokenOf, webhookOf } from './connect.ts'
import { receiveCall } from './receive-call.ts'
import { sendTemplate } from './send-template.ts'
import { listTemplates } from './templates.ts'

export function registerWhatsappRoutes(routes: Routes, context: Context) {
  routes.route(whatsapp.connect, async ({ caller, body }) => ({
    data: presentWhatsapp(await connectWhatsapp(context, caller, body.authorization)),
  }))
  routes.route(whatsapp.get, async ({ caller, query }) => {
    const connection = await findWhatsapp(context, caller.account_id, query.inbox_id)
    const webhook_url = webhookOf(context, caller.account_id) ?? null
    return { data: { authorization: connection ? presentWhatsapp(connection) : null, webhook_url } }
  })
  routes.route(whatsapp.templates, async ({ caller, params, query }) => ({
    data: await listTemplates(context, caller.account_id, params.conversation_id, query.refresh === 'true'),
  }))
  routes.route(whatsapp.sendTemplate, async ({ caller, params, body }) => {
    assertSwitchedOn(context)
    return { data: await sendTemplate(context, caller, params.conversation_id, body) }
  })
  // Meta checks an address once, by a call that wants its own text back.
  routes.route(whatsapp.verify, async ({ query, reply }) => {
    const { account, 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = query
    const isRight = !!account && mode === 'subscribe' && token === verifyTokenOf(context, account)
    if (!isRight || !challenge) throw new Forbidden('The verify token is wrong.')
    reply.type('text/plain')
    return challenge
  })
  routes.route(whatsapp.webhook, async ({ request, body }) => {
    assertSwitchedOn(context)
    await receiveCall(context, body, request.signedBy ?? [])
    return { ok: true }
  })
}
