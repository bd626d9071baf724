import type { BacklogCount, BacklogName } from '#contract/health.ts'
import type { Context } from './context.ts'

/** Work of a feature that waits in a table of its own. `/metrics` and the page about health read it. */
export interface Backlog {
  name: BacklogName
  /**
   * What there is in one account, or in all. Asked of `countingDb` every few seconds, so it reads nothing but what waits,
   * runs or failed.
   */
  count(context: Context, account_id?: string): Promise<BacklogCount>
}

/** Declares work that waits. */
export function defineBacklog(name: BacklogName, count: Backlog['count']): Backlog {
  return { name, count }
}
