import { inboxes } from '#contract/inboxes.ts'
import type { Parley } from '../../parley.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { createInbox, deleteInbox, findPrimaryInbox, getInbox, listInboxes, updateInbox } from './inboxes.ts'

export function openInboxes(routes: Routes, { db, change }: Parley) {
  routes.route(inboxes.list, async ({ caller }) => ({ data: await listInboxes(db, caller.account_id) }))
  routes.route(inboxes.primary, async ({ caller }) => ({ data: await findPrimaryInbox(db, caller.account_id) }))
  routes.route(inboxes.get, async ({ caller, params }) => ({ data: await getInbox(db, caller.account_id, params.id) }))
  routes.route(inboxes.create, async ({ caller, body }) => ({
    data: await change((open) => createInbox(open, caller.account_id, body.inbox)),
  }))
  routes.route(inboxes.update, async ({ caller, params, body }) => ({
    data: await change((open) => updateInbox(open, caller.account_id, params.id, body.inbox)),
  }))
  routes.route(inboxes.remove, ({ caller, params }) =>
    change((open) => deleteInbox(open, caller.account_id, params.id)),
  )
}
