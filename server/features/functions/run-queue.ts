import { type Context, perServer } from '../../context.ts'
import { type ClaimedRun, claimRuns, failAbandonedRuns } from './claim-runs.ts'
import { execute } from './execute.ts'
import { recordRun } from './runs.ts'

/** Runs under way on one server: as many as the sandbox has processes, but for one that tries are left. */
const AT_ONCE = 3
const RETRY_MS = 5_000

/** Does the runs that wait, on each server. */
class RunQueue {
  readonly #context: Context
  #count = 0
  #isLooking = false
  #again = false
  #isStopped = false
  #timer: NodeJS.Timeout | undefined

  constructor(context: Context) {
    this.#context = context
  }

  /** Looks for runs that wait. */
  wake(): void {
    this.#again = true
    if (!this.#isLooking && !this.#isStopped) void this.#look()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    try {
      while (this.#again && !this.#isStopped) {
        this.#again = false
        if (this.#count >= AT_ONCE) break
        const claimed = await claimRuns(this.#context.db, AT_ONCE - this.#count)
        for (const run of claimed) void this.#do(run)
        if (claimed.length > 0) this.#again = true
      }
    } catch (error) {
      this.#context.log.warn({ err: error }, 'Functions cannot be run for a moment')
      this.#timer = setTimeout(() => this.wake(), RETRY_MS)
      this.#timer.unref()
    } finally {
      this.#isLooking = false
    }
  }

  async #do({ account_id, id, function_id, code, modules, event, payload }: ClaimedRun): Promise<void> {
    this.#count++
    try {
      const outcome = await execute(this.#context, { account_id, id: function_id, code, modules }, { event, payload })
      await this.#context.change((open) => recordRun(open, { account_id, function_id }, id, outcome))
    } catch (error) {
      this.#context.log.error({ err: error, run_id: id }, 'What came of a function was not noted')
    } finally {
      this.#count--
      this.wake()
    }
  }
}

/** The one of this server. */
export const runQueueOf = perServer((context) => new RunQueue(context))

/** Each minute: what a server that died left behind. */
export async function recoverRuns(context: Context): Promise<void> {
  await failAbandonedRuns(context.db)
  runQueueOf(context).wake()
}
