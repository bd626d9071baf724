import { tags } from '#contract/customers/tags.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { tagCustomer, untagCustomer } from '../../customers/customers/tagging.ts'
import { countTags, createTag, deleteTag, getTag, listTags, updateTag } from '../../customers/tags/tags.ts'
import { tagConversation, untagConversation } from './tagging.ts'

export function registerTagsRoutes(routes: Routes, { db, change }: Context) {
  routes.route(tags.list, async ({ caller: { account_id }, query }) => {
    const all = await listTags(db, account_id)
    return { data: query.counts ? await countTags(db, account_id, all) : all }
  })
  routes.route(tags.get, async ({ caller: { account_id }, params }) => {
    const tag = await getTag(db, account_id, params.id)
    const [counted] = await countTags(db, account_id, [tag])
    return { data: counted ?? tag }
  })
  routes.route(tags.create, async ({ caller, body }) => ({
    data: await change((tx) => createTag(tx, caller.account_id, body.tag)),
  }))
  routes.route(tags.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateTag(tx, caller.account_id, params.id, body.tag)),
  }))
  routes.route(tags.remove, ({ caller, params }) => change((tx) => deleteTag(tx, caller.account_id, params.id)))

  routes.route(tags.addToConversation, async ({ caller, params, body }) => {
    await change((tx) => tagConversation(tx, caller.account_id, params.id, body.tag_id))
    return { data: { ok: true } }
  })
  routes.route(tags.removeFromConversation, async ({ caller, params }) => {
    await change((tx) => untagConversation(tx, caller.account_id, params.id, params.tag_id))
    return { data: { ok: true } }
  })

  routes.route(tags.addToCustomer, async ({ caller, params, body }) => {
    await change((tx) => tagCustomer(tx, caller.account_id, params.id, body.tag_id))
    return { data: { ok: true } }
  })
  routes.route(tags.removeFromCustomer, async ({ caller, params }) => {
    await change((tx) => untagCustomer(tx, caller.account_id, params.id, params.tag_id))
    return { data: { ok: true } }
  })
  routes.route(tags.removeFromCustomerByBody, async ({ caller, params, body }) => {
    await change((tx) => untagCustomer(tx, caller.account_id, params.id, body.tag_id))
    return { data: { ok: true } }
  })
}
