import { type MessageDraft, messages } from '#contract/conversations/messages.ts'
import type { Context } from '../../../context.ts'
import { Forbidden, NotFound } from '../../../errors.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { type AuditedAction, recordAudit } from '../../accounts/audit/audit.ts'
import { resolveCustomer } from '../../customers/customers/customers.ts'
import { forCustomer, listForCustomer } from '../messages/for-customer.ts'
import { countMessages, getMessage, listMessages, type MessageRow } from '../messages/messages.ts'
import { deleteMessage, updateMessage } from './changing-messages.ts'
import { findConversationOfCustomer } from './conversations.ts'
import { withMailOfMetadata } from './mail-in-metadata.ts'
import { chooseAuthor, isCustomer } from './message-author.ts'
import { postInGroup } from './posting.ts'

export function registerMessagesRoutes(routes: Routes, context: Context) {
  const { db, change } = context
  routes.route(messages.list, async ({ caller, query }) => {
    if (caller.kind === 'user') return listMessages(db, caller.account_id, query)
    const { conversation_id, before, limit } = query
    if (!conversation_id) throw new NotFound()
    await findConversationOfCustomer(db, caller, conversation_id)
    const page = await listMessages(db, caller.account_id, { conversation_id, private: false, before, limit })
    return { ...page, data: await listForCustomer(db, caller.account_id, page.data) }
  })

  routes.route(messages.count, async ({ caller }) => ({ data: { count: await countMessages(db, caller.account_id) } }))

  routes.route(messages.get, async ({ caller, params }) => ({
    data: await getMessage(db, caller.account_id, params.id),
  }))

  routes.route(messages.create, async ({ caller, body: { message } }) => {
    const { account_id } = caller
    if (caller.kind === 'visitor') {
      const author = { kind: 'visitor' as const, customer_id: caller.customer_id }
      return { data: forCustomer(await postInGroup(context, account_id, author, message)) }
    }
    const author = chooseAuthor(caller.user_id, message.customer_id, message.type)
    const draft = withMailOfMetadata(message)
    if (isCustomer(author)) {
      return { data: await postForCustomer(context, account_id, author.customer_id, draft) }
    }
    return { data: await postInGroup(context, account_id, author, draft) }
  })

  routes.route(messages.update, async ({ caller, params, body }) => ({
    data: await change(async (tx) => {
      const { message, changed } = await updateMessage(tx, caller, params.id, body.message)
      // Only the names of fields: removed text must not be kept here.
      if (changed.length > 0) await recordAudit(tx, caller, actionOn(message, 'message.updated', { fields: changed }))
      return message
    }),
  }))

  routes.route(messages.remove, ({ caller, params, query }) =>
    change(async (tx) => {
      const message = await deleteMessage(context, tx, caller, params.id, { keepsFiles: query.keep_files === 'true' })
      await recordAudit(tx, caller, actionOn(message, 'message.deleted'))
      return null
    }),
  )
}

/**
 * Posts in the name of a customer. Nearly always the conversation is that customer's, so another id is only looked up if
 * it is not: it may be of one that was merged.
 */
async function postForCustomer(context: Context, account_id: string, customer_id: string, draft: MessageDraft) {
  const post = (id: string) => postInGroup(context, account_id, { kind: 'customer', customer_id: id }, draft)
  try {
    return await post(customer_id)
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    const customer = await resolveCustomer(context.db, customer_id, account_id)
    if (!customer) throw new Forbidden('Forbidden: invalid `customer_id`')
    if (customer.id === customer_id) throw error
    return post(customer.id)
  }
}

/** Recorded with the conversation, so that it is erased together with it. */
function actionOn(message: MessageRow, action: string, details: object = {}): AuditedAction {
  const { id: message_id, number, conversation_id, user_id: author_id } = message
  const author = author_id === null ? {} : { author_id }
  return {
    action,
    subject_id: conversation_id,
    details: { message_id, number, private: message.private, ...author, ...details },
  }
}
