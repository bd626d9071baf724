import { scheduledMessages } from '#contract/conversations/scheduled-messages.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { cancelScheduled, changeScheduled, scheduleMessage, suggestReply } from './planning.ts'
import { listScheduled } from './rows.ts'
import { sendAtOnce } from './sending.ts'

export function registerScheduledMessagesRoutes(routes: Routes, context: Context) {
  const { db, change } = context
  routes.route(scheduledMessages.list, async ({ caller, query }) => ({ data: await listScheduled(db, caller, query) }))

  routes.route(scheduledMessages.create, async ({ caller, body }) => ({
    data: await change((tx) => scheduleMessage(context, tx, caller, body.scheduled_message)),
  }))

  routes.route(scheduledMessages.suggest, async ({ caller, body }) => ({
    data: await change((tx) => suggestReply(context, tx, caller, body.suggestion)),
  }))

  routes.route(scheduledMessages.update, async ({ caller, params, body }) => ({
    data: await change((tx) => changeScheduled(context, tx, caller, params.id, body.scheduled_message)),
  }))

  routes.route(scheduledMessages.send, async ({ caller, params, query }) => {
    await change((tx) => sendAtOnce(context, tx, caller, params.id, query.send_anyway))
    return null
  })

  routes.route(scheduledMessages.remove, async ({ caller, params }) => ({
    data: await change((tx) => cancelScheduled(tx, caller, params.id)),
  }))
}
