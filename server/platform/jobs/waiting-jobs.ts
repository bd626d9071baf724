import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db } from '../db/change.ts'
import type { Job, JobPayload } from './job.ts'
import { ORDERED } from './queues.ts'

/**
 * What the jobs are told that wait for one with the same key, in their order. So that one which runs may do their work along with
 * its own; they run all the same, and find it done.
 * @param payload of the one that runs
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
