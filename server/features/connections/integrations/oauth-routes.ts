import { integrationApps, oauth } from '#contract/connections/oauth.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { describeApp, removeApp, saveApp } from '../authorizations/apps.ts'
import { finishOAuth, startOAuth } from './oauth.ts'

export function registerOAuthRoutes(routes: Routes, context: Context) {
  routes.route(oauth.start, async ({ caller, body }) => ({ data: await startOAuth(context, caller, body) }))
  routes.route(oauth.finish, async ({ caller, body }) => ({ data: await finishOAuth(context, caller, body) }))
  routes.route(integrationApps.get, async ({ caller, params }) => ({
    data: await describeApp(context, caller.account_id, params.vendor),
  }))
  routes.route(integrationApps.save, async ({ caller, params, body }) => ({
    data: await saveApp(context, caller, params.vendor, body.app),
  }))
  routes.route(integrationApps.remove, ({ caller, params }) => removeApp(context, caller, params.vendor))
}
