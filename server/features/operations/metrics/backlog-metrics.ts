import type { BacklogCount, BacklogName } from '#contract/operations/health.ts'
import type { Context } from '../../../context.ts'
import { defineMetric, type Metric } from '../../../metric.ts'
import { withinTime } from '../../../platform/within-time.ts'

/** The database itself ends a count after two seconds, unless it hangs. */
const TIMEOUT_MS = 2_500

interface Counted {
  name: BacklogName
  /** Undefined if counting took too long. */
  count: BacklogCount | undefined
}

/** The backlogs of all features. A slow one hides none of the others. */
function countAll(context: Context): Promise<Counted[]> {
  return Promise.all(
    context.backlogs.map(async ({ name, count }) => {
      const counted = await withinTime(TIMEOUT_MS, count(context), 'The database took too long.').catch((error) => {
        context.log.warn({ err: error, work: name }, 'The backlog could not be counted')
        return undefined
      })
      return { name, count: counted }
    }),
  )
}

/** Metrics of the backlogs. They are read at the same time, so one count serves all. */
export function backlogMetrics(): Metric[] {
  let counting: Promise<Counted[]> | undefined
  const counted = (context: Context) => {
    counting ??= countAll(context).finally(() => {
      counting = undefined
    })
    return counting
  }
  const seconds = (column: 'oldest_seconds' | 'overdue_seconds') => async (context: Context) =>
    (await counted(context)).flatMap(({ name, count }) =>
      count ? [{ labels: { work: name }, value: count[column] }] : [],
    )
  return [
    defineMetric('parley_backlog', {
      help: 'Work that waits, runs, or has failed and waits for a user.',
      type: 'gauge',
      labels: ['work', 'state'],
      read: async (context) =>
        (await counted(context)).flatMap(({ name, count }) =>
          count
            ? (['waiting', 'running', 'failed'] as const).map((state) => ({
                labels: { work: name, state },
                value: count[state],
              }))
            : [],
        ),
    }),
    defineMetric('parley_backlog_oldest_seconds', {
      help: 'Age of the oldest waiting work.',
      type: 'gauge',
      labels: ['work'],
      read: seconds('oldest_seconds'),
    }),
    defineMetric('parley_backlog_overdue_seconds', {
      help: 'How long the oldest due work has been overdue. Grows when no server works on it.',
      type: 'gauge',
      labels: ['work'],
      read: seconds('overdue_seconds'),
    }),
    defineMetric('parley_backlog_counted', {
      help: 'Whether the database counted the backlog within two seconds.',
      type: 'gauge',
      labels: ['work'],
      read: async (context) =>
        (await counted(context)).map(({ name, count }) => ({ labels: { work: name }, value: count ? 1 : 0 })),
    }),
  ]
}
