import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { Db } from '../../platform/db/change.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { BATCH, countMessages, recountAccount } from './counting.ts'

const LONGEST_SECONDS = 3_600

/** Counts every conversation of the account again, because its days begin or its team works at another time, or to be sure. */
export const recountMessages = defineJob('reporting.recount', {
  schema: z.object({ account_id: z.string() }),
  timeout: LONGEST_SECONDS,
  key: ({ account_id }) => account_id,
  async run({ db }: Context, { account_id }) {
    await recountAccount(db, account_id)
  },
})

/** Counts an account of which not everything has been: what came before there were sums, or before its first event. */
export const makeTotals = defineJob('reporting.makeTotals', {
  schema: z.object({ account_id: z.string() }),
  timeout: LONGEST_SECONDS,
  key: ({ account_id }) => account_id,
  async run({ db }: Context, { account_id }) {
    // It may have been enqueued again while it ran.
    if (!(await readState(db, account_id))?.has_totals) await recountAccount(db, account_id)
  },
})

/** Counts the conversations again that had a tag which is no more: only what they contributed knows which these are. */
export const forgetTag = defineJob('reporting.forgetTag', {
  schema: z.object({ account_id: z.string(), tag_id: z.string() }),
  timeout: LONGEST_SECONDS,
  async run({ db }: Context, { account_id, tag_id }) {
    for (;;) {
      const rows = await db
        .selectFrom('conversation_figures')
        .select('conversation_id')
        .where('account_id', '=', account_id)
        .where(sql<boolean>`filters @> array[${`tag_id:${tag_id}`}]`)
        .limit(BATCH)
        .execute()
      if (rows.length === 0) return
      const ids = rows.map(({ conversation_id }) => conversation_id)
      await db.transaction().execute((open) => countMessages(open, account_id, ids))
    }
  },
})

/** Has the accounts counted that lack sums. */
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
 * Looks whether the sums of each account hold as many conversations and messages as contributed to them, and has those made anew that do
 * not: after a server of an earlier version ran beside this one, say, or somebody wrote into the database.
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
    if (rows.length > 0) log.warn({ account_id: id }, 'The sums of its reports are not right: they will be made anew')
  }
}

/** By which clock an account is counted, and whether all of it has been. Nothing before its first event. */
export function readState(db: Db, account_id: string) {
  return db
    .selectFrom('reporting_time_zones')
    .select(['time_zone', 'working_hours', 'has_totals'])
    .where('account_id', '=', account_id)
    .executeTakeFirst()
}
