import { SharedConversation, sharing } from '#contract/conversations/sharing.ts'
import type { Context } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import { pick } from '../../../pick.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { listForCustomer } from '../messages/for-customer.ts'
import { listMessages } from '../messages/messages.ts'
import { getConversation } from './conversations.ts'
import { listShares, openShare, revokeShare, shareConversation } from './sharing.ts'

export function registerSharingRoutes(routes: Routes, { db, change }: Context) {
  routes.route(sharing.share, async ({ caller, params }) => {
    const made = await change((tx) => shareConversation(tx, caller.account_id, params.id, caller.user_id))
    return { data: { ok: true, ...made } }
  })
  routes.route(sharing.list, async ({ caller, params }) => ({
    data: await listShares(db, caller.account_id, params.id),
  }))
  routes.route(sharing.revoke, ({ caller, params }) =>
    change((tx) => revokeShare(tx, caller.account_id, params.id, params.share_id)),
  )
  routes.route(sharing.shared, async ({ query: { conversation_id, token, before } }) => {
    const account_id = await openShare(db, conversation_id, token)
    const conversation = await getConversation(db, account_id, conversation_id!, 'last')
    if (conversation.archived_at) throw new NotFound()
    const page = await listMessages(db, account_id, { conversation_id: conversation_id!, private: false, before })
    return {
      data: pick(SharedConversation, {
        ...conversation,
        messages: await listForCustomer(db, account_id, page.data),
        next: page.next,
      }),
    }
  })
}
