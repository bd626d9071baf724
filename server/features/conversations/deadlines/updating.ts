import { sql } from 'kysely'
import type { ConversationRow } from '#contract/conversations/conversations.ts'
import type { DeadlinePolicy } from '#contract/conversations/deadlines.ts'
import { deadlineBroken } from '#contract/conversations/deadlines.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { loadTags } from '../../customers/tags/tags.ts'
import { readSchedules, type Schedules, scheduleOf } from '../../widget/working-hours/schedules.ts'
import { type ConversationDbRow, saveConversation } from '../conversations/conversations.ts'
import { applyEvent, type ConversationEvent } from './following.ts'
import { listPolicies } from './policies.ts'
import { presentNotice } from './presenting.ts'
import { applyTerms, type DeadlineRow, endDeadline, isOpen, type Terms } from './timing.ts'

/**
 * Brings the deadlines of conversations up to date: applies the policies, working hours and, in their order, events. Saves
 * what changed, and which deadline of a conversation is next.
 * @param events by conversation
 */
export async function updateDeadlines(
  change: Change,
  account_id: string,
  events: Map<string, ConversationEvent[]>,
  now: Date,
): Promise<void> {
  const conversations = await lockConversations(change, account_id, [...events.keys()])
  if (conversations.length === 0) return
  const ids = conversations.map(({ id }) => id)
  const [stored, tags, policies, schedules] = await Promise.all([
    loadDeadlines(change.db, account_id, ids),
    loadTags(change.db, account_id, ids),
    listPolicies(change.db, account_id),
    readSchedules(change.db, account_id),
  ])
  const asked = await loadLastAsked(change.db, account_id, events)
  const active = policies.filter(({ is_active }) => is_active)
  for (const conversation of conversations) {
    const tag_ids = (tags.get(conversation.id) ?? []).map(({ id }) => id)
    const policy = active.find((candidate) => fits(candidate, conversation, tag_ids))
    const terms = { policy, schedule: scheduleOf(schedules, conversation.inbox_id) }
    const before = stored.filter(({ conversation_id }) => conversation_id === conversation.id)
    const current =
      active.length > 0 ? before.map((row) => applyNow(row, now, terms)) : before.map((row) => drop(row, now, terms))
    const last_asked_at = asked.get(conversation.id) ?? null
    const after = (events.get(conversation.id) ?? []).reduce(
      (rows, event) => applyEvent(rows, event, { conversation, terms, last_asked_at, now }),
      current,
    )
    await saveDeadlines(change, before, after)
    announceMissed(change, conversation, schedules, before, after, now)
    await saveConversation(change, conversation, nextDue(after))
  }
}

function applyNow(row: DeadlineRow, now: Date, terms: Terms): DeadlineRow {
  return isOpen(row) ? applyTerms(row, now.toISOString(), terms) : row
}

/** Without active policies nothing is followed, so that what has not ended would never end. */
function drop(row: DeadlineRow, now: Date, terms: Terms): DeadlineRow {
  return isOpen(row) ? endDeadline(row, 'cancelled_at', now.toISOString(), terms) : row
}

/** In the same order everywhere, so that servers do not deadlock. */
async function lockConversations({ db }: Change, account_id: string, ids: string[]): Promise<ConversationDbRow[]> {
  return ofAccount(db, account_id)
    .selectFrom('conversations')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Deadlines that have not ended, and those of the resolution, which continue if a conversation is reopened. */
async function loadDeadlines(db: Db, account_id: string, ids: string[]): Promise<DeadlineRow[]> {
  return ofAccount(db, account_id)
    .selectFrom('deadlines')
    .selectAll()
    .where('conversation_id', 'in', ids)
    .where(sql<boolean>`(kind = 'resolution' or (done_at is null and cancelled_at is null))`)
    .orderBy('started_at')
    .execute()
}

/** When the customer of each conversation with a deleted message wrote last. */
async function loadLastAsked(
  db: Db,
  account_id: string,
  events: Map<string, ConversationEvent[]>,
): Promise<Map<string, string>> {
  const ids = [...events].filter(([, list]) => list.some(({ type }) => type === 'message:deleted')).map(([id]) => id)
  if (ids.length === 0) return new Map()
  const rows = await ofAccount(db, account_id)
    .selectFrom('messages')
    .select(['conversation_id', (eb) => eb.fn.max<string>('created_at').as('at')])
    .where('conversation_id', 'in', ids)
    .where('customer_id', 'is not', null)
    .where('private', '=', false)
    .groupBy('conversation_id')
    .execute()
  return new Map(rows.map(({ conversation_id, at }) => [conversation_id, at]))
}

function fits(
  { inbox_ids, tag_ids, priority }: DeadlinePolicy,
  conversation: Pick<ConversationRow, 'inbox_id' | 'priority'>,
  tags: string[],
): boolean {
  if (inbox_ids.length > 0 && !inbox_ids.includes(conversation.inbox_id)) return false
  if (tag_ids.length > 0 && !tag_ids.some((id) => tags.includes(id))) return false
  return priority === null || priority === conversation.priority
}

async function saveDeadlines({ db }: Change, before: DeadlineRow[], after: DeadlineRow[]): Promise<void> {
  for (const row of after) {
    const stored = before.find(({ id }) => id === row.id)
    if (!stored) await db.insertInto('deadlines').values(row).execute()
    else if (JSON.stringify(stored) !== JSON.stringify(row)) {
      const { account_id, id, ...values } = row
      await ofAccount(db, account_id).updateTable('deadlines').set(values).where('id', '=', id).execute()
    }
  }
}

/** One that the team ended late, before the schedule noticed. */
function announceMissed(
  change: Change,
  conversation: ConversationRow | ConversationDbRow,
  schedules: Schedules,
  before: DeadlineRow[],
  after: DeadlineRow[],
  now: Date,
) {
  for (const row of after) {
    if (!row.broken_at || before.find(({ id }) => id === row.id)?.broken_at) continue
    const deadline = presentNotice(row, conversation, schedules, now)
    change.announce(row.account_id, deadlineBroken, { deadline })
  }
}

/** In the order in which the team owes them. */
const KINDS: DeadlineRow['kind'][] = ['first_reply', 'next_reply', 'resolution']

/** The columns of a conversation about its next deadline: the earliest that runs, or else one that is paused. */
function nextDue(rows: DeadlineRow[]): Pick<ConversationRow, 'due_at' | 'due_kind' | 'due_started_at'> {
  const open = rows.filter((row) => isOpen(row) && row.target_seconds !== null)
  const running = open.filter(({ resumed_at, due_at }) => resumed_at && due_at)
  const [next] = running.toSorted((a, b) => (a.due_at! < b.due_at! ? -1 : 1))
  if (next) return { due_at: next.due_at, due_kind: next.kind, due_started_at: next.started_at }
  const paused = open.filter(({ resumed_at }) => !resumed_at).map(({ kind }) => kind)
  return { due_at: null, due_kind: KINDS.find((kind) => paused.includes(kind)) ?? null, due_started_at: null }
}
