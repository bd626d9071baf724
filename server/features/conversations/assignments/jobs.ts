import * as z from 'zod/mini'
import type { Context } from '../../../context.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { handOutAll } from './handing-out.ts'
import { returnReopened } from './returning.ts'

/**
 * They wait for each other by the lock of the account's teams, not by a key: a job that was interrupted by a killed
 * server would hold up the others until that is noticed.
 */
const AT_ONCE = { concurrency: 3 }

/** Gives the conversations that wait in an account's teams to members who have time. */
export const handOut = defineJob('assignments.handOut', {
  ...AT_ONCE,
  schema: z.object({ account_id: z.string() }),
  run: ({ change }: Context, { account_id }) => handOutAll(change, account_id),
})

/** Gives a reopened conversation to others if its user cannot take it now. */
export const checkReopened = defineJob('assignments.checkReopened', {
  ...AT_ONCE,
  schema: z.object({ account_id: z.string(), conversation_id: z.string() }),
  async run({ change }: Context, { account_id, conversation_id }) {
    await change((tx) => returnReopened(tx, account_id, conversation_id))
    await handOutAll(change, account_id)
  },
})
