import * as z from 'zod/mini'
import type { Context } from '../../../context.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { recountAccount } from './counting.ts'

/** Counts all messages of an account again, because its time zone changed. */
export const recountMessages = defineJob('reporting.recount', {
  schema: z.object({ account_id: z.string() }),
  timeout: 3_600,
  key: ({ account_id }) => account_id,
  async run({ db }: Context, { account_id }) {
    await recountAccount(db, account_id)
  },
})
