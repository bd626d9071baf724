import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Position } from '../../../platform/cursor.ts'
import { below } from './positions.ts'
import type { Question } from './question.ts'

type Condition = RawBuilder<SqlBool>

/** Joins conditions by `and`; an empty list is true. */
export function all(conditions: Condition[]): Condition {
  return conditions.length > 0 ? sql<SqlBool>`${sql.join(conditions, sql` and `)}` : sql<SqlBool>`true`
}

/** Conditions on the conversation `c`. */
export function ofConversation({ statuses, inbox_ids, assignee_ids, tag_ids }: Question): Condition[] {
  return [
    ...statuses.map((status) => sql<SqlBool>`c.status = ${status}`),
    ...inbox_ids.map((ids) => sql<SqlBool>`c.inbox_id = any(${ids}::uuid[])`),
    ...assignee_ids.map((ids) =>
      ids.includes(null) ? sql<SqlBool>`c.assignee_id is null` : sql<SqlBool>`c.assignee_id = any(${ids}::integer[])`,
    ),
    ...tag_ids.map(
      (ids) => sql<SqlBool>`exists (select from conversation_tags t
        where t.account_id = c.account_id and t.conversation_id = c.id and t.tag_id = any(${ids}::uuid[]))`,
    ),
  ]
}

/** Conditions on the message `w`, apart from its words. */
export function ofMessage({ account_id, authors, since, hasFile }: Question): Condition[] {
  return [
    sql<SqlBool>`w.account_id = ${account_id}`,
    ...(since ? [sql<SqlBool>`w.created_at >= ${since}`] : []),
    ...(hasFile
      ? [
          sql<SqlBool>`exists (select from message_files f where f.account_id = w.account_id and f.message_id = w.message_id)`,
        ]
      : []),
    ...authors.map(({ user_ids, customer_ids, customers }) => {
      const byCustomer =
        customer_ids === 'many'
          ? // Not "exists", for which PostgreSQL may read all customers of all accounts.
            sql`(select cu.words @@ ${customers}::tsquery from customers cu
              where cu.account_id = w.account_id and cu.id = w.customer_id)`
          : sql`w.customer_id = any(${customer_ids}::uuid[])`
      return sql<SqlBool>`(w.user_id = any(${user_ids}::integer[]) or ${byCustomer})`
    }),
  ]
}

/** Joins the messages' conversations, if conditions need them. */
export function joinConversation(question: Question): RawBuilder<unknown> {
  if (ofConversation(question).length === 0) return sql``
  return sql`join conversations c on c.account_id = w.account_id and c.id = w.conversation_id`
}

/** Where a search starts: at the cursor, or at the time of `before:` if that is older. */
export function startPosition({ until }: Question, after: Position): Position {
  if (!until || until > after.at) return after
  return below(until)
}
