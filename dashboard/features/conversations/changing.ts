import type { QueryClient } from '@tanstack/react-query'
import { type Conversation, type ConversationRow, conversations, type Tag } from '#contract/conversations.ts'
import { call } from '../../api.ts'
import { errorText, logError } from '../../errors.ts'
import { findConversation, hearConversation, replaceConversation } from './cache.ts'
import { isReturning, setReturning } from './returning.ts'

/** What can be changed, alone or for many at once. `snoozed` puts aside, or wakes with null. */
export type Changes = Partial<
  Pick<ConversationRow, 'status' | 'priority' | 'assignee_id' | 'archived_at' | 'read'> & {
    snoozed: { until: string | null } | null
  }
>

export interface Outcome {
  /** As the server has them now. */
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
  const versions = showChanged(client, list, changes, user_id)
  const outcome = await sendInParts(list, async (some) => {
    const sent = await send(some, changes)
    for (const row of sent.rows) {
      hearConversation(client, { event: 'conversation:updated', payload: { id: row.id, updates: row } }, user_id)
    }
    return sent
  })
  for (const before of outcome.refused) takeBack(client, before, versions.get(before.id), changes, user_id)
  return outcome
}

/**
 * Shows conversations as undoing will leave them, from now on and whatever is heard, until the answered function is
 * called. That one says of a conversation whether it is still wanted back: it may have been sent away once more.
 */
export function bringBack(client: QueryClient, list: readonly Conversation[], changes: Changes, user_id: number) {
  showChanged(client, list, changes, user_id)
  // Sending it away was activity, but it keeps its place until it is back.
  const lookOf = (one: Conversation) => ({ ...patchOf(one, changes), last_activity_at: one.last_activity_at })
  const looks = new Map(list.map((one) => [one.id, lookOf(one)]))
  for (const [id, look] of looks) setReturning(id, look)
  return () => {
    const wanted = new Set([...looks.keys()].filter((id) => isReturning(id, looks.get(id))))
    for (const id of wanted) setReturning(id, undefined)
    return ({ id }: Conversation) => wanted.has(id)
  }
}

/** Puts a tag on conversations. It shows once the server has it. */
export async function tagConversations(
  client: QueryClient,
  list: readonly Conversation[],
  tag: Tag,
  user_id: number,
): Promise<Outcome> {
  const outcome = await sendInParts(list, (some) => sendMany({ ids: some.map(({ id }) => id), tag_id: tag.id }))
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

/** Changes them on screen. Answers on which version of each. */
function showChanged(client: QueryClient, list: readonly Conversation[], changes: Changes, user_id: number) {
  const versions = new Map<string, number>()
  for (const before of list) {
    const shown = findConversation(client, before.id) ?? before
    versions.set(before.id, shown.version)
    replaceConversation(client, shown, { ...shown, ...patchOf(shown, changes) }, user_id)
  }
  return versions
}

interface Sent {
  rows: ConversationRow[]
  reason: string
}

type Part = readonly Conversation[]

/** Sends as many at once as the server takes, and says what has become of all. */
async function sendInParts(list: Part, sendPart: (some: Part) => Promise<Sent>): Promise<Outcome> {
  const outcome: Outcome = { done: [], refused: [], reason: '' }
  for (let at = 0; at < list.length; at += MOST_AT_ONCE) {
    const some = list.slice(at, at + MOST_AT_ONCE)
    const { rows, reason } = await sendPart(some)
    settle(outcome, some, rows, reason)
  }
  return outcome
}

async function send(list: Part, changes: Changes): Promise<Sent> {
  const [first] = list
  if (!first || list.length > 1) return sendMany({ ids: list.map(({ id }) => id), changes })
  return inTurn(first.id, () => sendOne(first.id, changes))
}

const turns = new Map<string, Promise<Sent>>()

/** What is changed of one conversation reaches the server in the order of the changes, or an older one could win. */
async function inTurn(id: string, work: () => Promise<Sent>): Promise<Sent> {
  const turn = turns.get(id)?.then(work) ?? work()
  turns.set(id, turn)
  const sent = await turn
  if (turns.get(id) === turn) turns.delete(id)
  return sent
}

async function sendOne(id: string, changes: Changes): Promise<Sent> {
  try {
    const { data } = await call(conversations.update, { params: { id }, body: { conversation: changes } })
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

function settle(outcome: Outcome, sent: Part, rows: ConversationRow[], reason: string) {
  const changed = new Map(rows.map((row) => [row.id, row]))
  for (const one of sent) {
    const row = changed.get(one.id)
    if (row) outcome.done.push({ ...one, ...row })
    else outcome.refused.push(one)
  }
  outcome.reason ||= reason
}

/** Restores only what this change touched, and only when nothing newer was heard since it was shown. */
function takeBack(
  client: QueryClient,
  before: Conversation,
  version: number | undefined,
  changes: Changes,
  user_id: number,
) {
  const current = findConversation(client, before.id) ?? before
  if (current.version !== version) return
  const fields = Object.keys(patchOf(before, changes)) as (keyof ConversationRow)[]
  const restored = Object.fromEntries(fields.map((field) => [field, before[field]]))
  replaceConversation(client, current, { ...current, ...restored }, user_id)
}
