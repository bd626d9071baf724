import type { JobResult, Job as StoredJob } from 'pg-boss'
import * as z from 'zod/mini'
import type { Log } from '../log.ts'
import type { Job, JobPayload } from './job.ts'
import { timeoutOf } from './queues.ts'

/** Runs one job of a batch, within its time, and says how it ended: one that fails takes no other with it. */
export async function settle<Context>(
  log: Log,
  job: Job<JobPayload, Context>,
  context: Context,
  stored: StoredJob<unknown>,
): Promise<JobResult> {
  const { id } = stored
  const about = { job: job.name, job_id: id, tries: stored.retryCount + 1 }
  const payload = z.safeParse(job.schema, stored.data)
  if (!payload.success) {
    log.error({ ...about, issues: payload.error.issues }, 'A job has a payload that this version cannot read')
    const error = new Error(`The payload cannot be read: ${z.prettifyError(payload.error)}`)
    return { id, status: 'deadletter', output: error }
  }
  try {
    await withinSeconds(timeoutOf(job), job.run(context, payload.data))
    return { id, status: 'completed' }
  } catch (error) {
    log.warn({ ...about, err: error }, 'A job failed')
    return { id, status: 'failed', output: error }
  }
}

async function withinSeconds(seconds: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`Not done within ${seconds} seconds.`)), seconds * 1000)
  try {
    await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
