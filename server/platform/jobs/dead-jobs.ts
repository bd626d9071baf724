import type { JobWithMetadata, PgBoss } from 'pg-boss'
import { DEAD } from './queues.ts'

/** A job that failed at every try. Times are ISO 8601; `error` is the last failure in one line. */
export interface DeadJob {
  id: string
  name: string
  payload: Record<string, unknown>
  created_at: string
  failed_at: string
  error: string | null
}

const MAX_JOBS = 200

/** The account's dead jobs, newest failures first, at most 200. */
export async function listDead(boss: PgBoss, account_id: string): Promise<DeadJob[]> {
  const jobs = await boss.findJobs<Record<string, unknown>>(DEAD, { data: { account_id }, queued: true })
  return jobs
    .sort((a, b) => b.createdOn.getTime() - a.createdOn.getTime())
    .slice(0, MAX_JOBS)
    .map(describe)
}

/** Puts a dead job back into its queue with all its tries; false when the account has no such dead job. */
export async function retryDead(boss: PgBoss, account_id: string, id: string): Promise<boolean> {
  return (await boss.redrive(DEAD, { ids: [id], data: { account_id } })) > 0
}

function describe(job: JobWithMetadata<Record<string, unknown>>): DeadJob {
  return {
    id: job.id,
    name: job.sourceName ?? job.name,
    payload: job.data,
    created_at: (job.sourceCreatedOn ?? job.createdOn).toISOString(),
    failed_at: job.createdOn.toISOString(),
    error: readError(job.sourceOutput),
  }
}

function readError(output: object | null): string | null {
  if (!output) return null
  return 'message' in output && typeof output.message === 'string' ? output.message : JSON.stringify(output)
}
