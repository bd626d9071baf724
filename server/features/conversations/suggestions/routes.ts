import { suggestions } from '#contract/conversations/suggestions.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { suggest } from './suggest.ts'

export function registerSuggestionsRoutes(routes: Routes, context: Context) {
  routes.route(suggestions.get, async ({ caller, params }) => ({
    data: await suggest(context, caller.account_id, params.id),
  }))
}
