import * as z from 'zod/mini'
import type { Context } from '../../../context.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { sendIfDue } from './sending.ts'

/** Sends a reply once it can no longer be taken back. */
export const sendScheduled = defineJob('scheduledMessages.send', {
  schema: z.object({ account_id: z.string(), id: z.string() }),
  run: (context: Context, { account_id, id }) => sendIfDue(context, account_id, id),
})
