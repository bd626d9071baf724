import { sql } from 'kysely'
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
    rows.map(({ id, created_at, last_number, snoozed_at, inbox_id, status, priority, assignee_id, ...subject }) => {
      const tag_ids = (tags.get(id) ?? []).map((tag) => tag.id)
      const in_working_hours = isWorking(schedules, inbox_id, now)
      const state = { inbox_id, status, priority, assignee_id, tag_ids, is_snoozed: !!snoozed_at, in_working_hours }
      return [id, { id, created_at, last_number, state, subject: withMetadata(subject) }]
    }),
  )
}

function withMetadata(subject: Omit<RuleSubject, 'customer_metadata'> & { customer_metadata: unknown }): RuleSubject {
  return { ...subject, customer_metadata: (subject.customer_metadata ?? {}) as Record<string, unknown> }
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
      'source',
      'subject',
      'customer_id',
      'p.name as customer_name',
      'p.email as customer_email',
      'p.browser_language as customer_language',
      'p.metadata as customer_metadata',
      'o.name as customer_company',
    ])
    .where(sql<boolean>`conversations.id = any(${ids}::uuid[])`)
    .where('archived_at', 'is', null)
    .execute()
}
