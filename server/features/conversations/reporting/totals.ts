import { type RawBuilder, sql } from 'kysely'
import { addDays } from '#contract/days.ts'
import type { Db } from '../../../platform/db/change.ts'
import { stepOf } from './durations.ts'

/** Names of relations with changed contributions; `times` is -1 for subtracted ones. */
interface TotalsDelta {
  /** `times, filters, day, hour, author, messages` */
  counts: RawBuilder<unknown>
  /** `times, filters, day, reply, resolution, worked_reply, worked_resolution` */
  figures: RawBuilder<unknown>
}

/**
 * The parts of a `with` clause that update an account's sums, in the same statement as their contributions, so that
 * nobody can change these in between. Subtractions and additions cancel out here: another message changes as few rows
 * in a long conversation as in a new one. Zero sums stay as rows.
 */
export function moveTotals(account_id: string, { counts, figures }: TotalsDelta): RawBuilder<unknown> {
  const account = sql`${account_id}::uuid`
  const sum = (value: string) => sql`sum(times * coalesce(${sql.ref(value)}, 0))`
  const number = (value: string) => sql`sum(times) filter (where ${sql.ref(value)} is not null)`
  return sql`
    moved_messages as materialized (
      select filter, day, hour, author, sum(times * messages) as messages
      from (${counts}) counts, unnest(filters) filter group by 1, 2, 3, 4 having sum(times * messages) <> 0
    ), moved_authors as (
      insert into author_totals as t (account_id, filter, day, author, messages)
      select ${account}, filter, day, author, sum(messages) from moved_messages group by 2, 3, 4 having sum(messages) <> 0
      on conflict (account_id, filter, day, author) do update set messages = t.messages + excluded.messages
    ), moved_hours as (
      insert into hour_totals as t (account_id, filter, day, hour, messages)
      select ${account}, filter, day, hour, messages from moved_messages where author = 0
      on conflict (account_id, filter, day, hour) do update set messages = t.messages + excluded.messages
    ), moved_figures as materialized (
      select times, filter, day, reply, resolution, worked_reply, worked_resolution
      from (${figures}) figures, unnest(filters) filter
    ), moved_conversations as (
      insert into conversation_totals as t (account_id, filter, day, conversations, replies, reply, worked_reply, resolutions, resolution, worked_resolution)
      select ${account}, filter, day, sum(times), coalesce(${number('reply')}, 0), ${sum('reply')}, ${sum('worked_reply')},
             coalesce(${number('resolution')}, 0), ${sum('resolution')}, ${sum('worked_resolution')}
      from moved_figures group by 2, 3
      having sum(times) <> 0 or ${number('reply')} <> 0 or ${sum('reply')} <> 0 or ${sum('worked_reply')} <> 0
          or ${number('resolution')} <> 0 or ${sum('resolution')} <> 0 or ${sum('worked_resolution')} <> 0
      on conflict (account_id, filter, day) do update set
        conversations = t.conversations + excluded.conversations,
        replies = t.replies + excluded.replies, reply = t.reply + excluded.reply, worked_reply = t.worked_reply + excluded.worked_reply,
        resolutions = t.resolutions + excluded.resolutions, resolution = t.resolution + excluded.resolution,
        worked_resolution = t.worked_resolution + excluded.worked_resolution
    ), moved_steps as (
      select filter, day - extract(dow from day)::int as week, measure, ${stepOf(sql`milliseconds`)} as step, sum(times) as conversations
      from moved_figures, lateral (values ('reply', reply), ('resolution', resolution), ('worked_reply', worked_reply),
        ('worked_resolution', worked_resolution)) measured (measure, milliseconds)
      where milliseconds is not null group by 1, 2, 3, 4 having sum(times) <> 0
    ), moved_durations as (
      insert into duration_totals as t (account_id, filter, week, measure, steps, conversations)
      select ${account}, filter, week, measure, array_agg(step order by step), array_agg(conversations order by step)
      from moved_steps group by 2, 3, 4
      on conflict (account_id, filter, week, measure) do update set (steps, conversations) = (
        select coalesce(array_agg(step order by step), '{}'), coalesce(array_agg(conversations order by step), '{}')
        from (
          select step, sum(n) as conversations from (
            select * from unnest(t.steps, t.conversations) before (step, n)
            union all select * from unnest(excluded.steps, excluded.conversations) more (step, n)
          ) both_of_them group by step having sum(n) <> 0
        ) together)
    )`
}

/** Whole weeks, so that a week is rebuilt together with its days. */
const CHUNK_DAYS = 28

/**
 * Rebuilds the sums of an account from the contributions, four weeks at a time, so that nobody waits long for the lock.
 * The contributions are taken as stored: `recountAccount` updates them first.
 */
export async function remakeTotals(db: Db, account_id: string): Promise<void> {
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select to_char(min(day) - extract(dow from min(day))::int, 'YYYY-MM-DD') as first, to_char(max(day), 'YYYY-MM-DD') as last
    from (
      select day from author_totals where account_id = ${account_id} union all
      select day from conversation_totals where account_id = ${account_id} union all
      select day from message_counts where account_id = ${account_id} union all
      select day from conversation_figures where account_id = ${account_id}
    ) days`.execute(db)
  const { first, last } = rows[0]!
  if (!first || !last) return
  for (let day = first; day <= last; day = addDays(day, CHUNK_DAYS)) {
    await db.transaction().execute((tx) => remakeDays(tx, account_id, day, addDays(day, CHUNK_DAYS)))
  }
}

/** Rebuilds the days from one Sunday to another, which is excluded. */
async function remakeDays(db: Db, account_id: string, from: string, until: string): Promise<void> {
  await lockCounting(db, account_id)
  const within = (column: string) =>
    sql`account_id = ${account_id} and ${sql.ref(column)} >= ${from}::date and ${sql.ref(column)} < ${until}::date`
  await sql`delete from author_totals where ${within('day')}`.execute(db)
  await sql`delete from hour_totals where ${within('day')}`.execute(db)
  await sql`delete from conversation_totals where ${within('day')}`.execute(db)
  await sql`delete from duration_totals where ${within('week')}`.execute(db)
  const counts = sql`
    select 1 as times, f.filters, m.day, m.hour, m.author, m.messages
    from message_counts m join conversation_figures f on f.account_id = m.account_id and f.conversation_id = m.conversation_id
    where m.account_id = ${account_id} and m.day >= ${from}::date and m.day < ${until}::date`
  const figures = sql`select 1 as times, f.* from conversation_figures f where ${within('day')}`
  await sql`with ${moveTotals(account_id, { counts, figures })} select`.execute(db)
}

/** Locks an account's counting until the transaction ends, so that nobody stores values that are outdated. */
export async function lockCounting(db: Db, account_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('message counts'), hashtext(${account_id}))`.execute(db)
}
