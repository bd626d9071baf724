import * as z from 'zod/mini'
import { type ConversationAction, ConversationActions } from '#contract/conversations/conversation-actions.ts'
import { listIn, textOf } from './lists.ts'
import { find, type MovedAccount, NoEqual } from './moved-account.ts'

/** What macros and rules do: their actions, and the texts that they send to customers. */
export interface Acts {
  actions: ConversationAction[]
  messages: string[]
}

const STATUSES: Record<string, ConversationAction> = {
  open: { action: 'set_status', status: 'open' },
  resolved: { action: 'set_status', status: 'closed' },
  snoozed: { action: 'snooze', minutes: null },
}
/** Parley has two grades; conversations were moved by the same table. */
const PRIORITIES: Record<string, 'priority' | 'not_priority'> = {
  urgent: 'priority',
  high: 'priority',
  medium: 'not_priority',
  low: 'not_priority',
  nil: 'not_priority',
}
const NOBODY = ['nil', 'null', '']

type ToActions = (moved: MovedAccount, params: unknown[]) => ConversationAction[]

const ACTIONS: Record<string, ToActions> = {
  assign_agent: (moved, [id]) => [{ action: 'assign', user_id: orNobody(id, () => find(moved.users, id, 'person')) }],
  assign_team: (moved, [id]) => [{ action: 'set_team', team_id: orNobody(id, () => find(moved.teams, id, 'team')) }],
  remove_assigned_team: () => [{ action: 'set_team', team_id: null }],
  add_label: ({ tags }, names) => names.map((name) => ({ action: 'add_tag', tag_id: findTag(tags, name) })),
  remove_label: ({ tags }, names) => names.map((name) => ({ action: 'remove_tag', tag_id: findTag(tags, name) })),
  change_status: (_, [status]) => [statusOf(status)],
  resolve_conversation: () => [statusOf('resolved')],
  open_conversation: () => [statusOf('open')],
  snooze_conversation: () => [statusOf('snoozed')],
  change_priority: (_, [grade]) => {
    const priority = PRIORITIES[textOf(grade) || 'nil']
    if (!priority) throw new NoEqual(`sets the priority ${textOf(grade)}`)
    return [{ action: 'set_priority', priority }]
  },
  add_private_note: (_, [body]) => [{ action: 'add_note', body: textOf(body) }],
}

/**
 * The equal of a list of Chatwoot's actions.
 * @throws NoEqual if one of them has none
 */
export function toActs(moved: MovedAccount, raw: unknown): Acts {
  const acts: Acts = { actions: [], messages: [] }
  for (const { action_name, action_params } of listIn(raw)) {
    const name = textOf(action_name)
    const params = Array.isArray(action_params) ? action_params : action_params == null ? [] : [action_params]
    if (name === 'send_message') acts.messages.push(textOf(params[0]))
    else if (ACTIONS[name]) acts.actions.push(...ACTIONS[name](moved, params))
    else throw new NoEqual(`has the action ${name || 'without a name'}`)
  }
  const { error } = z.safeParse(ConversationActions, acts.actions)
  if (error) throw new NoEqual('has an action that is too long, empty, or one of too many')
  return acts
}

function statusOf(status: unknown): ConversationAction {
  const action = STATUSES[textOf(status)]
  if (!action) throw new NoEqual(`sets the status ${textOf(status)}`)
  return action
}

function findTag(tags: MovedAccount['tags'], name: unknown): string {
  return find(tags, textOf(name).toLowerCase(), 'label')
}

function orNobody<Id>(said: unknown, find: () => Id): Id | null {
  if (said === 'self') throw new NoEqual('assigns to whoever runs it')
  return NOBODY.includes(textOf(said)) ? null : find()
}
