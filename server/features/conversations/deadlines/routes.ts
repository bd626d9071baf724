import { deadlines } from '#contract/conversations/deadlines.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { recordAudit, recordChanges } from '../../accounts/audit/audit.ts'
import { getConversationRow } from '../conversations/conversations.ts'
import { createPolicy, deletePolicy, listPolicies, orderPolicies, updatePolicy } from './policies.ts'
import { listDeadlines } from './presenting.ts'

export function registerDeadlinesRoutes(routes: Routes, { db, change }: Context) {
  routes.route(deadlines.listPolicies, async ({ caller }) => ({ data: await listPolicies(db, caller.account_id) }))
  routes.route(deadlines.createPolicy, async ({ caller, body }) => {
    const data = await change(async (tx) => {
      const policy = await createPolicy(tx, caller.account_id, body.policy)
      await recordAudit(tx, caller, audited('created', policy))
      return policy
    })
    return { data }
  })
  routes.route(deadlines.updatePolicy, async ({ caller, params, body }) => {
    const data = await change(async (tx) => {
      const { policy, changes } = await updatePolicy(tx, caller.account_id, params.id, body.policy)
      await recordChanges(tx, caller, audited('updated', policy), changes)
      return policy
    })
    return { data }
  })
  routes.route(deadlines.removePolicy, async ({ caller, params }) => {
    await change(async (tx) => {
      await recordAudit(tx, caller, audited('deleted', await deletePolicy(tx, caller.account_id, params.id)))
    })
    return null
  })
  routes.route(deadlines.orderPolicies, async ({ caller, body }) => {
    const data = await change(async (tx) => {
      const policies = await orderPolicies(tx, caller.account_id, body.ids)
      await recordAudit(tx, caller, { action: 'deadline_policy.ordered' })
      return policies
    })
    return { data }
  })
  routes.route(deadlines.ofConversation, async ({ caller, params }) => {
    await getConversationRow(db, caller.account_id, params.id)
    return { data: await listDeadlines(db, caller.account_id, params.id) }
  })
}

function audited(action: 'created' | 'updated' | 'deleted', { id, name }: { id: string; name: string }) {
  return { action: `deadline_policy.${action}`, subject_id: id, subject_name: name }
}
