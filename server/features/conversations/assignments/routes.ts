import { assignments } from '#contract/conversations/assignments.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { getConversationRow } from '../conversations/conversations.ts'
import { listAssignments } from '../conversations/record-assignment.ts'
import { disbandTeam } from './disbanding.ts'
import { countWaiting, giveBackWaiting } from './returning.ts'

export function registerAssignmentsRoutes(routes: Routes, { db, change }: Context) {
  routes.route(assignments.list, async ({ caller, params }) => {
    await getConversationRow(db, caller.account_id, params.id)
    return { data: await listAssignments(db, caller.account_id, params.id) }
  })
  routes.route(assignments.countWaiting, async ({ caller }) => ({
    data: { count: await countWaiting(db, caller.account_id, caller.user_id) },
  }))
  routes.route(assignments.giveBack, async ({ caller }) => ({
    data: { count: await giveBackWaiting(change, caller.account_id, caller.user_id) },
  }))
  routes.route(assignments.disbandTeam, async ({ caller, params }) => {
    await disbandTeam(change, caller, params.id)
    return null
  })
}
