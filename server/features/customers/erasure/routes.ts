import { deletedConversations } from '#contract/conversations/deleted-conversations.ts'
import { erasure } from '#contract/customers/erasure.ts'
import type { Context } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { closeAccount } from './closing.ts'
import { listDeletedConversations } from './deleted-conversations.ts'
import { destroyDeletedConversation } from './destroy-conversation.ts'
import { eraseEverything } from './erasing.ts'
import { exportCustomer } from './exporting.ts'

export function registerErasureRoutes(routes: Routes, context: Context) {
  const { db, change } = context
  routes.route(erasure.export, async ({ caller, params, reply }) => {
    const everything = await exportCustomer(context, db, caller.account_id, params.id)
    await change((tx) => recordAudit(tx, caller, { action: 'customer.exported', subject_id: params.id }))
    reply.header('content-disposition', `attachment; filename="customer-${params.id}.json"`)
    return everything
  })
  const close = (caller: User, company_name: string | null | undefined) => closeAccount(context, caller, company_name)
  routes.route(erasure.closeAccount, ({ caller, body }) => close(caller, body.company_name))
  routes.route(erasure.closeAccountById, ({ caller, params, body }) => {
    if (params.id !== caller.account_id) throw new NotFound()
    return close(caller, body.company_name)
  })
  routes.route(erasure.erase, async ({ caller, params }) => ({
    data: await eraseEverything(context, caller, params.id),
  }))
  routes.route(deletedConversations.list, ({ caller, query }) => listDeletedConversations(db, caller.account_id, query))
  routes.route(deletedConversations.destroy, async ({ caller, params }) => ({
    data: await change((tx) => destroyDeletedConversation(context, tx, caller, params.id)),
  }))
}
