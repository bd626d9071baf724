import * as z from 'zod/mini'
import type { Context } from '#server/context.ts'
import type { Consumer } from '#server/features/events/consumers.ts'
import { defineJob } from '#server/platform/jobs/job.ts'

export interface MessageOf {
  account_id: string
  message_id: string
}

/** A job that is told of one message. */
export function messageJob(name: string, run: (context: Context, payload: MessageOf) => Promise<void>) {
  return defineJob(name, { schema: z.object({ account_id: z.string(), message_id: z.string() }), run })
}

/** A consumer that writes this job for each new message. */
export function eachMessage({ jobs }: Context, job: ReturnType<typeof messageJob>): Consumer {
  return {
    of: ['message:created'],
    async consume({ db }, events) {
      const messages = events.flatMap(({ event }) => (event.type === 'message:created' ? [event.message] : []))
      const payloads = messages.map(({ account_id, id }) => ({ payload: { account_id, message_id: id } }))
      await jobs.enqueueAll(db, job, payloads)
    },
  }
}
