import { mails } from '#contract/mail/mails.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { getMail, listMails, needMailServer, retryMail } from './mails.ts'
import { countUnsentMails, releaseMails } from './unsent-mails.ts'

export function registerMailsRoutes(routes: Routes, context: Context) {
  const { db, change, mailer } = context
  routes.route(mails.list, async ({ caller }) => ({
    data: await listMails(db, caller.account_id),
    is_mail_server_set: mailer.isOn,
    kept_count: await countUnsentMails(db, caller.account_id),
  }))
  routes.route(mails.get, async ({ caller, params }) => ({
    data: await getMail(context, caller, params.id),
  }))
  routes.route(mails.sendKept, async ({ caller }) => {
    needMailServer(mailer)
    return { data: { count: await change((tx) => releaseMails(context, tx, caller.account_id)) } }
  })
  routes.route(mails.retry, async ({ caller, params }) => ({
    data: await change((tx) => retryMail(context, tx, caller.account_id, params.id)),
  }))
}
