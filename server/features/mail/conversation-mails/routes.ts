import { conversationForwarding } from '#contract/mail/conversation-forwarding.ts'
import { messageMails } from '#contract/mail/message-mails.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { forwardConversation } from './forward.ts'
import { listMailsOfConversation } from './list-mails.ts'
import { getMessageMail } from './message-mails.ts'
import { readRecipients } from './recipients.ts'
import { splitOff, undoSplitOff } from './split-off.ts'

export function registerMessageMailsRoutes(routes: Routes, context: Context) {
  routes.route(messageMails.get, async ({ caller, params }) => ({
    data: await getMessageMail(context.db, caller.account_id, params.id),
  }))
  routes.route(messageMails.ofConversation, async ({ caller, params }) => ({
    data: await listMailsOfConversation(context, caller.account_id, params.id),
  }))
  routes.route(messageMails.recipients, async ({ caller, params }) => ({
    data: await readRecipients(context, caller.account_id, params.id),
  }))
  routes.route(messageMails.splitOff, async ({ caller, params }) => ({
    data: await context.change((tx) => splitOff(context, tx, caller, params.id)),
  }))
  routes.route(messageMails.undoSplitOff, async ({ caller, params }) => ({
    data: await context.change((tx) => undoSplitOff(context, tx, caller, params.id)),
  }))
  routes.route(conversationForwarding.forward, async ({ caller, params, body }) => {
    await forwardConversation(context, caller, params.id, body.forward)
    return { ok: true }
  })
}
