import { rules } from '#contract/conversations/rules.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { explainConversation } from './explain.ts'
import { createRule, deleteRule, getRule, listRules, reorderRules, updateRule } from './rules.ts'
import { tryRule } from './try-out.ts'

export function registerRulesRoutes(routes: Routes, context: Context) {
  const { db, change } = context
  routes.route(rules.list, async ({ caller }) => ({ data: await listRules(db, caller.account_id) }))
  routes.route(rules.get, async ({ caller, params }) => ({ data: await getRule(db, caller.account_id, params.id) }))
  routes.route(rules.create, async ({ caller, body }) => ({
    data: await change((tx) => createRule(tx, caller, body.rule)),
  }))
  routes.route(rules.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateRule(tx, caller, params.id, body.rule)),
  }))
  routes.route(rules.reorder, async ({ caller, body }) => ({
    data: await change((tx) => reorderRules(tx, caller, body.ids)),
  }))
  routes.route(rules.remove, ({ caller, params }) => change((tx) => deleteRule(tx, caller, params.id)))
  routes.route(rules.tryOut, async ({ caller, body }) => ({
    data: await tryRule(db, caller.account_id, body.rule),
  }))
  routes.route(rules.ofConversation, async ({ caller, params }) => ({
    data: await explainConversation(db, caller.account_id, params.id),
  }))
}
