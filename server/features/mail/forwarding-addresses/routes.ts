import { forwardingAddresses } from '#contract/mail/forwarding-addresses.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { canReceive } from '../conversation-mails/own-addresses.ts'
import { findCatchAllProblem } from './catch-all.ts'
import {
  createForwardingAddress,
  deleteForwardingAddress,
  getForwardingAddress,
  listForwardingAddresses,
  updateForwardingAddress,
} from './forwarding-addresses.ts'
import { sendTestMail } from './test-mail.ts'

export function registerForwardingAddressesRoutes(routes: Routes, context: Context) {
  const { db, change, config, mailer } = context
  routes.route(forwardingAddresses.list, async ({ caller, query }) => ({
    data: await listForwardingAddresses(db, caller.account_id, query.inbox_id),
    can_receive: canReceive(config),
    can_send: mailer.isOn,
    receiving_problem: config.mailInImapUrl ? await findCatchAllProblem(db) : null,
  }))
  routes.route(forwardingAddresses.get, async ({ caller, params }) => ({
    data: await getForwardingAddress(db, caller.account_id, params.id),
  }))
  routes.route(forwardingAddresses.create, async ({ caller, body }) => ({
    data: await change(async (tx) => {
      const made = await createForwardingAddress(config, tx, caller.account_id, body.forwarding_address)
      await recordAudit(tx, caller, {
        action: 'forwarding_address.created',
        subject_id: made.id,
        subject_name: made.source_email_address,
      })
      return made
    }),
  }))
  routes.route(forwardingAddresses.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateForwardingAddress(tx, caller.account_id, params.id, body.forwarding_address)),
  }))
  routes.route(forwardingAddresses.remove, ({ caller, params }) =>
    change(async (tx) => {
      const deleted = await deleteForwardingAddress(tx, caller.account_id, params.id)
      await recordAudit(tx, caller, {
        action: 'forwarding_address.deleted',
        subject_id: deleted.id,
        subject_name: deleted.source_email_address,
      })
      return null
    }),
  )
  routes.route(forwardingAddresses.test, async ({ caller, params }) => {
    const address = await getForwardingAddress(db, caller.account_id, params.id)
    await change((tx) => sendTestMail(context, tx, caller.user_id, address))
    return { data: address }
  })
}
