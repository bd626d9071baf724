import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import pg from 'pg'
import { type Db, fromKysely, type Job, type JobResult, PgBoss } from 'pg-boss'
import type { Database } from '../db/schema.ts'
import type { Log } from '../log.ts'
import { type DeadJob, listDead, retryDead } from './dead-jobs.ts'
import { prepareQueues } from './queues.ts'

/** What a job is told: whose it is, and the ids of what it is about. It loads what is true when it runs. */
export type JobPayload = { account_id: string } & { [id: string]: string | number }

/**
 * What to do, by the name of the job, which reads as an order: `conversations.archiveStale`. A job may run twice (its
 * process may die after the work and before the note of it), so doing it again must do no harm. Up to ten of a name
 * run side by side and the next ones wait for them, so a job that waits for others sets itself a time limit.
 */
export type JobHandlers = { [name: string]: { run(payload: JobPayload): Promise<void> }['run'] }

/** What to do regularly, once in all nodes together. `schedule` is a cron expression in UTC: `*\/5 * * * *`. */
export type Crons = { [name: string]: { schedule: string; run(): Promise<void> } }

export interface EnqueueOptions {
  /** Not before this moment. */
  not_before?: Date
  /** How often to try in all, instead of eleven times. */
  tries?: number
}

export interface Jobs<Handlers extends JobHandlers = JobHandlers> {
  /** Makes the queues and begins to work. */
  start(handlers: Handlers, crons: Crons): Promise<void>
  /** Takes no new jobs and waits up to ten seconds for running ones; what is not done then is tried again. */
  stop(): Promise<void>
  /** Writes the job in the caller's transaction: it exists when, and only when, that commits. */
  enqueue<Name extends keyof Handlers & string>(
    trx: Transaction<Database>,
    name: Name,
    payload: Parameters<Handlers[Name]>[0],
    options?: EnqueueOptions,
  ): Promise<void>
  /** Writes many jobs of one name at once. */
  enqueueAll<Name extends keyof Handlers & string>(
    trx: Transaction<Database>,
    name: Name,
    jobs: { payload: Parameters<Handlers[Name]>[0]; not_before?: Date }[],
  ): Promise<void>
  listDeadJobs(account_id: string): Promise<DeadJob[]>
  /** False when the account has no such dead job. */
  retryDeadJob(account_id: string, id: string): Promise<boolean>
}

const POLL_SECONDS = 2
const STOP_PATIENCE = 10_000
/** Milliseconds after which the transaction of an enqueued job has usually committed. */
const COMMIT_TIME = 40

/** The job platform: pg-boss in our own database, in a schema of its own. */
export function createJobs<Handlers extends JobHandlers = JobHandlers>(given: {
  pool: pg.Pool
  log: Log
}): Jobs<Handlers> {
  const { pool, log } = given
  const boss = openBoss(pool, log)
  const workers = new Map<string, string>()

  async function work(name: string, run: (payload: JobPayload) => Promise<void>): Promise<void> {
    const settings = {
      batchSize: 10,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: POLL_SECONDS,
      perJobResults: true,
    } as const
    workers.set(
      name,
      await boss.work<JobPayload>(name, settings, (jobs) => Promise.all(jobs.map((job) => settle(job, run)))),
    )
  }

  async function settle(job: Job<JobPayload>, run: (payload: JobPayload) => Promise<void>): Promise<JobResult> {
    try {
      await run(job.data)
      return { id: job.id, status: 'completed' }
    } catch (error) {
      log.warn({ err: error, job: job.name, job_id: job.id, tries: job.retryCount + 1 }, 'A job failed')
      return { id: job.id, status: 'failed', output: error }
    }
  }

  /** Polling would find the job, only later. Waking too early does no harm either. */
  async function wake(name: string): Promise<void> {
    await sleep(COMMIT_TIME, undefined, { ref: false })
    const worker = workers.get(name)
    if (worker) boss.notifyWorker(worker)
  }

  return {
    async start(handlers, crons) {
      await boss.start()
      await prepareQueues(boss, Object.keys(handlers), Object.keys(crons))
      await scheduleCrons(boss, crons)
      for (const [name, run] of Object.entries(handlers)) await work(name, run)
      for (const [name, cron] of Object.entries(crons)) await work(name, () => cron.run())
    },
    async stop() {
      workers.clear()
      await boss.stop({ graceful: true, timeout: STOP_PATIENCE, close: false })
    },
    async enqueue(trx, name, payload, { not_before, tries } = {}) {
      await boss.send(name, payload, {
        db: fromKysely(trx),
        ...(not_before && { startAfter: not_before }),
        ...(tries && { retryLimit: tries - 1 }),
      })
      if (!not_before) void wake(name)
    },
    async enqueueAll(trx, name, given) {
      if (given.length === 0) return
      const rows = given.map(({ payload, not_before }) => ({ data: payload, startAfter: not_before }))
      await boss.insert(name, rows, { db: fromKysely(trx) })
      if (given.some(({ not_before }) => !not_before)) void wake(name)
    },
    listDeadJobs: (account_id) => listDead(boss, account_id),
    retryDeadJob: (account_id, id) => retryDead(boss, account_id, id),
  }
}

/** pg-boss, before it starts. A guest prepares queues and leaves: it looks after no jobs and calls no crons. */
export function openBoss(pool: pg.Pool, log: Log, { isGuest = false } = {}): PgBoss {
  const boss = new PgBoss({
    db: overPool(pool),
    schema: 'jobs',
    supervise: !isGuest,
    schedule: !isGuest,
    // How soon the jobs of a node that died are noticed, and how soon finished ones are cleared.
    superviseIntervalSeconds: 20,
    monitorIntervalSeconds: 20,
    maintenanceIntervalSeconds: 60,
    // Jobs that depend on jobs are not used here.
    flowIntervalSeconds: 600,
  })
  boss.on('error', (error) => log.error(`jobs: ${error.message}`))
  boss.on('warning', ({ message }) => log.warn(`jobs: ${message}`))
  return boss
}

/** pg-boss reads times as Date, so it gets the driver's own parsers and not ours. */
function overPool(pool: pg.Pool): Db {
  return { executeSql: (text, values) => pool.query({ text, values, types: pg.types }) }
}

/** Schedules what the table says, and nothing else. */
async function scheduleCrons(boss: PgBoss, crons: Crons): Promise<void> {
  for (const { name } of await boss.getSchedules()) {
    if (!(name in crons)) await boss.unschedule(name)
  }
  for (const [name, { schedule }] of Object.entries(crons)) await boss.schedule(name, schedule, null, { tz: 'UTC' })
}
