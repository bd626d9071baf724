import * as z from 'zod/mini'
import type { Context } from '#server/context.ts'
import { type Consumer, defineConsumer } from '#server/feature.ts'
import { defineJob } from '#server/platform/jobs/job.ts'

export interface MessageOf {
  account_id: string
  message_id: string
}

/** A job with the id of one message. */
export function messageJob(name: string, run: (context: Context, payload: MessageOf) => Promise<void>) {
  return defineJob(name, { schema: z.object({ account_id: z.string(), message_id: z.string() }), run })
}

/** A consumer that enqueues this job for each new message. */
export function eachMessage(name: string, job: ReturnType<typeof messageJob>): Consumer {
  return defineConsumer(name, {
    of: ['message:created'],
    jobs: [job],
    async consume({ jobs }, { db }, events) {
      const payloads = events.map(({ event: { message }, request_id }) => ({
        request_id,
        payload: { account_id: message.account_id, message_id: message.id },
      }))
      await jobs.enqueueAll(db, job, payloads)
    },
  })
}
