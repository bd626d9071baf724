import type { PgBoss, Queue, QueueOptions } from 'pg-boss'
import type { Job, Schedule } from './job.ts'

/** The queue of jobs that failed for good; nobody works on it. */
export const DEAD = 'dead'

/** pg-boss's name for queues whose jobs wait for each other by key. */
export const ORDERED = 'key_strict_fifo'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE
const TRIES = 11
const TIMEOUT = 5 * MINUTE
/** We enforce the time limit ourselves; the database does so this many seconds later, if we could not. */
const TIMEOUT_SLACK = 15

const defaults: QueueOptions = {
  retryLimit: TRIES - 1,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 60 * MINUTE,
  expireInSeconds: TIMEOUT + TIMEOUT_SLACK,
  // A worker without a heartbeat is dead, and its jobs go to another.
  heartbeatSeconds: 20,
  // Finished jobs are deleted soon; dead ones are kept for people to look at.
  deleteAfterSeconds: 5 * MINUTE,
  retentionSeconds: 90 * DAY,
}

/** At most one waits or runs at a time. */
const recurring: QueueOptions = {
  expireInSeconds: TIMEOUT,
  heartbeatSeconds: 20,
  deleteAfterSeconds: DAY,
  retryLimit: 0,
}

/** In seconds. */
export function timeoutOf({ timeout = TIMEOUT }: Pick<Job, 'timeout'>): number {
  return timeout
}

/** The options of a job's queue. */
export type JobQueue = Pick<Job, 'name' | 'tries' | 'backoff' | 'timeout'> & { isOrdered: boolean }

/** The queue options of a declared job. */
export function queueOf(job: Job): JobQueue {
  return { ...job, isOrdered: !!job.key }
}

function describeQueue({ name, tries = TRIES, backoff, timeout = TIMEOUT, isOrdered }: JobQueue): Queue {
  return {
    name,
    ...defaults,
    retryLimit: tries - 1,
    ...(backoff && { retryDelay: backoff.first, retryDelayMax: backoff.longest }),
    expireInSeconds: timeout + TIMEOUT_SLACK,
    deadLetter: DEAD,
    policy: isOrdered ? ORDERED : 'standard',
  }
}

/** Creates or updates the queues for jobs and schedules; costs one query when nothing changed. */
export async function prepareQueues(
  boss: PgBoss,
  jobs: JobQueue[],
  schedules: Pick<Schedule, 'name'>[],
): Promise<void> {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  const wanted: Queue[] = [
    { name: DEAD, retentionSeconds: 90 * DAY, deleteAfterSeconds: DAY },
    ...jobs.map(describeQueue),
    ...schedules.map(({ name }) => ({ name, ...recurring, policy: 'exclusive' })),
  ]
  for (const queue of wanted) {
    const stored = existing.get(queue.name)
    if (stored && hasSameOptions(queue, stored)) continue
    const { name, policy = 'standard', ...options } = queue
    if (stored && stored.policy !== policy) {
      throw new Error(
        `The queue ${name} exists as ${stored.policy}, which cannot become ${policy}: give the job a new name.`,
      )
    }
    await (stored ? boss.updateQueue(name, options) : boss.createQueue(name, { policy, ...options }))
    // Reads the queue into pg-boss's memory: enqueueing inside a transaction must not need a second connection.
    await boss.getQueueStats(name)
  }
}

/** Queues with jobs of unknown names: another version created them. */
export async function listUnknownQueues(boss: PgBoss, knownNames: string[]): Promise<string[]> {
  const queues = await boss.getQueues()
  return queues
    .filter(({ name, deadLetter }) => deadLetter === DEAD && !knownNames.includes(name))
    .map(({ name }) => name)
}

function hasSameOptions(wanted: Queue, stored: Queue): boolean {
  return Object.entries(wanted).every(([option, value]) => stored[option as keyof Queue] === value)
}
