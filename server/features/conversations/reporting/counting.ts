import { type RawBuilder, sql } from 'kysely'
import type { WorkingHours } from '#contract/widget/working-hours.ts'
import type { Db } from '../../../platform/db/change.ts'
import { measureConversations } from './measuring.ts'
import { lockCounting, moveTotals, remakeTotals } from './totals.ts'
import { clockOf, workedSpans } from './working-time.ts'

/** Number of conversations counted in one transaction. */
export const BATCH = 500

/** The time zone and working hours by which an account is counted. */
interface AccountClock {
  time_zone: string
  working_hours: WorkingHours[]
}

/**
 * Counts conversations and their messages again, within an open transaction: subtracts each conversation's previous
 * contribution from the account's sums, and adds the current one. It always counts from the conversations and messages
 * themselves, so it may be called repeatedly, and for destroyed conversations.
 */
export function countMessages(db: Db, account_id: string, conversation_ids: string[]): Promise<void> {
  const counts = sql`
    select -1 as times, filters, c.* from counts_before c join figures_before using (conversation_id)
    union all select 1, filters, c.* from counts c join figures using (conversation_id)`
  const columns = sql`filters, day, reply, resolution, worked_reply, worked_resolution`
  const figures = sql`select -1 as times, ${columns} from figures_before union all select 1, ${columns} from figures`
  return storeContributions(db, account_id, conversation_ids, sql`, ${moveTotals(account_id, { counts, figures })}`)
}

/**
 * Stores changed contributions of conversations, and runs more in the same statement: `figures` and `counts` are the
 * current values, `figures_before` and `counts_before` the stored ones.
 */
async function storeContributions(
  db: Db,
  account_id: string,
  conversation_ids: string[],
  more: RawBuilder<unknown> = sql``,
): Promise<void> {
  if (conversation_ids.length === 0) return
  // Planning the statement below takes three times as long as running it. It looks rows up by id, so one plan fits all
  // parameters.
  const planOnce = () => sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(db)
  const [, , known] = await Promise.all([lockCounting(db, account_id), planOnce(), readClock(db, account_id)])
  const clock = known ?? (await setClock(db, account_id))
  await sql`
    with figures as materialized (${readFigures(account_id, conversation_ids, clock)}),
    counts as materialized (
      select local::date as day, extract(hour from local)::smallint as hour, m.conversation_id,
             coalesce(m.user_id, case when m.customer_id is null then -1 else 0 end) as author, count(*)::int as messages
      from messages m, lateral (select m.created_at at time zone ${clock.time_zone} as local) clock
      where m.account_id = ${account_id} and m.conversation_id = ${anyOf(conversation_ids)}
      group by 1, 2, 3, 4
    ), figures_before as materialized (
      select * from conversation_figures where account_id = ${account_id} and conversation_id = ${anyOf(conversation_ids)}
    ), counts_before as materialized (
      select day, hour, conversation_id, author, messages
      from message_counts where account_id = ${account_id} and conversation_id = ${anyOf(conversation_ids)}
    ), ${replaceContributions(account_id, conversation_ids)}
    ${more}
    select`.execute(db)
}

function replaceContributions(account_id: string, conversation_ids: string[]) {
  const values = ['created_at', 'day', 'filters', 'reply', 'resolution', 'worked_reply', 'worked_resolution']
  const excluded = sql.join(values.map((column) => sql.ref(`excluded.${column}`)))
  return sql`
    dropped_figures as (
      delete from conversation_figures f where account_id = ${account_id} and conversation_id = ${anyOf(conversation_ids)}
        and not exists (select from figures g where g.conversation_id = f.conversation_id)
    ), stored_figures as (
      insert into conversation_figures as f (account_id, conversation_id, ${sql.join(values.map((column) => sql.ref(column)))})
      select ${account_id}::uuid, conversation_id, ${sql.join(values.map((column) => sql.ref(column)))} from figures
      on conflict (account_id, conversation_id) do update set (${sql.join(values.map((column) => sql.ref(column)))}) = row (${excluded})
      where (${sql.join(values.map((column) => sql.ref(`f.${column}`)))}) is distinct from (${excluded})
    ), dropped_counts as (
      delete from message_counts m where account_id = ${account_id} and conversation_id = ${anyOf(conversation_ids)}
        and not exists (select from counts c where (c.day, c.hour, c.conversation_id, c.author) = (m.day, m.hour, m.conversation_id, m.author))
    ), stored_counts as (
      insert into message_counts as m (account_id, day, hour, conversation_id, author, messages)
      select ${account_id}::uuid, day, hour, conversation_id, author, messages from counts
      on conflict (account_id, day, hour, conversation_id, author) do update set messages = excluded.messages
      where m.messages <> excluded.messages
    )`
}

/** The current contributions of conversations. */
function readFigures(account_id: string, conversation_ids: string[], { time_zone, working_hours }: AccountClock) {
  const which = sql`c.account_id = ${account_id} and c.id = ${anyOf(conversation_ids)}`
  const milliseconds = (column: string) => sql`round(${sql.ref(column)} * 1000)::bigint as ${sql.ref(column)}`
  const hasHours = workedSpans(working_hours).length > 0
  const measured = (hours: WorkingHours[] | undefined) =>
    sql`(select id, created_at, day, ${milliseconds('reply')}, ${milliseconds('resolution')}
         from (${measureConversations(clockOf(time_zone, hours), which)}) seconds)`
  return sql`
    select c.id as conversation_id, a.created_at, a.day,
           array['', 'inbox_id:' || c.inbox_id, 'source:' || c.source, 'assignee_id:' || coalesce(c.assignee_id::text, 'nobody')]
             || array(select 'tag_id:' || t.tag_id from conversation_tags t where t.account_id = ${account_id} and t.conversation_id = c.id order by 1) as filters,
           a.reply, a.resolution, ${hasHours ? sql`w.reply as worked_reply, w.resolution as worked_resolution` : sql`null::bigint as worked_reply, null::bigint as worked_resolution`}
    from conversations c join ${measured(undefined)} a on a.id = c.id ${hasHours ? sql`join ${measured(working_hours)} w on w.id = c.id` : sql``}
    where ${which}`
}

function anyOf(ids: string[]) {
  return sql`any (${ids}::uuid[])`
}

async function readClock(db: Db, account_id: string): Promise<AccountClock | undefined> {
  const { rows } = await sql<AccountClock>`
    select time_zone, working_hours from reporting_time_zones where account_id = ${account_id}`.execute(db)
  return rows[0]
}

/**
 * Sets the account's current time zone and working hours for counting. A time zone unknown to the database counts as
 * UTC: searching all names is slow.
 */
async function setClock(db: Db, account_id: string): Promise<AccountClock> {
  const { rows } = await sql<AccountClock>`
    insert into reporting_time_zones (account_id, time_zone, chosen_time_zone, working_hours)
    select id, coalesce((select name from pg_timezone_names where lower(name) = lower(accounts.time_zone)), 'UTC'), time_zone, working_hours
    from accounts where id = ${account_id}
    on conflict (account_id) do update
      set time_zone = excluded.time_zone, chosen_time_zone = excluded.chosen_time_zone, working_hours = excluded.working_hours, has_totals = false
    returning time_zone, working_hours`.execute(db)
  return rows[0] ?? { time_zone: 'UTC', working_hours: [] }
}

/**
 * Counts everything of an account again, with its current time zone and working hours, and rebuilds its sums. Until
 * that is done, its reports are computed from conversations and counts.
 * @returns the number of counted conversations
 */
export async function recountAccount(
  db: Db,
  account_id: string,
  onCounted?: (conversations: number) => void,
): Promise<number> {
  const { time_zone, working_hours } = await setClock(db, account_id)
  let counted = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const ids = await nextConversations(db, account_id, after)
    // The sums are rebuilt below.
    await db.transaction().execute((tx) => storeContributions(tx, account_id, ids))
    counted += ids.length
    onCounted?.(ids.length)
    if (ids.length < BATCH) break
    after = ids.at(-1)!
  }
  await remakeTotals(db, account_id)
  // Unless time zone or working hours changed meanwhile: then another recount is running.
  await sql`
    update reporting_time_zones set has_totals = true where account_id = ${account_id}
      and time_zone = ${time_zone} and working_hours = ${JSON.stringify(working_hours)}::jsonb`.execute(db)
  return counted
}

/** The same for every account, on the operator's request. */
export async function recountAll(db: Db): Promise<number> {
  let counted = 0
  for (const { id } of await db.selectFrom('accounts').select('id').orderBy('id').execute()) {
    counted += await recountAccount(db, id)
  }
  return counted
}

/** Includes destroyed conversations whose contribution is still stored. */
async function nextConversations(db: Db, account_id: string, after: string): Promise<string[]> {
  const next = (table: string, column: string) => sql`
    (select distinct ${sql.ref(column)} as id from ${sql.table(table)} where account_id = ${account_id} and ${sql.ref(column)} > ${after}
     order by 1 limit ${BATCH})`
  const { rows } = await sql<{ id: string }>`
    ${next('conversations', 'id')} union ${next('conversation_figures', 'conversation_id')}
    union ${next('message_counts', 'conversation_id')}
    order by id limit ${BATCH}`.execute(db)
  return rows.map(({ id }) => id)
}
