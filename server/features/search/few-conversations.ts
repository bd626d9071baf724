import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../platform/db/change.ts'
import { all, ofConversation } from './conditions.ts'
import type { Question } from './question.ts'

/** Up to so many conversations are looked through one by one. */
export const FEW = 1000

export interface FewConversations {
  ids: string[]
  /** How many messages they have together. */
  messages: number
}

/**
 * The conversations a search is limited to, when one of its operators alone leaves few; undefined when there may be many.
 * Each look stops after a thousand rows, so asking costs little whatever the answer.
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

/** What may leave few conversations, each readable from an index. */
function sourcesOf({ account_id, authors, tag_ids, assignee_ids, inbox_ids }: Question): RawBuilder<unknown>[] {
  const some = (condition: RawBuilder<SqlBool>) =>
    sql`select id from conversations where account_id = ${account_id} and archived_at is null and ${condition}`
  // The indexes of the lists leave out what is snoozed, which is little and has one of its own.
  const listed = (condition: RawBuilder<SqlBool>) =>
    sql`${some(sql`snoozed_at is null and ${condition}`)} union all ${some(sql`snoozed_at is not null and ${condition}`)}`
  return [
    ...authors.flatMap(({ user_ids, customer_ids }) =>
      user_ids.length === 0 && customer_ids !== 'many' ? [some(sql`customer_id = any(${customer_ids}::uuid[])`)] : [],
    ),
    // A conversation with two of the tags comes twice, which only makes it look like more.
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
