import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { BATCH, countMessages, recountAccount } from './counting.ts'

const TIMEOUT_SECONDS = 3_600

/** Recounts all conversations of an account, because its time zone or working hours changed, or on request. */
export const recountMessages = defineJob('reporting.recount', {
  schema: z.object({ account_id: z.string() }),
  timeout: TIMEOUT_SECONDS,
  key: ({ account_id }) => account_id,
  async run({ db }: Context, { account_id }) {
    await recountAccount(db, account_id)
  },
})

/** Counts an account that was not fully counted: data from before there were sums, or from before its first event. */
export const makeTotals = defineJob('reporting.makeTotals', {
  schema: z.object({ account_id: z.string() }),
  timeout: TIMEOUT_SECONDS,
  key: ({ account_id }) => account_id,
  async run({ db }: Context, { account_id }) {
    // It may have been enqueued again while it ran.
    if (!(await readState(db, account_id))?.has_totals) await recountAccount(db, account_id)
  },
})

/** Recounts the conversations that had a deleted tag, which only their contributions still show. */
export const forgetTag = defineJob('reporting.forgetTag', {
  schema: z.object({ account_id: z.string(), tag_id: z.string() }),
  timeout: TIMEOUT_SECONDS,
  async run({ db }: Context, { account_id, tag_id }) {
    for (;;) {
      const rows = await ofAccount(db, account_id)
        .selectFrom('conversation_figures')
        .select('conversation_id')
        .where(sql<boolean>`filters @> array[${`tag_id:${tag_id}`}]`)
        .limit(BATCH)
        .execute()
      if (rows.length === 0) return
      const ids = rows.map(({ conversation_id }) => conversation_id)
      await db.transaction().execute((tx) => countMessages(tx, account_id, ids))
    }
  },
})

/** Enqueues counting for accounts without sums. */
export async function makeMissingTotals({ change, jobs }: Context): Promise<void> {
  await change(async ({ db }) => {
    const accounts = await db
      .selectFrom('accounts')
      .leftJoin('reporting_time_zones', 'account_id', 'accounts.id')
      .select('accounts.id')
      .where((row) => row.or([row('has_totals', 'is', null), row('has_totals', '=', false)]))
      .execute()
    for (const { id } of accounts) await jobs.enqueue(db, makeTotals, { account_id: id })
  })
}

/**
 * Checks whether each account's sums agree with its contributions, and rebuilds those that do not: for example after a
 * server of an earlier version ran beside this one, or somebody changed the database by hand.
 */
export async function checkTotals({ db, log }: Context): Promise<void> {
  const accounts = await db.selectFrom('accounts').select('id').orderBy('id').execute()
  for (const { id } of accounts) {
    const { rows } = await sql`
      update reporting_time_zones set has_totals = false
      where account_id = ${id} and has_totals and (
        (select coalesce(sum(messages), 0) from message_counts where account_id = ${id})
          <> (select coalesce(sum(messages), 0) from author_totals where account_id = ${id} and filter = '')
        or (select count(*) from conversation_figures where account_id = ${id})
          <> (select coalesce(sum(conversations), 0) from conversation_totals where account_id = ${id} and filter = '')
      ) returning account_id`.execute(db)
    if (rows.length > 0)
      log.warn({ account_id: id }, 'The report sums of an account are wrong and will be recalculated')
  }
}

/**
 * An account's time zone and working hours for counting, and whether it is fully counted. Undefined before its first
 * event.
 */
export function readState(db: Db, account_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('reporting_time_zones')
    .select(['time_zone', 'working_hours', 'has_totals'])
    .executeTakeFirst()
}
