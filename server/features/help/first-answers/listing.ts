import { type RawBuilder, sql } from 'kysely'
import type { Answer, Query } from '#contract/endpoint.ts'
import type {
  AnswerOutcome,
  FirstAnswer,
  FirstAnswerFigures,
  firstAnswers,
  HandOverReason,
} from '#contract/help/first-answers.ts'
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

/** What is counted: conversations `c` in which the assistant did something between two moments, both exclusive. */
interface Counted {
  from: string
  to?: string
  /** A further condition on `c`, beginning with `and`. */
  matches?: RawBuilder<unknown>
}

/** How the conversations ended in which the assistant wrote something. */
export async function countFirstAnswers(
  db: Db,
  account_id: string,
  { from, to, matches = sql`` }: Counted,
): Promise<FirstAnswerFigures> {
  // It hands over once in a conversation, perhaps after the period; without that, a person took the conversation.
  const { rows } = await sql<{ outcome: AnswerOutcome; reason: HandOverReason | null; count: number }>`
    select outcome, reason, count(*)::integer as count
    from (
      select ${outcome} as outcome, case when ${outcome} = 'handed_over' then (
        select f.reason from messages m join first_answers f on f.account_id = m.account_id and f.message_id = m.id
        where m.account_id = c.account_id and m.conversation_id = c.id and m.customer_id is not null
          and f.kind = 'handed_over' limit 1) end as reason
      from conversations c
      where c.account_id = ${account_id} and c.archived_at is null ${matches} and c.id in (
        select m.conversation_id
        from first_answers f join messages m on m.account_id = f.account_id and m.id = f.message_id
        where f.account_id = ${account_id} and f.created_at > ${from}
          and (${to ?? null}::timestamptz is null or f.created_at < ${to ?? null}::timestamptz))) answered
    group by outcome, reason
    order by count desc, reason`.execute(db)
  const sumOf = (chosen: typeof rows) => chosen.reduce((sum, { count }) => sum + count, 0)
  const ending = (wanted: AnswerOutcome) => rows.filter(({ outcome }) => outcome === wanted)
  return {
    object: 'first_answer_figures',
    answered: sumOf(rows),
    helped: sumOf(ending('helped')),
    handed_over: sumOf(ending('handed_over')),
    reopened: sumOf(ending('reopened')),
    no_reaction: sumOf(ending('no_reaction')),
    handed_over_by_reason: ending('handed_over').map(({ reason, count }) => ({ reason, count })),
  }
}
