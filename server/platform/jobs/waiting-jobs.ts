import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db } from '../db/change.ts'
import type { Job, JobPayload } from './job.ts'
import { ORDERED } from './queues.ts'

/**
 * Payloads of the jobs that wait behind a running one with the same key, in order. The running job may do their work
 * along with its own; they then run and find it done.
 * @param payload of the running job
 */
export async function listWaiting<Payload extends JobPayload>(
  db: Db,
  { name, key, schema }: Pick<Job<Payload>, 'name' | 'key' | 'schema'>,
  payload: NoInfer<Payload>,
  limit: number,
): Promise<Payload[]> {
  if (!key) return []
  const { rows } = await sql<{ data: unknown }>`
    select data from jobs.job
    where name = ${name} and singleton_key = ${key(payload)} and state = 'created' and policy = ${ORDERED}
      and not blocked and start_after <= clock_timestamp()
    order by created_on, id limit ${limit}`.execute(db)
  return rows.flatMap(({ data }) => {
    const read = z.safeParse(schema, data)
    return read.success ? [read.data] : []
  })
}
