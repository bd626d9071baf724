import { defineBacklog } from '../../../backlog.ts'
import { defineMetric } from '../../../metric.ts'
import { countJobs } from '../../../platform/jobs/count-jobs.ts'

/** All jobs together. */
export const jobsBacklog = defineBacklog('jobs', async ({ countingDb }, account_id) => {
  const counts = await countJobs(countingDb, account_id)
  const total = (column: 'waiting' | 'running' | 'failed') => counts.reduce((sum, row) => sum + row[column], 0)
  const longest = (column: 'oldest_seconds' | 'overdue_seconds') => Math.max(0, ...counts.map((row) => row[column]))
  return {
    waiting: total('waiting'),
    running: total('running'),
    failed: total('failed'),
    oldest_seconds: longest('oldest_seconds'),
    overdue_seconds: longest('overdue_seconds'),
  }
})

/** Jobs by name. */
export const jobMetric = defineMetric('parley_jobs', {
  help: 'Waiting, running and dead jobs by name.',
  type: 'gauge',
  labels: ['job', 'state'],
  async read({ countingDb }) {
    const counts = await countJobs(countingDb)
    return counts.flatMap(({ name, waiting, running, failed }) =>
      Object.entries({ waiting, running, failed }).map(([state, value]) => ({ labels: { job: name, state }, value })),
    )
  },
})
