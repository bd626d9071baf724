import { attributes } from '#contract/customers/attributes.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { createAttribute, deleteAttribute, listAttributes, reorderAttributes, updateAttribute } from './definitions.ts'
import { suggestAttributes } from './suggestions.ts'

export function registerAttributesRoutes(routes: Routes, { db, change }: Context) {
  routes.route(attributes.list, async ({ caller }) => ({ data: await listAttributes(db, caller.account_id) }))
  routes.route(attributes.suggestions, async ({ caller, query }) => ({
    data: await suggestAttributes(db, caller.account_id, query.subject),
  }))
  routes.route(attributes.create, async ({ caller, body }) => ({
    data: await change((tx) => createAttribute(tx, caller, body.attribute_definition)),
  }))
  routes.route(attributes.reorder, async ({ caller, body }) => ({
    data: await change((tx) => reorderAttributes(tx, caller, body.ids)),
  }))
  routes.route(attributes.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateAttribute(tx, caller, params.id, body.attribute_definition)),
  }))
  routes.route(attributes.remove, ({ caller, params }) => change((tx) => deleteAttribute(tx, caller, params.id)))
}
