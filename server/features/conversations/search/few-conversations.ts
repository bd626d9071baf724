import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { all, ofConversation } from './conditions.ts'
import type { Question } from './question.ts'

/** Up to this many conversations are searched one by one. */
export const FEW = 1000

export interface FewConversations {
  ids: string[]
  /** Total number of their messages. */
  messages: number
}

/**
 * The conversations of a search, if one of its operators alone matches few; undefined if there may be many.
 * Each query stops after a thousand rows, so asking is cheap in any case.
 */
export async function findFewConversations(db: Db, question: Question): Promise<FewConversations | undefined> {
  for (const source of sourcesOf(question)) {
    const { rows } = await sql<{ id: string; last_number: number; matches: boolean }>`
      select c.id, c.last_number, (${all(ofConversation(question))}) as matches
      from (${source} limit ${FEW + 1}) one
      join conversations c on c.account_id = ${question.account_id} and c.id = one.id and c.archived_at is null`.execute(
      db,
    )
    if (rows.length > FEW) continue
    const matching = rows.filter(({ matches }) => matches)
    return {
      ids: matching.map(({ id }) => id),
      messages: matching.reduce((sum, { last_number }) => sum + last_number, 0),
    }
  }
  return undefined
}

/** Conditions that may match few conversations, each answered by an index. */
function sourcesOf({ account_id, authors, tag_ids, assignee_ids, inbox_ids }: Question): RawBuilder<unknown>[] {
  const selectWhere = (condition: RawBuilder<SqlBool>) =>
    sql`select id from conversations where account_id = ${account_id} and archived_at is null and ${condition}`
  // The indexes of lists exclude snoozed conversations, which are few and have their own index.
  const listed = (condition: RawBuilder<SqlBool>) =>
    sql`${selectWhere(sql`snoozed_at is null and ${condition}`)} union all ${selectWhere(sql`snoozed_at is not null and ${condition}`)}`
  return [
    ...authors.flatMap(({ user_ids, customer_ids }) =>
      user_ids.length === 0 && customer_ids !== 'many'
        ? [selectWhere(sql`customer_id = any(${customer_ids}::uuid[])`)]
        : [],
    ),
    // A conversation with two of the tags appears twice, which only overestimates the number.
    ...tag_ids.map(
      (ids) => sql`select conversation_id as id from conversation_tags
        where account_id = ${account_id} and tag_id = any(${ids}::uuid[])`,
    ),
    ...assignee_ids.map((ids) =>
      listed(ids.includes(null) ? sql`assignee_id is null` : sql`assignee_id = any(${ids}::integer[])`),
    ),
    ...inbox_ids.map((ids) => listed(sql`inbox_id = any(${ids}::uuid[])`)),
  ]
}
