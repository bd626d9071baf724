import { conversationViews } from '#contract/conversations/views.ts'
import type { Context } from '../../../context.ts'
import type { User } from '../../../platform/caller.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import type { Scope } from './conditions.ts'
import { countViewed, listViewed } from './listing.ts'
import {
  assertConditions,
  createView,
  deleteView,
  getView,
  listViewFilters,
  listViews,
  reorderViews,
  updateView,
} from './views.ts'

export function registerViewsRoutes(routes: Routes, { db, change }: Context) {
  routes.route(conversationViews.list, async ({ caller }) => ({ data: await listViews(db, caller) }))
  routes.route(conversationViews.create, async ({ caller, body }) => ({
    data: await change((tx) => createView(tx, caller, body.view)),
  }))
  routes.route(conversationViews.reorder, async ({ caller, body }) => ({
    data: await change((tx) => reorderViews(tx, caller, body.ids)),
  }))
  routes.route(conversationViews.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateView(tx, caller, params.id, body.view)),
  }))
  routes.route(conversationViews.remove, ({ caller, params }) => change((tx) => deleteView(tx, caller, params.id)))
  routes.route(conversationViews.counts, async ({ caller }) => {
    const counted = await countViewed(db, scopeOf(caller), await listViewFilters(db, caller))
    return { data: counted.map(({ id, count }) => ({ id, count })) }
  })
  routes.route(conversationViews.count, async ({ caller, body: { view } }) => {
    assertConditions(view.conditions)
    const [counted] = await countViewed(db, scopeOf(caller), [view])
    return { data: { count: counted!.count } }
  })
  routes.route(conversationViews.conversations, async ({ caller, params, query: { after, limit, messages } }) =>
    listViewed(db, scopeOf(caller), await getView(db, caller, params.id), {
      after,
      limit,
      messages: messages === 'last' ? 'preview' : 'newest page',
    }),
  )
}

function scopeOf({ account_id, user_id }: User): Scope {
  return { account_id, me: user_id, now: new Date() }
}
