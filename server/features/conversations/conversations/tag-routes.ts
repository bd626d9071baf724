import { tags } from '#contract/customers/tags.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { tagCustomer, untagCustomer } from '../../customers/customers/tagging.ts'
import { countTags, createTag, deleteTag, getTag, listTags, updateTag } from '../../customers/tags/tags.ts'
import { tagConversation, untagConversation } from './tagging.ts'

export function openTags(routes: Routes, { db, change }: Context) {
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
    data: await change((open) => createTag(open, caller.account_id, body.tag)),
  }))
  routes.route(tags.update, async ({ caller, params, body }) => ({
    data: await change((open) => updateTag(open, caller.account_id, params.id, body.tag)),
  }))
  routes.route(tags.remove, ({ caller, params }) => change((open) => deleteTag(open, caller.account_id, params.id)))

  routes.route(tags.addToConversation, async ({ caller, params, body }) => {
    await change((open) => tagConversation(open, caller.account_id, params.id, body.tag_id))
    return { data: { ok: true } }
  })
  routes.route(tags.removeFromConversation, async ({ caller, params }) => {
    await change((open) => untagConversation(open, caller.account_id, params.id, params.tag_id))
    return { data: { ok: true } }
  })

  routes.route(tags.addToCustomer, async ({ caller, params, body }) => {
    await change((open) => tagCustomer(open, caller.account_id, params.id, body.tag_id))
    return { data: { ok: true } }
  })
  routes.route(tags.removeFromCustomer, async ({ caller, params }) => {
    await change((open) => untagCustomer(open, caller.account_id, params.id, params.tag_id))
    return { data: { ok: true } }
  })
  routes.route(tags.removeFromCustomerByBody, async ({ caller, params, body }) => {
    await change((open) => untagCustomer(open, caller.account_id, params.id, body.tag_id))
    return { data: { ok: true } }
  })
}
