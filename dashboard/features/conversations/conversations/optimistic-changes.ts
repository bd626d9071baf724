import type { QueryClient } from '@tanstack/react-query'
import {
  type Conversation,
  type ConversationRow,
  conversations,
  type Tag,
} from '#contract/conversations/conversations.ts'
import { call } from '../../../platform/http/api.ts'
import { errorText, logError } from '../../../platform/http/errors.ts'
import { applyConversationEvent, findConversation, replaceConversation } from './cache.ts'
import { addPatch, findPatched, type Patch, release, returningPatch, setReturning } from './patches.ts'

/** Changes that can be made to one or many conversations. `snoozed` snoozes, or ends the snooze with null. */
export type Changes = Partial<
  Pick<ConversationRow, 'status' | 'priority' | 'assignee_id' | 'team_id' | 'archived_at' | 'read'> & {
    snoozed: { until: string | null; follow_up?: boolean } | null
  }
>

export interface ChangeOutcome {
  /** With their current state on the server. */
  done: Conversation[]
  refused: Conversation[]
  /** The first error message; empty if nothing was refused. */
  reason: string
}

/** The limit of one call. */
const MAX_BATCH = 200

/**
 * Changes conversations on screen at once and then on the server. Until it answers, the changes stay visible whatever
 * events arrive; then the server's state is shown, also for those that it refused. A single one uses its own call,
 * several share the bulk call.
 */
export async function changeConversations(
  client: QueryClient,
  list: readonly Conversation[],
  changes: Changes,
  user_id: number,
): Promise<ChangeOutcome> {
  const patches = showChanged(client, list, changes, user_id)
  const outcome = await sendInParts(list, async (batch) => {
    const sent = await send(batch, changes)
    for (const row of sent.rows) {
      applyConversationEvent(client, { event: 'conversation:updated', payload: { id: row.id, updates: row } }, user_id)
    }
    return sent
  })
  for (const [id, patch] of patches) {
    const states = release(client, id, patch)
    if (states) replaceConversation(client, ...states, user_id)
  }
  return outcome
}

/**
 * Shows conversations as undoing will leave them until `release` is called, whatever events arrive. `isWanted` is false
 * for those that were removed again meanwhile.
 */
export function showUndone(client: QueryClient, list: readonly Conversation[], changes: Changes, user_id: number) {
  // The undone change counted as activity, but must not move the conversation in the list.
  const patchFor = (conversation: Conversation) => ({
    ...patchOf(conversation, changes),
    last_activity_at: conversation.last_activity_at,
  })
  const patches = new Map(list.map((conversation) => [conversation.id, patchFor(conversation)]))
  const isWanted = ({ id }: Conversation) => returningPatch(client, id) === patches.get(id)
  for (const conversation of list) {
    const shown = shownOf(client, conversation)
    replaceConversation(client, shown, setReturning(client, shown, patches.get(conversation.id)), user_id)
  }
  return {
    isWanted,
    release() {
      for (const conversation of list.filter(isWanted)) {
        const shown = shownOf(client, conversation)
        replaceConversation(client, shown, setReturning(client, shown, undefined), user_id)
      }
    },
  }
}

/** Adds a tag to conversations. Shown once the server has stored it. */
export async function tagConversations(
  client: QueryClient,
  list: readonly Conversation[],
  tag: Tag,
  user_id: number,
): Promise<ChangeOutcome> {
  const outcome = await sendInParts(list, (batch) => sendMany({ ids: batch.map(({ id }) => id), tag_id: tag.id }))
  for (const { id } of outcome.done) {
    const tags = (findConversation(client, id)?.tags ?? []).filter((other) => other.id !== tag.id)
    applyConversationEvent(client, { event: 'conversation:tagged', payload: { id, tags: [...tags, tag] } }, user_id)
  }
  return outcome
}

/** The optimistic effect of a change on the record. */
export function patchOf(before: ConversationRow, { snoozed, ...plain }: Changes): Partial<ConversationRow> {
  const wakes = snoozed === null || (plain.status !== undefined && plain.status !== before.status)
  return {
    ...plain,
    ...(wakes && { snoozed_at: null, snoozed_until: null, follow_up: null }),
    ...(snoozed && { snoozed_at: new Date().toISOString(), snoozed_until: snoozed.until, follow_up: null }),
  }
}

/** Shows the changes. Returns the patch of each conversation. */
function showChanged(client: QueryClient, list: readonly Conversation[], changes: Changes, user_id: number) {
  const patches = new Map<string, Patch>()
  for (const before of list) {
    const shown = shownOf(client, before)
    // A conversation being restored keeps its place in the list.
    const returned = returningPatch(client, before.id) && { last_activity_at: shown.last_activity_at }
    const patch = { ...patchOf(shown, changes), ...returned }
    patches.set(before.id, patch)
    replaceConversation(client, shown, addPatch(client, shown, patch), user_id)
  }
  return patches
}

function shownOf(client: QueryClient, conversation: Conversation): Conversation {
  return findConversation(client, conversation.id) ?? findPatched(client, conversation.id) ?? conversation
}

interface Sent {
  rows: ConversationRow[]
  reason: string
}

type Part = readonly Conversation[]

/** Sends parts no larger than the limit of one call, and merges the results. */
async function sendInParts(list: Part, sendPart: (batch: Part) => Promise<Sent>): Promise<ChangeOutcome> {
  const outcome: ChangeOutcome = { done: [], refused: [], reason: '' }
  for (let at = 0; at < list.length; at += MAX_BATCH) {
    const batch = list.slice(at, at + MAX_BATCH)
    const { rows, reason } = await sendPart(batch)
    mergeResult(outcome, batch, rows, reason)
  }
  return outcome
}

async function send(list: Part, changes: Changes): Promise<Sent> {
  const [first] = list
  if (!first || list.length > 1) return sendMany({ ids: list.map(({ id }) => id), changes })
  return inTurn(first.id, () => sendOne(first.id, changes))
}

const turns = new Map<string, Promise<Sent>>()

/** Changes of the same conversation are sent one after another, so that the last one wins. */
async function inTurn(id: string, work: () => Promise<Sent>): Promise<Sent> {
  const turn = turns.get(id)?.then(work) ?? work()
  turns.set(id, turn)
  const sent = await turn
  if (turns.get(id) === turn) turns.delete(id)
  return sent
}

async function sendOne(id: string, changes: Changes): Promise<Sent> {
  try {
    const params = { id }
    const { data } = changes.archived_at
      ? await call(conversations.archive, { params })
      : await call(conversations.update, { params, body: { conversation: changes } })
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

function mergeResult(outcome: ChangeOutcome, sent: Part, rows: ConversationRow[], reason: string) {
  const changed = new Map(rows.map((row) => [row.id, row]))
  for (const conversation of sent) {
    const row = changed.get(conversation.id)
    if (row) outcome.done.push({ ...conversation, ...row })
    else outcome.refused.push(conversation)
  }
  outcome.reason ||= reason
}
