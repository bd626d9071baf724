import { type RawBuilder, sql } from 'kysely'
import type { Clock } from './working-time.ts'

/**
 * SQL for the start and durations of conversations, as `day, reply, resolution`: in seconds, null if there was no reply,
 * or if it is not closed now.
 * @param condition a condition on conversations `c`
 */
export function measureConversations(clock: Clock, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  // `offset 0`: each expression is computed once, and not wherever it is used. A CTE would do the same, but store all rows.
  return sql`
    select day, ${clock.between('created', 'replied')} as reply, ${clock.between('created', 'closed')} as resolution
    from (
      select ${clock.day('created_at', 'created')} as day, ${clock.locate('created')}, ${clock.locate('replied')}, ${clock.locate('closed')}
      from (
        select c.created_at, ${clock.read('c.created_at')} as created, ${clock.read('c.first_replied_at')} as replied,
               case when c.status = 'closed' then ${clock.read('c.closed_at')} end as closed
        from conversations c where ${condition} offset 0
      ) moments offset 0
    ) places`
}
