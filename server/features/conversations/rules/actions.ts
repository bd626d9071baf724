import type { ConversationAction, ConversationActionName } from '#contract/conversations/conversation-actions.ts'
import type { Context } from '../../../context.ts'
import { Invalid, type Refusal } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import type { Actor } from '../../accounts/audit/audit.ts'
import { loadTags } from '../../customers/tags/tags.ts'
import { callWebhook } from '../../developers/webhooks/call-webhook.ts'
import { getConversationRow, lockConversation } from '../conversations/conversations.ts'
import type { Author } from '../conversations/message-author.ts'
import { postMessage } from '../conversations/posting.ts'
import { tagConversation, untagConversation } from '../conversations/tagging.ts'
import { Unsendable } from '../conversations/unsendable.ts'
import { setConversationAttributes, updateConversation } from '../conversations/updating.ts'
import type { RuleState } from './facts.ts'

/** Who acts on which conversation: a person with a macro, or a rule. */
export interface Acting {
  context: Pick<Context, 'mailer' | 'jobs'>
  tx: Change
  actor: Actor
  author: Extract<Author, { kind: 'user' | 'bot' }>
  conversation_id: string
}

/** The fields on which it depends whether an action changes anything. */
export type ActionState = Pick<
  RuleState,
  'status' | 'priority' | 'assignee_id' | 'team_id' | 'tag_ids' | 'is_snoozed'
> & {
  /** Missing in what is stored of an event: an attribute starts no rule, so it cannot make rules undo each other. */
  metadata?: Record<string, unknown>
}

interface ActionKind<Action> {
  /** Whether it would change anything. */
  isNeeded(action: Action, state: ActionState): boolean
  /** Changes the conversation by the function that people use, too. Throws what that refuses. */
  run(acting: Acting, action: Action): Promise<unknown>
}

const ACTIONS: { [Name in ConversationActionName]: ActionKind<Extract<ConversationAction, { action: Name }>> } = {
  assign: {
    isNeeded: ({ user_id }, { assignee_id }) => user_id !== assignee_id,
    run: (acting, { user_id }) => update(acting, { assignee_id: user_id }),
  },
  set_team: {
    isNeeded: (action, { team_id }) => action.team_id !== (team_id ?? null),
    run: (acting, { team_id }) => update(acting, { team_id }),
  },
  set_attribute: {
    isNeeded: ({ key, value }, { metadata }) => metadata !== undefined && (metadata[key] ?? null) !== value,
    run: ({ tx, actor, conversation_id }, { key, value }) =>
      setConversationAttributes(tx, actor.account_id, conversation_id, { [key]: value }),
  },
  add_tag: {
    isNeeded: ({ tag_id }, { tag_ids }) => !tag_ids.includes(tag_id),
    run: ({ tx, actor, conversation_id }, { tag_id }) => tagConversation(tx, actor.account_id, conversation_id, tag_id),
  },
  remove_tag: {
    isNeeded: ({ tag_id }, { tag_ids }) => tag_ids.includes(tag_id),
    run: ({ tx, actor, conversation_id }, { tag_id }) =>
      untagConversation(tx, actor.account_id, conversation_id, tag_id),
  },
  set_priority: {
    isNeeded: ({ priority }, state) => priority !== state.priority,
    run: (acting, { priority }) => update(acting, { priority }),
  },
  set_status: {
    isNeeded: ({ status }, state) => status !== state.status,
    run: (acting, { status }) => update(acting, { status }),
  },
  snooze: {
    isNeeded: (_, { is_snoozed }) => !is_snoozed,
    run: (acting, { minutes }) =>
      update(acting, {
        snoozed: { until: minutes === null ? null : new Date(Date.now() + minutes * 60_000).toISOString() },
      }),
  },
  add_note: {
    isNeeded: () => true,
    run: (acting, { body }) => post(acting, { body, private: true }),
  },
  notify: {
    isNeeded: () => true,
    run: (acting, { body, user_ids }) => post(acting, { body, private: true, mentioned_user_ids: user_ids }),
  },
  call_webhook: {
    isNeeded: () => true,
    run: async ({ context, tx, actor: { account_id }, conversation_id }, { webhook_id }) =>
      callWebhook(context, tx, account_id, webhook_id, await getConversationRow(tx.db, account_id, conversation_id)),
  },
  answer: {
    isNeeded: () => true,
    run: (acting, { body }) => post(acting, { body, private: false }),
  },
}

/** Locks a conversation and reads on what it depends which actions change it; undefined if it was destroyed. */
export async function readActionState({ db }: Change, account_id: string, conversation_id: string) {
  const row = await lockConversation(db, account_id, conversation_id)
  if (!row) return undefined
  const { status, priority, assignee_id, team_id, snoozed_at, snoozed_until, archived_at } = row
  const tags = (await loadTags(db, account_id, [conversation_id])).get(conversation_id) ?? []
  const tag_ids = tags.map(({ id }) => id)
  const metadata = (row.metadata ?? {}) as Record<string, unknown>
  const is_snoozed = snoozed_at !== null
  return { status, priority, assignee_id, team_id, tag_ids, metadata, is_snoozed, snoozed_until, archived_at }
}

/** Whether an action would change a conversation in this state. */
export function isActionNeeded(action: ConversationAction, state: ActionState): boolean {
  return kindOf(action).isNeeded(action, state)
}

/** Does an action. @throws Refusal if the conversation, or what the action names, does not allow it */
export async function runAction(acting: Acting, action: ConversationAction): Promise<void> {
  await kindOf(action).run(acting, action)
}

function kindOf(action: ConversationAction): ActionKind<ConversationAction> {
  return ACTIONS[action.action] as ActionKind<ConversationAction>
}

function update({ tx, actor, conversation_id }: Acting, changes: Parameters<typeof updateConversation>[3]) {
  return updateConversation(tx, actor, conversation_id, changes)
}

/** What a rule writes is a side remark: it neither reopens the conversation nor marks it as unread. */
function post(
  { context, tx, actor, author, conversation_id }: Acting,
  message: { body: string; private: boolean; mentioned_user_ids?: number[] },
) {
  const isQuiet = author.kind === 'bot'
  return postMessage(context, tx, actor.account_id, author, { conversation_id, isQuiet, ...message })
}

/** Why an action was refused, as a sentence for people. */
export function reasonOf(refusal: Refusal): string {
  if (!(refusal instanceof Invalid) || refusal instanceof Unsendable) return refusal.message
  return Object.entries(refusal.errors)
    .map(([field, errors]) => `${field} ${errors.join(', ')}`)
    .join('; ')
}
