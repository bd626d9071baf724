import type * as z from 'zod/mini'

/** The payload of a job: its account, and the ids it needs. Data is loaded when it runs. */
export type JobPayload = { account_id: string } & { [id: string]: string | number }

interface JobSettings<Payload extends JobPayload> {
  /** The payload is parsed when the job runs. One that does not fit becomes a dead job at once. */
  schema: z.ZodMiniType<Payload>
  /** Maximum number of tries: 11 by default, the first at once, the last within the hour. */
  tries?: number
  /** Seconds to wait after the first failure, doubled with each further one up to the longest: 2 and 3600. */
  backoff?: { first: number; longest: number }
  /** Seconds after which a try counts as failed: 300. A job that waits for others sets itself a shorter limit. */
  timeout?: number
  /** The kinds of mail that it writes, for `docs/consequences.md`. */
  mails?: readonly string[]
  /** How many of this name run side by side on one node: 10. */
  concurrency?: number
  /**
   * Each starts as soon as another one ends. Otherwise those that began together wait for the slowest of them, which is
   * cheaper for many short ones.
   */
  startsAlone?: true
  /**
   * Jobs with the same key run one after the other, in the order in which their transactions began and, within one, in
   * that of their enqueuing. One that failed holds up the next until it has succeeded or is dead.
   */
  key?(payload: Payload): string
}

/**
 * Work that is stored in the transaction that makes it necessary, and done afterwards. It may run twice (the process
 * may die before it records the end), so repeating it must do no harm.
 */
export interface Job<Payload extends JobPayload = JobPayload, Context = unknown> extends JobSettings<Payload> {
  name: string
  run(context: Context, payload: Payload): Promise<void>
}

/** Declares a job. Its name is a command: `mails.send`. Stored jobs carry the name, so it must not change. */
export function defineJob<Payload extends JobPayload, Context>(
  name: string,
  job: JobSettings<Payload> & { run(context: Context, payload: NoInfer<Payload>): Promise<void> },
): Job<Payload, Context> {
  return { name, ...job }
}

/** What to do regularly, once across all nodes. */
export interface Schedule<Context = unknown> {
  name: string
  /** A cron expression in UTC: `*\/5 * * * *`. */
  cron: string
  run(context: Context): Promise<void>
}

/** Declares regular work. After a failure the next run simply tries again. */
export function defineSchedule<Context>(
  name: string,
  cron: string,
  run: (context: Context) => Promise<void>,
): Schedule<Context> {
  return { name, cron, run }
}
