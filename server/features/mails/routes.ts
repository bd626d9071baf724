import { mails } from '#contract/mails.ts'
import type { Parley } from '../../parley.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { getMail, listMails } from './mails.ts'

export function openMails(routes: Routes, parley: Parley) {
  const { db, mailer } = parley
  routes.route(mails.list, async ({ caller }) => ({
    data: await listMails(db, caller.account_id),
    is_mail_server_set: mailer.isOn,
  }))
  routes.route(mails.get, async ({ caller, params }) => ({ data: await getMail(parley, caller.account_id, params.id) }))
}
