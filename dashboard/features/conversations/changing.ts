import type { QueryClient } from '@tanstack/react-query'
import { type Conversation, type ConversationRow, conversations, type Tag } from '#contract/conversations.ts'
import { call } from '../../api.ts'
import { errorText, logError } from '../../errors.ts'
import { findConversation, hearConversation, replaceConversation } from './cache.ts'

/** What can be changed, alone or for many at once. `snoozed` puts aside, or wakes with null. */
export type Changes = Partial<
  Pick<ConversationRow, 'status' | 'priority' | 'assignee_id' | 'archived_at' | 'read'> & {
    snoozed: { until: string | null } | null
  }
>

export interface Outcome {
  done: Conversation[]
  refused: Conversation[]
  /** Why, where something was refused. */
  reason: string
}

/** As many as one call takes. */
const MOST_AT_ONCE = 200

/**
 * Changes conversations on screen at once and then on the server; those that are refused are shown as they were. One
 * goes by its own call, several by the call for many.
 */
export async function changeConversations(
  client: QueryClient,
  list: readonly Conversation[],
  changes: Changes,
  user_id: number,
): Promise<Outcome> {
  for (const before of list) {
    const shown = findConversation(client, before.id) ?? before
    replaceConversation(client, shown, { ...shown, ...patchOf(shown, changes) }, user_id)
  }
  const outcome: Outcome = { done: [], refused: [], reason: '' }
  for (let at = 0; at < list.length; at += MOST_AT_ONCE) {
    const some = list.slice(at, at + MOST_AT_ONCE)
    const { rows, reason } = await send(some, changes)
    for (const row of rows) {
      hearConversation(client, { event: 'conversation:updated', payload: { id: row.id, updates: row } }, user_id)
    }
    settle(outcome, some, rows, reason)
  }
  for (const before of outcome.refused) takeBack(client, before, changes, user_id)
  return outcome
}

/** Puts a tag on conversations. It shows once the server has it. */
export async function tagConversations(
  client: QueryClient,
  list: readonly Conversation[],
  tag: Tag,
  user_id: number,
): Promise<Outcome> {
  const outcome: Outcome = { done: [], refused: [], reason: '' }
  for (let at = 0; at < list.length; at += MOST_AT_ONCE) {
    const some = list.slice(at, at + MOST_AT_ONCE)
    const { rows, reason } = await sendMany({ ids: some.map(({ id }) => id), tag_id: tag.id })
    settle(outcome, some, rows, reason)
  }
  for (const { id } of outcome.done) {
    const tags = (findConversation(client, id)?.tags ?? []).filter((other) => other.id !== tag.id)
    hearConversation(client, { event: 'conversation:tagged', payload: { id, tags: [...tags, tag] } }, user_id)
  }
  return outcome
}

/** What a change makes of the record, until the server has answered. */
export function patchOf(before: ConversationRow, { snoozed, ...plain }: Changes): Partial<ConversationRow> {
  const wakes = snoozed === null || (plain.status !== undefined && plain.status !== before.status)
  return {
    ...plain,
    ...(wakes && { snoozed_at: null, snoozed_until: null }),
    ...(snoozed && { snoozed_at: new Date().toISOString(), snoozed_until: snoozed.until }),
  }
}

interface Sent {
  rows: ConversationRow[]
  reason: string
}

async function send(list: readonly Conversation[], changes: Changes): Promise<Sent> {
  const [first] = list
  if (!first || list.length > 1) return sendMany({ ids: list.map(({ id }) => id), changes })
  try {
    const { data } = await call(conversations.update, { params: { id: first.id }, body: { conversation: changes } })
    return { rows: [data], reason: '' }
  } catch (error) {
    return refusal(error)
  }
}

async function sendMany(body: { ids: string[]; changes?: Changes; tag_id?: string }): Promise<Sent> {
  try {
    const { data } = await call(conversations.updateMany, { body })
    return { rows: data.changed, reason: data.refused[0]?.message ?? '' }
  } catch (error) {
    return refusal(error)
  }
}

function refusal(error: unknown): Sent {
  logError('Conversation not changed', error)
  return { rows: [], reason: errorText(error) }
}

function settle(outcome: Outcome, sent: readonly Conversation[], rows: ConversationRow[], reason: string) {
  const changed = new Set(rows.map(({ id }) => id))
  for (const one of sent) (changed.has(one.id) ? outcome.done : outcome.refused).push(one)
  outcome.reason ||= reason
}

/** Restores only what this change touched, and only when nothing newer was heard meanwhile. */
function takeBack(client: QueryClient, before: Conversation, changes: Changes, user_id: number) {
  const current = findConversation(client, before.id) ?? before
  if (current.version !== before.version) return
  const fields = Object.keys(patchOf(before, changes)) as (keyof ConversationRow)[]
  const restored = Object.fromEntries(fields.map((field) => [field, before[field]]))
  replaceConversation(client, current, { ...current, ...restored }, user_id)
}
