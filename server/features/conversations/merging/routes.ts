import { merging } from '#contract/conversations/merging.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { getConversationRow } from '../conversations/conversations.ts'
import { mergeConversations } from './merging.ts'
import { listMoves } from './moves.ts'
import { splitConversation } from './splitting.ts'
import { undoMove } from './undoing.ts'

export function registerMergingRoutes(routes: Routes, { db, change }: Context) {
  routes.route(merging.merge, async ({ caller, params, body }) => ({
    data: await change((tx) => mergeConversations(tx, caller, params.id, body.into_id)),
  }))
  routes.route(merging.split, async ({ caller, params, body }) => ({
    data: await change((tx) => splitConversation(tx, caller, params.id, body.range)),
  }))
  routes.route(merging.undo, async ({ caller, params }) => ({
    data: await change((tx) => undoMove(tx, caller, params.id)),
  }))
  routes.route(merging.moves, async ({ caller, params }) => {
    await getConversationRow(db, caller.account_id, params.id)
    return { data: await listMoves(db, caller.account_id, params.id) }
  })
}
