import { mails } from '#contract/mails.ts'
import type { Context } from '../../context.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { getMail, listMails, retryMail } from './mails.ts'

export function openMails(routes: Routes, context: Context) {
  const { db, change, mailer } = context
  routes.route(mails.list, async ({ caller }) => ({
    data: await listMails(db, caller.account_id),
    is_mail_server_set: mailer.isOn,
  }))
  routes.route(mails.get, async ({ caller, params }) => ({
    data: await getMail(context, caller.account_id, params.id),
  }))
  routes.route(mails.retry, async ({ caller, params }) => ({
    data: await change((open) => retryMail(context, open, caller.account_id, params.id)),
  }))
}
