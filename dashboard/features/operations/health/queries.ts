import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { health } from '#contract/operations/health.ts'
import { operations } from '#contract/operations/operations.ts'
import { call } from '../../../platform/http/api.ts'
import { refreshAfter } from '../../../platform/http/refresh-after.ts'

const healthKey = ['health'] as const
/** The page polls while it is open. */
const REFRESH_MS = 15_000

/** Pending and failed work. */
export const healthQuery = queryOptions({
  queryKey: [...healthKey, 'report'],
  queryFn: async ({ signal }) => (await call(health.report, { signal })).data,
  refetchOnMount: 'always',
  refetchInterval: REFRESH_MS,
})

/** Jobs that failed at every try. */
export const deadJobsQuery = queryOptions({
  queryKey: [...healthKey, 'dead-jobs'],
  queryFn: async ({ signal }) => (await call(operations.deadJobs, { signal })).data,
  refetchOnMount: 'always',
  refetchInterval: REFRESH_MS,
})

/** Queues a job again with all its attempts. */
export async function retryJob(client: QueryClient, id: string): Promise<void> {
  await refreshAfter(call(operations.retryDeadJob, { params: { id } }), client, healthKey)
}
