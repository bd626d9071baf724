import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../../operator-error.ts'
import { reportsFullDisk } from '../problems.ts'
import { clearLeftovers } from './leftovers.ts'
import { type Plan, type Postmaster, startPostmaster } from './postmaster.ts'

/** A database that is started again when it dies. */
export interface Supervised {
  pid(): number
  stop(): Promise<void>
}

const WINDOW = 60_000
const MAX_RESTARTS = 5
const FIRST_PAUSE = 100
/** Pause between two tries while the disk is full. */
const FULL_PAUSE = 3_000

/**
 * Starts the postmaster and keeps it running: after an unexpected exit it is restarted, with growing pauses, at most
 * five times a minute. Then `onExit` is called once with the reason, and no more tries follow. While the disk is full
 * it is retried without end, until somebody frees space.
 */
export async function supervise(plan: Plan, onExit: (error: Error) => void): Promise<Supervised> {
  const stopped = new AbortController()
  let current = await startCleared(plan)
  let restarts: number[] = []

  async function watch(): Promise<void> {
    while (!stopped.signal.aborted) {
      const last = await current.exited
      if (stopped.signal.aborted) return
      plan.log.error(`The database ended unexpectedly (${last}); starting it again`)
      current = await restart(last)
    }
  }

  async function restart(last: string): Promise<Postmaster> {
    for (let reason = last; ; ) {
      const isFull = reportsFullDisk(reason)
      if (!isFull) restarts = [...restarts.filter((at) => at > Date.now() - WINDOW), Date.now()]
      if (restarts.length > MAX_RESTARTS) {
        throw new OperatorError(
          `The database ended ${MAX_RESTARTS} times within a minute. The last error was: ${reason}`,
        )
      }
      const pause = isFull ? FULL_PAUSE : FIRST_PAUSE * 2 ** (restarts.length - 1)
      await sleep(pause, undefined, { signal: stopped.signal })
      try {
        return await startCleared(plan)
      } catch (error) {
        reason = (error as Error).message
        plan.log.error(reason)
      }
    }
  }

  const watching = watch().catch((error: Error) => {
    if (!stopped.signal.aborted) onExit(error)
  })
  return {
    pid: () => current.pid,
    async stop() {
      stopped.abort()
      await current.stop()
      await watching
      // A restart that was in progress has finished by now.
      await current.stop()
    },
  }
}

async function startCleared(plan: Plan): Promise<Postmaster> {
  await clearLeftovers(plan.cluster, plan.log)
  return startPostmaster(plan)
}
