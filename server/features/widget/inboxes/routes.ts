import { inboxes } from '#contract/widget/inboxes.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { recordAudit, recordChanges } from '../../accounts/audit/audit.ts'
import { createInbox, findPrimaryInbox, getInbox, listInboxes, updateInbox } from './inboxes.ts'
import { findInstallation } from './widget-settings.ts'

export function registerInboxesRoutes(routes: Routes, { db, change }: Context) {
  routes.route(inboxes.list, async ({ caller }) => ({ data: await listInboxes(db, caller.account_id) }))
  routes.route(inboxes.primary, async ({ caller }) => ({ data: await findPrimaryInbox(db, caller.account_id) }))
  routes.route(inboxes.get, async ({ caller, params }) => ({ data: await getInbox(db, caller.account_id, params.id) }))
  routes.route(inboxes.installation, async ({ caller, params }) => ({
    data: await findInstallation(db, caller.account_id, params.id),
  }))
  routes.route(inboxes.create, async ({ caller, body }) => {
    const data = await change(async (tx) => {
      const inbox = await createInbox(tx, caller.account_id, body.inbox)
      await recordAudit(tx, caller, { action: 'inbox.created', subject_id: inbox.id, subject_name: inbox.name })
      return inbox
    })
    return { data }
  })
  routes.route(inboxes.update, async ({ caller, params, body }) => {
    const data = await change(async (tx) => {
      const { inbox, changes } = await updateInbox(tx, caller.account_id, params.id, body.inbox)
      const audited = { action: 'inbox.updated', subject_id: inbox.id, subject_name: inbox.name }
      await recordChanges(tx, caller, audited, changes)
      return inbox
    })
    return { data }
  })
}
