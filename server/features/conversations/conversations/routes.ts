import { type ConversationRow, conversations, VisitorChat } from '#contract/conversations/conversations.ts'
import type { Customer } from '#contract/customers/customers.ts'
import { isId } from '#contract/wire.ts'
import type { Context } from '../../../context.ts'
import { Invalid } from '../../../errors.ts'
import { pick } from '../../../pick.ts'
import type { Caller, User } from '../../../platform/caller.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { listTeamOnlyKeys } from '../../customers/attributes/definitions.ts'
import { assertNotBlocked } from '../../customers/customers/changing.ts'
import { createCustomer } from '../../customers/customers/claims.ts'
import { resolveCustomer } from '../../customers/customers/customers.ts'
import { customerForVisitor, customerInChat } from '../../customers/customers/for-visitor.ts'
import { mayActAsCustomer } from '../../customers/customers/visitor-sessions.ts'
import { listForCustomer } from '../messages/for-customer.ts'
import { assertMailAllowed } from './admit-mail.ts'
import { updateConversations } from './changing-many.ts'
import { getConversation, getConversationRow } from './conversations.ts'
import { deleteInboxMovingConversations } from './delete-inbox.ts'
import { conversationForVisitor } from './for-visitor.ts'
import { countConversations, listConversations } from './listing.ts'
import { listDueConversations } from './listing-due.ts'
import { listOpenChats } from './own-conversations.ts'
import { postMessage } from './posting.ts'
import { findPrevious, listRelated } from './related-conversations.ts'
import { startConversation } from './starting.ts'
import { countUnread } from './unread.ts'
import { archiveConversation, setConversationAttributes, updateConversation } from './updating.ts'

/** Number of other conversations shown beside one. */
const RELATED = 3

export function registerConversationsRoutes(routes: Routes, { db, change }: Context) {
  routes.route(conversations.list, ({ caller, query: { after, limit, messages, sort, ...filters } }) =>
    (sort === 'due' ? listDueConversations : listConversations)(db, caller.account_id, caller.user_id, filters, {
      after,
      limit,
      messages: messages === 'last' ? 'preview' : 'newest page',
    }),
  )
  routes.route(conversations.count, async ({ caller, query }) => ({
    data: { count: await countConversations(db, caller.account_id, caller.user_id, query) },
  }))
  routes.route(conversations.unread, async ({ caller }) => {
    const counts = await countUnread(db, caller.account_id, caller.user_id)
    return { data: { ...counts.inboxes, ...counts.conversations, ...counts } }
  })
  routes.route(conversations.get, async ({ caller, params, query }) => ({
    data: await getConversation(db, caller.account_id, params.id, query.messages ?? 'all'),
  }))
  routes.route(conversations.previous, async ({ caller, params }) => ({
    data: await findPrevious(db, caller.account_id, params.id),
  }))
  routes.route(conversations.related, async ({ caller, params, query }) => ({
    data: await listRelated(db, caller.account_id, params.id, query.limit ?? RELATED),
  }))
  routes.route(conversations.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateConversation(tx, caller, params.id, body.conversation)),
  }))
  routes.route(conversations.setAttributes, async ({ caller, params, body }) => ({
    data: await change((tx) => setConversationAttributes(tx, caller.account_id, params.id, body.attributes)),
  }))
  routes.route(conversations.updateMany, async ({ caller, body }) => ({
    data: await updateConversations(change, caller, body),
  }))
  routes.route(conversations.archive, async ({ caller, params }) => ({
    data: await change((tx) => archiveConversation(tx, caller, params.id)),
  }))
  routes.route(conversations.remove, async ({ caller, params }) => {
    await change((tx) => archiveConversation(tx, caller, params.id))
    return null
  })
  // In this feature, because conversations of the inbox are moved first.
  routes.route(conversations.removeInbox, async ({ caller, params, query }) => {
    await deleteInboxMovingConversations(change, caller, params.id, query.move_to)
    return null
  })
}

/** Who starts a conversation, as a client says it. */
interface Starter {
  account_id?: string | undefined
  customer_id?: string | null | undefined
  inbox_id?: string | null | undefined
}

/** The customer's side: calls of the widget and of published clients. */
export function registerCustomerConversationsRoutes(routes: Routes, context: Context) {
  const { db, change } = context

  routes.route(
    conversations.ofCustomer,
    async ({ caller, query: { customer_id: requested_id, account_id, inbox_id } }) => {
      if (!isId(account_id) || !(await mayActAsCustomer(db, caller, account_id, requested_id, inbox_id)))
        return { data: [] }
      const customer_id = (await resolveCustomer(db, requested_id, account_id))?.id ?? requested_id
      const chats = await listOpenChats(db, account_id, customer_id, inbox_id)
      const all = chats.flatMap(({ messages }) => messages)
      const messages = Map.groupBy(await listForCustomer(db, account_id, all), ({ conversation_id }) => conversation_id)
      const hidden = caller.kind === 'visitor' ? await listTeamOnlyKeys(db, account_id) : undefined
      const customerFor = (customer: Customer) =>
        hidden ? customerForVisitor(customer, hidden) : customerInChat(customer)
      return {
        data: chats.map((conversation) =>
          pick(VisitorChat, {
            ...conversation,
            customer: customerFor(conversation.customer),
            messages: messages.get(conversation.id) ?? [],
          }),
        ),
      }
    },
  )

  routes.route(conversations.create, async ({ caller, body: { conversation } }) => {
    const account_id = caller.kind === 'anonymous' ? conversation.account_id : caller.account_id
    const named_id = caller.kind === 'visitor' ? caller.customer_id : conversation.customer_id
    const customer_id = await chooseStarter(caller, { ...conversation, account_id, customer_id: named_id })
    if (caller.kind !== 'user') await assertNotBlocked(db, account_id!, customer_id)
    const { message, id, inbox_id, subject, metadata, source, status, priority, assignee_id, team_id } = conversation
    const byTeam = caller.kind === 'user'
    if (byTeam && message && source === 'email') {
      await assertMailAllowed(context, caller, { customer_id, inbox_id })
    }
    const start = {
      id,
      inbox_id,
      customer_id,
      ...(byTeam && { subject, metadata, source }),
      ...(caller.kind === 'visitor' && { session_id: caller.session_id }),
      isByCustomer: !byTeam,
    }
    const created = await change(async (tx) => {
      const started = await startConversation(tx, account_id!, start)
      const conversation_id = started.id
      if (byTeam && message) {
        await postMessage(
          context,
          tx,
          account_id!,
          { kind: 'user', user_id: caller.user_id },
          { ...message, conversation_id, isOpening: true },
        )
      }
      if (byTeam) {
        const holder = assignee_id ?? (message && chooseHolder(caller, started))
        await updateConversation(tx, caller, conversation_id, { status, priority, assignee_id: holder, team_id })
      }
      return getConversationRow(tx.db, account_id!, conversation_id)
    })
    return byTeam ? { data: created } : { data: conversationForVisitor(created) }
  })

  /**
   * The customer with whom the caller may start a conversation. A browser may have an id of another account, or of a
   * customer who was deleted: its visitor is new here, and the message must arrive.
   * @throws Invalid
   */
  async function chooseStarter(caller: Caller, { account_id, customer_id, inbox_id }: Starter): Promise<string> {
    if (!account_id) throw new Invalid({ account_id: ["can't be blank"] })
    if (!isId(account_id)) throw new Invalid({ account_id: ['does not exist'] })
    if (!customer_id) throw new Invalid({ customer_id: ["can't be blank"] })
    if (caller.kind === 'user' || (await mayActAsCustomer(db, caller, account_id, customer_id, inbox_id)))
      return customer_id
    const isNew = caller.kind === 'anonymous' && !(await resolveCustomer(db, customer_id, account_id))
    if (!isNew) throw new Invalid({ customer_id: ['does not exist'] })
    return (await change((tx) => createCustomer(tx, account_id, {}, 'browser', { ip: caller.address }))).id
  }
}

/** Whoever writes to a customer first keeps the conversation: its team must not give the answer to somebody else. */
function chooseHolder(caller: User, { team_id, assignee_id }: ConversationRow): number | undefined {
  return team_id && assignee_id === null && !caller.api_key ? caller.user_id : undefined
}
