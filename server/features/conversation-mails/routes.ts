import { messageMails } from '#contract/message-mails.ts'
import type { Context } from '../../context.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { getMessageMail } from './message-mails.ts'

export function openMessageMails(routes: Routes, { db }: Context) {
  routes.route(messageMails.get, async ({ caller, params }) => ({
    data: await getMessageMail(db, caller.account_id, params.id),
  }))
}
