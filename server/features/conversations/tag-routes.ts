import { tags } from '#contract/tags.ts'
import type { Parley } from '../../parley.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { createTag, deleteTag, getTag, listTags, updateTag } from '../tags/tags.ts'
import { tagConversation, untagConversation } from './tagging.ts'

export function openTags(routes: Routes, { db, change }: Parley) {
  routes.route(tags.list, async ({ caller }) => ({ data: await listTags(db, caller.account_id) }))
  routes.route(tags.get, async ({ caller, params }) => ({ data: await getTag(db, caller.account_id, params.id) }))
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
}
