import { health } from '#contract/operations/health.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { reportHealth } from './report.ts'

export function registerHealthRoutes(routes: Routes, context: Context) {
  routes.route(health.report, async ({ caller }) => ({ data: await reportHealth(context, caller.account_id) }))
}
