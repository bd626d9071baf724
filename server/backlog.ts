import type { BacklogCount, BacklogName } from '#contract/operations/health.ts'
import type { Context } from './context.ts'

/** Pending work of a feature in a table of its own, shown by `/metrics` and the health page. */
export interface Backlog {
  name: BacklogName
  /**
   * Counts in one account, or in all. Runs on `countingDb` every few seconds, so it reads only what is waiting, running
   * or failed.
   */
  count(context: Context, account_id?: string): Promise<BacklogCount>
}

/** Declares a backlog. */
export function defineBacklog(name: BacklogName, count: Backlog['count']): Backlog {
  return { name, count }
}
