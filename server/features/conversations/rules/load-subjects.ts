import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { loadTags } from '../../customers/tags/tags.ts'
import { isWorking, readSchedules } from '../../widget/working-hours/schedules.ts'
import type { RuleState, RuleSubject } from './facts.ts'

/** A conversation as rules see it: what changes, and what is only read. */
export interface SubjectConversation {
  id: string
  state: RuleState
  subject: RuleSubject
  created_at: string
  last_number: number
}

/**
 * Conversations with all that rules look at, by id: the same few queries for any number of them. Archived ones are left
 * out.
 * @param now when the events happen, for the working hours of the inboxes
 */
export async function loadSubjects(
  db: Db,
  account_id: string,
  ids: string[],
  now: Date,
): Promise<Map<string, SubjectConversation>> {
  if (ids.length === 0) return new Map()
  const [rows, tags, schedules] = await Promise.all([
    selectSubjects(db, account_id, ids),
    loadTags(db, account_id, ids),
    readSchedules(db, account_id),
  ])
  return new Map(
    rows.map((row) => {
      const { id, created_at, last_number, snoozed_at, due_at, ...rest } = row
      const { inbox_id, status, priority, assignee_id, team_id, assistant, ...subject } = rest
      const tag_ids = (tags.get(id) ?? []).map((tag) => tag.id)
      const state = {
        ...{ inbox_id, status, priority, assignee_id, team_id, assistant, tag_ids, is_snoozed: !!snoozed_at },
        in_working_hours: isWorking(schedules, inbox_id, now),
        minutes_to_deadline: due_at === null ? null : minutesUntil(due_at, now),
      }
      return [id, { id, created_at, last_number, state, subject: withMetadata(subject) }]
    }),
  )
}

/** Rounded down: a deadline that was missed by a second is overdue. */
function minutesUntil(time: string, now: Date): number {
  return Math.floor((Date.parse(time) - now.getTime()) / 60_000)
}

type StoredSubject = Omit<RuleSubject, 'customer_metadata' | 'conversation_metadata'> & {
  customer_metadata: unknown
  conversation_metadata: unknown
}

function withMetadata(subject: StoredSubject): RuleSubject {
  const objectOf = (metadata: unknown) => (metadata ?? {}) as Record<string, unknown>
  return {
    ...subject,
    customer_metadata: objectOf(subject.customer_metadata),
    conversation_metadata: objectOf(subject.conversation_metadata),
  }
}

function selectSubjects(db: Db, account_id: string, ids: string[]) {
  return ofAccount(db, account_id)
    .selectFrom('conversations')
    .innerJoin('customers as p', (join) =>
      join.onRef('p.account_id', '=', 'conversations.account_id').onRef('p.id', '=', 'conversations.customer_id'),
    )
    .leftJoin('companies as o', (join) =>
      join.onRef('o.account_id', '=', 'p.account_id').onRef('o.id', '=', 'p.company_id'),
    )
    .select([
      'conversations.id',
      'conversations.created_at',
      'last_number',
      'snoozed_at',
      'inbox_id',
      'status',
      'priority',
      'assignee_id',
      'team_id',
      'assistant',
      'due_at',
      'source',
      'subject',
      'customer_id',
      'conversations.metadata as conversation_metadata',
      'p.name as customer_name',
      'p.email as customer_email',
      'p.phone as customer_phone',
      'p.browser_language as customer_language',
      'p.metadata as customer_metadata',
      'o.name as customer_company',
    ])
    .where('conversations.id', 'in', ids)
    .where('archived_at', 'is', null)
    .execute()
}
