import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import pg from 'pg'
import { type Db, fromKysely, PgBoss, type Job as StoredJob } from 'pg-boss'
import type { Database } from '../db/schema.ts'
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'
import type { Log } from '../log.ts'
import type { Repeating } from '../repeating.ts'
import { currentRequestId } from '../request-id.ts'
import { type DeadJob, listDead, retryDead } from './dead-jobs.ts'
import { watchDueQueues } from './due-queues.ts'
import type { Job, JobPayload, Schedule } from './job.ts'
import { orderedId } from './ordered-id.ts'
import { listUnknownQueues, prepareQueues, queueOf } from './queues.ts'
import { runJob } from './settle.ts'

/** Enqueues jobs and runs them. Runs on every node; each job is run by one of them. */
export interface Jobs {
  /** Creates the queues and starts working. */
  start<Context>(options: {
    jobs: Job<JobPayload, Context>[]
    schedules: Schedule<Context>[]
    context: Context
  }): Promise<void>
  /** Takes no new jobs and waits up to ten seconds for running ones; unfinished ones are tried again. */
  stop(): Promise<void>
  /**
   * Stores the job in the caller's transaction: it exists if, and only if, that commits. It carries the id of the
   * current request.
   */
  enqueue<Payload extends JobPayload>(
    trx: Transaction<Database>,
    job: Job<Payload>,
    payload: NoInfer<Payload>,
    options?: {
      /** Not before this moment. */
      not_before?: Date
    },
  ): Promise<void>
  /** Stores many jobs of one name at once. A consumer passes the request id of each event. */
  enqueueAll<Payload extends JobPayload>(
    trx: Transaction<Database>,
    job: Job<Payload>,
    jobs: { payload: NoInfer<Payload>; not_before?: Date; request_id?: string | null | undefined }[],
  ): Promise<void>
  /** Starts waiting jobs of a name at once. To be called after the commit, where commits may take long. */
  wake(job: { name: string }): void
  listDeadJobs(account_id: string): Promise<DeadJob[]>
  /** False when the account has no such dead job. */
  retryDeadJob(account_id: string, id: string): Promise<boolean>
}

/** Workers are woken when their queue has due jobs (`due-queues.ts`); this only covers what that might miss. */
const POLL_SECONDS = 60
const CONCURRENCY = 10
/** Across all queues. */
const STATEMENTS_AT_ONCE = 3
const STOP_TIMEOUT = 10_000
/** Milliseconds within which the transaction of an enqueued job has usually committed. */
const COMMIT_TIME = 40
/** Workers are woken at the time of jobs that are due within so many milliseconds; for those of the same step once. */
const SOON = 120_000
const WAKE_STEP = 100
/** Milliseconds between the starts of schedules. */
const START_INTERVAL = 50

/** The job platform: pg-boss in our own database, in a schema of its own. */
export function createJobs({ pool, log }: { pool: pg.Pool; log: Log }): Jobs {
  const boss = openBoss(pool, log)
  /** Ids of the workers by queue. */
  const workers = new Map<string, string[]>()
  let watch: Repeating | undefined
  let nextStart = Promise.resolve()

  function wakeWorker(name: string): void {
    for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker)
  }

  async function work<Context>(job: Job<JobPayload, Context>, context: Context): Promise<void> {
    const { concurrency = CONCURRENCY } = job
    const [batchSize, workerCount] = job.startsAlone ? [1, concurrency] : [concurrency, 1]
    const settings = {
      batchSize,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: POLL_SECONDS,
      perJobResults: true,
    } as const
    const run = async (stored: StoredJob<unknown>[]) => {
      const results = await Promise.all(stored.map((storedJob) => runJob(log, job, context, storedJob)))
      // Only one job per key is taken at a time, so batches are never full, and the next job would wait for polling.
      if (job.key) wakeWorker(job.name)
      return results
    }
    const started = Array.from({ length: workerCount }, () => boss.work<unknown>(job.name, settings, run))
    workers.set(job.name, await Promise.all(started))
  }

  async function runOnSchedule<Context>({ name, run }: Schedule<Context>, context: Context): Promise<void> {
    const worker = await boss.work(name, { pollingIntervalSeconds: POLL_SECONDS }, async () => {
      await waitToStart()
      await run(context).catch((error) => {
        log.warn({ err: error, schedule: name }, 'Scheduled work failed')
        throw error
      })
    })
    workers.set(name, [worker])
  }

  /**
   * Many schedules are due at the same minute. Started one after the other, an idle server does them with one or two
   * database connections.
   */
  function waitToStart(): Promise<void> {
    const start = nextStart
    nextStart = start.then(() => sleep(START_INTERVAL))
    return start
  }

  /** Retried like any job, because a newer version running beside this one may know it. Then it becomes a dead job. */
  async function failUnknown(name: string): Promise<void> {
    log.warn({ job: name }, 'Jobs are waiting whose name this version does not know')
    await boss.work(name, { pollingIntervalSeconds: 30 }, async () => {
      throw new Error(`This version of Parley has no job named ${name}.`)
    })
  }

  /** Polling would find the jobs anyway, only later. Waking too early does no harm. */
  function wake(name: string, moments: (Date | undefined)[]): void {
    const now = Date.now()
    const waits = new Set(moments.map((due) => Math.ceil(Math.max(0, (due?.getTime() ?? now) - now) / WAKE_STEP)))
    for (const steps of waits) {
      const ms = steps * WAKE_STEP
      if (ms <= SOON) setTimeout(() => wakeWorker(name), ms + COMMIT_TIME).unref()
    }
  }

  return {
    async start({ jobs, schedules, context }) {
      await boss.start()
      await prepareQueues(boss, jobs.map(queueOf), schedules)
      await scheduleAll(boss, schedules)
      for (const job of jobs) await work(job, context)
      for (const schedule of schedules) await runOnSchedule(schedule, context)
      for (const name of await listUnknownQueues(boss, [...workers.keys()])) await failUnknown(name)
      watch = watchDueQueues({ pool, log }, () => [...workers.keys()], wakeWorker)
    },
    async stop() {
      workers.clear()
      await watch?.stop()
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT, close: false })
    },
    async enqueue(trx, job, payload, { not_before } = {}) {
      await boss.send(job.name, stamp(payload), {
        db: fromKysely(trx),
        ...(not_before && { startAfter: not_before }),
        ...orderOf(job, payload),
      })
      wake(job.name, [not_before])
    },
    async enqueueAll(trx, job, entries) {
      if (entries.length === 0) return
      const rows = entries.map(({ payload, not_before, request_id }) => ({
        data: stamp(payload, request_id),
        startAfter: not_before,
        ...orderOf(job, payload),
      }))
      await boss.insert(job.name, rows, { db: fromKysely(trx) })
      wake(
        job.name,
        entries.map(({ not_before }) => not_before),
      )
    },
    wake: ({ name }) => wakeWorker(name),
    listDeadJobs: (account_id) => listDead(boss, account_id),
    retryDeadJob: (account_id, id) => retryDead(boss, account_id, id),
  }
}

/** Adds the request id to a payload; the schemas of jobs drop it again. */
function stamp(payload: JobPayload, request_id: string | null = currentRequestId() ?? null): JobPayload {
  return request_id ? { ...payload, request_id } : payload
}

/** What makes jobs with the same key wait for each other. */
function orderOf<Payload extends JobPayload>({ key }: Job<Payload>, payload: Payload) {
  return key && { singletonKey: key(payload), id: orderedId() }
}

/** Creates pg-boss without starting it. A guest only prepares queues: it neither supervises jobs nor runs schedules. */
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

/**
 * Each queue polls by itself, and many at the same moment: without a limit they keep all connections of the pool open, each
 * of which takes the database some megabytes. pg-boss expects times as Date, so it gets the driver's own parsers instead of ours.
 */
function overPool(pool: pg.Pool): Db {
  const statements = new ConcurrencyLimiter(STATEMENTS_AT_ONCE, Number.POSITIVE_INFINITY)
  return { executeSql: (text, values) => statements.run('', () => pool.query({ text, values, types: pg.types })) }
}

/** Registers the declared schedules and removes all others; costs one query when nothing changed. */
async function scheduleAll(boss: PgBoss, schedules: Pick<Schedule, 'name' | 'cron'>[]): Promise<void> {
  const wanted = new Map(schedules.map(({ name, cron }) => [name, cron]))
  for (const { name, cron, timezone } of await boss.getSchedules()) {
    if (!wanted.has(name)) await boss.unschedule(name)
    else if (wanted.get(name) === cron && timezone === 'UTC') wanted.delete(name)
  }
  for (const [name, cron] of wanted) await boss.schedule(name, cron, null, { tz: 'UTC' })
}
