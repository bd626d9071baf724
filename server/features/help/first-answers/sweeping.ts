import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { handOverLate } from './answering.ts'

/** A customer who has waited for the assistant for this long gets a person. */
const LATE_SECONDS = 150
const MAX_AT_ONCE = 200

/** Hands over what the assistant should have answered: its job has failed, or its server was killed. */
export async function sweepLate(context: Context): Promise<void> {
  const { rows } = await sql<{ account_id: string; message_id: string }>`
    select c.account_id, m.id as message_id
    from conversations c
    cross join lateral (select id, created_at from messages
      where account_id = c.account_id and conversation_id = c.id and customer_id is not null and not private
      order by number desc limit 1) m
    where c.assistant = 'answering' and c.archived_at is null
      and c.last_activity_at < now() - make_interval(secs => ${LATE_SECONDS})
      and not exists (select from first_answers f where f.account_id = c.account_id and f.message_id = m.id)
    limit ${sql.lit(MAX_AT_ONCE)}`.execute(context.db)
  for (const { account_id, message_id } of rows) await handOverLate(context, account_id, message_id)
}
