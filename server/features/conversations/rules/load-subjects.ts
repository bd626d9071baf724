import { sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
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
 * Conversations with all that rules look at, by id: two queries for any number of them. Archived ones are left out.
 * @param in_working_hours whether the company works at the time of the events
 */
export async function loadSubjects(
  db: Db,
  account_id: string,
  ids: string[],
  in_working_hours: boolean,
): Promise<Map<string, SubjectConversation>> {
  if (ids.length === 0) return new Map()
  const [rows, tags] = await Promise.all([selectSubjects(db, account_id, ids), readTagIds(db, account_id, ids)])
  return new Map(
    rows.map(({ id, created_at, last_number, snoozed_at, inbox_id, status, priority, assignee_id, ...subject }) => {
      const tag_ids = tags.get(id) ?? []
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

/** The ids of the tags of conversations, by conversation. */
export async function readTagIds(db: Db, account_id: string, ids: string[]): Promise<Map<string, string[]>> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('conversation_tags')
    .select(['conversation_id', 'tag_id'])
    .where(sql<boolean>`conversation_id = any(${ids}::uuid[])`)
    .execute()
  const tags = new Map<string, string[]>()
  for (const { conversation_id, tag_id } of rows)
    tags.set(conversation_id, [...(tags.get(conversation_id) ?? []), tag_id])
  return tags
}
