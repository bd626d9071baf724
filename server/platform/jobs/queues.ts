import type { PgBoss, Queue, QueueOptions } from 'pg-boss'

/** Where jobs go that failed for good; nobody works on it. */
export const DEAD = 'dead'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/** Eleven tries in all: the first at once, the last within the hour. */
const usual: QueueOptions = {
  retryLimit: 10,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 60 * MINUTE,
  expireInSeconds: 5 * MINUTE,
  // A worker that stops beating is dead, and its jobs go to another.
  heartbeatSeconds: 20,
  // Done is done; only the dead are kept for people to look at.
  deleteAfterSeconds: 5 * MINUTE,
  retentionSeconds: 90 * DAY,
}

/** A cron that failed simply comes round again; there is at most one at a time, and none waits behind it. */
const recurring: QueueOptions = {
  expireInSeconds: 5 * MINUTE,
  heartbeatSeconds: 20,
  deleteAfterSeconds: DAY,
  retryLimit: 0,
}

/** Makes the queues for jobs and crons, or brings them up to these settings; costs one query when nothing changed. */
export async function prepareQueues(boss: PgBoss, names: string[], cronNames: string[]): Promise<void> {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  const wanted: Queue[] = [
    { name: DEAD, retentionSeconds: 90 * DAY, deleteAfterSeconds: DAY },
    ...names.map((name) => ({ name, ...usual, deadLetter: DEAD })),
    ...cronNames.map((name) => ({ name, ...recurring, policy: 'exclusive' })),
  ]
  for (const queue of wanted) {
    const found = existing.get(queue.name)
    if (found && isAlike(queue, found)) continue
    const { name, policy, ...options } = queue
    await (found ? boss.updateQueue(name, options) : boss.createQueue(name, { policy, ...options }))
    // Reads the queue into pg-boss's memory: enqueueing inside a transaction must not need a second connection.
    await boss.getQueueStats(name)
  }
}

function isAlike(wanted: Queue, found: Queue): boolean {
  return Object.entries(wanted).every(([option, value]) => found[option as keyof Queue] === value)
}
