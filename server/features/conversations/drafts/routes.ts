import { drafts } from '#contract/conversations/drafts.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { findDraft, saveDraft } from './drafts.ts'

export function registerDraftsRoutes(routes: Routes, { db, change }: Context) {
  routes.route(drafts.get, async ({ caller, params }) => ({
    data: (await findDraft(db, caller.account_id, caller.user_id, params.id)) ?? null,
  }))
  routes.route(drafts.save, async ({ caller, params, body }) => ({
    data: await change((tx) => saveDraft(tx, caller.account_id, caller.user_id, params.id, body.draft)),
  }))
}
