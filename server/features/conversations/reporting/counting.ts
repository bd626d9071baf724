import { sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'

/** Number of conversations counted in one transaction. */
const BATCH = 500

/**
 * Counts the messages of conversations again, within an open transaction. It always counts from the messages themselves,
 * so it may be called repeatedly, and for destroyed conversations. Test conversations count nothing.
 */
export async function countMessages(db: Db, account_id: string, conversation_ids: string[]): Promise<void> {
  if (conversation_ids.length === 0) return
  const [, stored] = await Promise.all([lockCounting(db, account_id), readTimeZone(db, account_id)])
  const time_zone = stored ?? (await addTimeZone(db, account_id))
  const ofConversations = sql`m.account_id = ${account_id} and m.conversation_id = any (${conversation_ids}::uuid[])`
  await sql`
    with counts as materialized (
      select local::date as day, extract(hour from local)::smallint as hour, m.conversation_id,
             coalesce(m.user_id, case when m.customer_id is null then -1 else 0 end) as author, count(*)::int as messages
      from messages m, lateral (select m.created_at at time zone ${time_zone} as local) clock
      where ${ofConversations} and not exists (select from conversations c
        where c.account_id = m.account_id and c.id = m.conversation_id and c.source = 'sandbox')
      group by 1, 2, 3, 4
    ), dropped as (
      delete from message_counts m where ${ofConversations}
        and not exists (select from counts c where (c.day, c.hour, c.conversation_id, c.author) = (m.day, m.hour, m.conversation_id, m.author))
    )
    insert into message_counts as m (account_id, day, hour, conversation_id, author, messages)
    select ${account_id}::uuid, day, hour, conversation_id, author, messages from counts
    on conflict (account_id, day, hour, conversation_id, author) do update set messages = excluded.messages
    where m.messages <> excluded.messages`.execute(db)
}

/** Locks an account's counting until the transaction ends, so that nobody stores counts that are outdated. */
async function lockCounting(db: Db, account_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('message counts'), hashtext(${account_id}))`.execute(db)
}

/** The time zone in which an account is counted; undefined before its first message. */
async function readTimeZone(db: Db, account_id: string): Promise<string | undefined> {
  const { rows } = await sql<{ time_zone: string }>`
    select time_zone from reporting_time_zones where account_id = ${account_id}`.execute(db)
  return rows[0]?.time_zone
}

/** The account's own time zone. One unknown to the database counts as UTC: searching all names is slow. */
const chosenTimeZone = sql`coalesce((select name from pg_timezone_names where lower(name) = lower(accounts.time_zone)), 'UTC')`

async function addTimeZone(db: Db, account_id: string): Promise<string> {
  await sql`
    insert into reporting_time_zones (account_id, time_zone, chosen_time_zone)
    select id, ${chosenTimeZone}, time_zone from accounts where id = ${account_id}
    on conflict do nothing`.execute(db)
  return (await readTimeZone(db, account_id)) ?? 'UTC'
}

/** Counts by the account's current time zone from now on. Its reports say that they are incomplete meanwhile. */
async function changeTimeZone(db: Db, account_id: string): Promise<void> {
  await sql`
    insert into reporting_time_zones (account_id, time_zone, chosen_time_zone, is_counted)
    select id, ${chosenTimeZone}, time_zone, false from accounts where id = ${account_id}
    on conflict (account_id) do update
      set time_zone = excluded.time_zone, chosen_time_zone = excluded.chosen_time_zone, is_counted = false`.execute(db)
}

/**
 * Counts everything of an account again, in its current time zone.
 * @returns the number of counted conversations
 */
export async function recountAccount(
  db: Db,
  account_id: string,
  onCounted?: (conversations: number) => void,
): Promise<number> {
  await changeTimeZone(db, account_id)
  const time_zone = await readTimeZone(db, account_id)
  let counted = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const ids = await nextConversations(db, account_id, after)
    await db.transaction().execute((tx) => countMessages(tx, account_id, ids))
    counted += ids.length
    onCounted?.(ids.length)
    if (ids.length < BATCH) break
    after = ids.at(-1)!
  }
  // Unless the time zone changed meanwhile: then another recount is running.
  await sql`
    update reporting_time_zones set is_counted = true
    where account_id = ${account_id} and time_zone = ${time_zone}`.execute(db)
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

/** Includes destroyed conversations that still have counts. */
async function nextConversations(db: Db, account_id: string, after: string): Promise<string[]> {
  const next = (table: string, column: string) => sql`
    (select distinct ${sql.ref(column)} as id from ${sql.table(table)} where account_id = ${account_id} and ${sql.ref(column)} > ${after}
     order by 1 limit ${BATCH})`
  const { rows } = await sql<{ id: string }>`
    ${next('conversations', 'id')} union ${next('message_counts', 'conversation_id')}
    order by id limit ${BATCH}`.execute(db)
  return rows.map(({ id }) => id)
}
