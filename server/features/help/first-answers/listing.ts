import { sql } from 'kysely'
import type { Answer, Query } from '#contract/endpoint.ts'
import type { FirstAnswer, FirstAnswerFigures, firstAnswers } from '#contract/help/first-answers.ts'
import { readCursor, writeCursor } from '../../../platform/cursor.ts'
import type { Db } from '../../../platform/db/change.ts'

const PAGE = 50

/** What became of the conversation `c` of an answer. */
const outcome = sql`case c.assistant when 'answering' then 'no_reaction' else coalesce(c.assistant, 'handed_over') end`

/** What the assistant did, newest first. */
export async function listFirstAnswers(
  db: Db,
  account_id: string,
  { outcome: wanted, after, limit = PAGE }: Query<typeof firstAnswers.list>,
): Promise<Answer<typeof firstAnswers.list>> {
  const count = Math.min(Math.max(limit, 1), PAGE)
  const from = after ? readCursor(after) : undefined
  const { rows } = await sql<Omit<FirstAnswer, 'object'>>`
    select f.message_id as id, m.conversation_id, f.kind, f.reason, coalesce(m.body, '') as question, a.body as answer,
      f.articles, ${outcome} as outcome, f.created_at
    from first_answers f
    join messages m on m.account_id = f.account_id and m.id = f.message_id
    join conversations c on c.account_id = m.account_id and c.id = m.conversation_id
    left join messages a on a.account_id = f.account_id and a.id = f.answer_id
    where f.account_id = ${account_id} and f.kind <> 'helped' and c.archived_at is null
      and (${wanted ?? null}::text is null or ${outcome} = ${wanted ?? null})
      and (${from?.at ?? null}::timestamptz is null
        or (f.created_at, f.message_id) < (${from?.at ?? null}::timestamptz, ${from?.id ?? null}::uuid))
    order by f.created_at desc, f.message_id desc limit ${sql.lit(count + 1)}`.execute(db)
  const shown = rows.slice(0, count)
  const last = shown.at(-1)
  return {
    data: shown.map((row) => ({ ...row, object: 'first_answer' as const })),
    next: rows.length > count && last ? writeCursor({ at: last.created_at, id: last.id }) : null,
  }
}

const DAYS = 30

/** How the conversations of the last days ended in which the assistant wrote something. */
export async function countFirstAnswers(db: Db, account_id: string): Promise<FirstAnswerFigures> {
  const { rows } = await sql<Omit<FirstAnswerFigures, 'object'>>`
    select count(*)::integer as answered,
      count(*) filter (where outcome = 'helped')::integer as helped,
      count(*) filter (where outcome = 'handed_over')::integer as handed_over,
      count(*) filter (where outcome = 'reopened')::integer as reopened,
      count(*) filter (where outcome = 'no_reaction')::integer as no_reaction
    from (
      select distinct c.id, ${outcome} as outcome
      from first_answers f
      join messages m on m.account_id = f.account_id and m.id = f.message_id
      join conversations c on c.account_id = m.account_id and c.id = m.conversation_id
      where f.account_id = ${account_id} and f.created_at > now() - make_interval(days => ${DAYS})
        and c.archived_at is null) answered`.execute(db)
  return { object: 'first_answer_figures', ...rows[0]! }
}
