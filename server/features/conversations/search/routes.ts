import { search } from '#contract/conversations/search.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { findAnything } from './searching.ts'

export function registerSearchRoutes(routes: Routes, { searches }: Context) {
  routes.route(search.find, ({ caller, query: { q = '', after, limit } }) =>
    searches.run(caller.account_id, (db) => findAnything(db, caller.account_id, caller.user_id, { q, after, limit })),
  )
}
