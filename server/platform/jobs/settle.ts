import type { JobResult, Job as StoredJob } from 'pg-boss'
import * as z from 'zod/mini'
import type { Log } from '../log.ts'
import { withRequestId } from '../request-id.ts'
import { traced } from '../tracing/traced.ts'
import { withinTime } from '../within-time.ts'
import type { Job, JobPayload } from './job.ts'
import { timeoutOf } from './queues.ts'

/**
 * Runs one job of a batch with its request id and time limit, and returns the outcome: a failure does not affect the
 * others.
 */
export function runJob<Context>(
  log: Log,
  job: Job<JobPayload, Context>,
  context: Context,
  stored: StoredJob<unknown>,
): Promise<JobResult> {
  const { success, data } = z.safeParse(Stamped, stored.data)
  return withRequestId(success ? data.request_id : undefined, () => run(log, job, context, stored))
}

const Stamped = z.object({ request_id: z.optional(z.string()) })

async function run<Context>(
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
  const begun = performance.now()
  try {
    const seconds = timeoutOf(job)
    await withinTime(
      seconds * 1000,
      traced({ name: job.name, kind: 'background', attributes: { tries: about.tries } }, () =>
        job.run(context, payload.data),
      ),
      `Not done within ${seconds} seconds.`,
    )
    log.debug({ ...about, ms: Math.round(performance.now() - begun) }, 'A job is done')
    return { id, status: 'completed' }
  } catch (error) {
    log.warn({ ...about, err: error }, 'A job failed')
    return { id, status: 'failed', output: error }
  }
}
