import { savedReplies } from '#contract/conversations/saved-replies.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import {
  createSavedReply,
  deleteSavedReply,
  getSavedReply,
  listSavedReplies,
  updateSavedReply,
} from './saved-replies.ts'

export function registerSavedRepliesRoutes(routes: Routes, { db, change }: Context) {
  routes.route(savedReplies.list, async ({ caller }) => ({ data: await listSavedReplies(db, caller.account_id) }))
  routes.route(savedReplies.get, async ({ caller, params }) => ({
    data: await getSavedReply(db, caller.account_id, params.id),
  }))
  routes.route(savedReplies.create, async ({ caller, body }) => ({
    data: await change((tx) => createSavedReply(tx, caller.account_id, body.canned_response)),
  }))
  routes.route(savedReplies.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateSavedReply(tx, caller.account_id, params.id, body.canned_response)),
  }))
  routes.route(savedReplies.remove, ({ caller, params }) =>
    change((tx) => deleteSavedReply(tx, caller.account_id, params.id)),
  )
}
