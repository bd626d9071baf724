import { macros } from '#contract/conversations/macros.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { createMacro, deleteMacro, listMacros, runMacro, updateMacro } from './macros.ts'

export function registerMacrosRoutes(routes: Routes, context: Context) {
  const { db, change } = context
  routes.route(macros.list, async ({ caller }) => ({ data: await listMacros(db, caller) }))
  routes.route(macros.create, async ({ caller, body }) => ({
    data: await change((tx) => createMacro(tx, caller, body.macro)),
  }))
  routes.route(macros.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateMacro(tx, caller, params.id, body.macro)),
  }))
  routes.route(macros.remove, ({ caller, params }) => change((tx) => deleteMacro(tx, caller, params.id)))
  routes.route(macros.run, async ({ caller, params, body }) => ({
    data: await change((tx) => runMacro(context, tx, caller, params.id, body.conversation_id)),
  }))
}
