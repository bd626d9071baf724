import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { defineConsumer, type Happened } from '../../feature.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { defineJob } from '../../platform/jobs/job.ts'

/** How many conversations are counted in one transaction. */
const BATCH = 500

/**
 * Counts the messages of conversations again, within an open transaction, by hour of the account's day and author. It begins
 * from the messages each time, so it may be told of the same conversation as often as one likes.
 */
export async function countMessages(db: Db, account_id: string, conversation_ids: string[]): Promise<void> {
  if (conversation_ids.length === 0) return
  // One counts at a time, so that nobody writes down what was true before somebody else began.
  await sql`select pg_advisory_xact_lock(hashtext('message counts'), hashtext(${account_id}))`.execute(db)
  const ids = sql`any (${conversation_ids}::uuid[])`
  await sql`
    insert into reporting_time_zones (account_id, time_zone)
    select id, ${knownTimeZone()} from accounts where id = ${account_id}
      and not exists (select from reporting_time_zones z where z.account_id = ${account_id})
    on conflict do nothing`.execute(db)
  await sql`delete from message_counts where account_id = ${account_id} and conversation_id = ${ids}`.execute(db)
  await sql`
    insert into message_counts (account_id, day, hour, conversation_id, author, messages)
    select m.account_id, local::date, extract(hour from local), m.conversation_id,
           coalesce(m.user_id, case when m.customer_id is null then -1 else 0 end), count(*)
    from messages m
    join reporting_time_zones z on z.account_id = m.account_id,
         lateral (select m.created_at at time zone z.time_zone as local) clock
    where m.account_id = ${account_id} and m.conversation_id = ${ids}
    group by 1, 2, 3, 4, 5`.execute(db)
}

/** Of the account, as the database knows it: UTC for a name that it does not. To look among all names takes a while. */
function knownTimeZone() {
  return sql`coalesce((select name from pg_timezone_names where name = accounts.time_zone), 'UTC')`
}

/** Counts every message of the account again, because its days begin at another time, or to be sure. */
export const recountMessages = defineJob('reporting.recount', {
  schema: z.object({ account_id: z.string() }),
  timeout: 3_600,
  key: ({ account_id }) => account_id,
  async run({ db }: Context, { account_id }) {
    await recountAccount(db, account_id)
  },
})

/** @returns how many conversations were counted */
export async function recountAccount(db: Db, account_id: string): Promise<number> {
  await sql`
    insert into reporting_time_zones (account_id, time_zone)
    select id, ${knownTimeZone()} from accounts where id = ${account_id}
    on conflict (account_id) do update set time_zone = excluded.time_zone`.execute(db)
  let counted = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const ids = await nextConversations(db, account_id, after)
    await db.transaction().execute((open) => countMessages(open, account_id, ids))
    counted += ids.length
    if (ids.length < BATCH) return counted
    after = ids.at(-1)!
  }
}

/** The same for every account, for an operator who wants to be sure. */
export async function recountAll(db: Db): Promise<number> {
  let counted = 0
  for (const { id } of await db.selectFrom('accounts').select('id').orderBy('id').execute()) {
    counted += await recountAccount(db, id)
  }
  return counted
}

async function nextConversations(db: Db, account_id: string, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom('conversations')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH)
    .execute()
  return rows.map(({ id }) => id)
}

type CountedEvent = 'message:created' | 'message:deleted' | 'account:updated'

/** Keeps the counts of what came in and went, and has everything counted again when an account's days change. */
export const countNewMessages = defineConsumer('reporting.countMessages', {
  of: ['message:created', 'message:deleted', 'account:updated'],
  jobs: [recountMessages],
  consume: count,
})

async function count({ jobs }: Context, change: Change, events: Happened<CountedEvent>[]): Promise<void> {
  const conversations = new Map<string, Set<string>>()
  const accounts = new Map<string, string | null>()
  for (const { account_id, event } of events) {
    if (event.type === 'account:updated') accounts.set(account_id, event.account.time_zone)
    else {
      const id = event.type === 'message:created' ? event.message.conversation_id : event.conversation_id
      conversations.set(account_id, (conversations.get(account_id) ?? new Set()).add(id))
    }
  }
  // In the same order everywhere, so that nobody waits for somebody who waits for them.
  for (const account_id of [...conversations.keys()].sort()) {
    await countMessages(change.db, account_id, [...(conversations.get(account_id) ?? [])])
  }
  for (const [account_id, time_zone] of accounts) {
    if (await countsOtherwise(change.db, account_id, time_zone)) {
      await jobs.enqueue(change.db, recountMessages, { account_id })
    }
  }
}

async function countsOtherwise(db: Db, account_id: string, time_zone: string | null): Promise<boolean> {
  const counted = await db
    .selectFrom('reporting_time_zones')
    .select('time_zone')
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  return counted !== undefined && counted.time_zone !== (time_zone ?? 'UTC')
}
