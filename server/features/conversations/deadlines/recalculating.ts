import * as z from 'zod/mini'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { updateDeadlines } from './updating.ts'

/** Conversations in one transaction: nobody who writes in one of them waits long. */
const BATCH = 100

/** Calculates all deadlines of an account that have not ended by its present policies and working hours. */
export const recalculateDeadlines = defineJob('deadlines.recalculate', {
  schema: z.object({ account_id: z.string() }),
  timeout: 3_600,
  key: ({ account_id }) => account_id,
  run: ({ db, change }: Context, { account_id }) => recalculateAll(db, change, account_id),
})

async function recalculateAll(db: Db, change: Context['change'], account_id: string): Promise<void> {
  let after: string | undefined
  for (;;) {
    const ids = await listFollowed(db, account_id, after)
    if (ids.length === 0) return
    await change((tx) => updateDeadlines(tx, account_id, new Map(ids.map((id) => [id, []])), new Date()))
    after = ids.at(-1)
  }
}

/** The next conversations, in the order of their ids, with a deadline that has not ended. */
async function listFollowed(db: Db, account_id: string, after: string | undefined): Promise<string[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('deadlines')
    .select('conversation_id')
    .distinct()
    .where('done_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .$if(after !== undefined, (query) => query.where('conversation_id', '>', after!))
    .orderBy('conversation_id')
    .limit(BATCH)
    .execute()
  return rows.map(({ conversation_id }) => conversation_id)
}
