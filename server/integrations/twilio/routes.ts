import { twilio } from '#contract/integrations/twilio.ts'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import { assertSwitchedOn } from '../../features/connections/authorizations/connect.ts'
import { runOnceForCaller } from '../../features/connections/authorizations/vendor-call.ts'
import { disconnectOne } from '../../features/connections/integrations/disconnect.ts'
import { assertNoneInDoubt } from '../../features/connections/opt-out/opt-out.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { findTwilio, needNewest } from './client.ts'
import { connectTwilio, presentTwilio } from './connect.ts'
import { toE164 } from './numbers.ts'
import { channelOf } from './opt-out.ts'
import { send } from './outgoing.ts'
import { receiveCall } from './receive-call.ts'

export function registerTwilioRoutes(routes: Routes, context: Context) {
  routes.route(twilio.connect, async ({ caller, body }) => ({
    data: await connectTwilio(context, caller, body.authorization),
  }))
  routes.route(twilio.get, async ({ caller, query }) => {
    const connection = await findTwilio(context, caller.account_id, query.inbox_id)
    return { data: connection ? presentTwilio(connection) : null }
  })
  routes.route(twilio.remove, ({ caller, params }) => disconnectOne(context, caller, params.id, 'twilio'))
  routes.route(twilio.send, async ({ caller, body }) => {
    assertSwitchedOn(context)
    const newest = await needNewest(context, caller.account_id)
    const to = await toE164(body.to, newest.settings.phone_number)
    if (!to) throw new Invalid({ to: ['is invalid'] })
    if (!body.send_anyway) await assertNoneInDoubt(context.db, caller.account_id, channelOf(to), to)
    const { phone_number, messaging_service_sid } = newest.settings
    const from = messaging_service_sid ? undefined : phone_number
    const work = () => send(context, newest, { to, from, body: body.body, media: [] })
    return { data: await runOnceForCaller('Twilio', 'The message may have been sent', work) }
  })
  routes.route(twilio.webhook, async ({ request }) => {
    assertSwitchedOn(context)
    await receiveCall(context, new URLSearchParams(request.rawBody?.toString()), request.signedBy ?? [])
    return null
  })
}
