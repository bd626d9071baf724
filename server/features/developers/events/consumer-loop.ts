import type { Log } from '../../../platform/log.ts'

/** Long enough to combine a burst into one batch, short enough to go unnoticed. */
const REST_MS = 200
/** Finds what a dead node left behind. */
const POLL_MS = 2_000
/** Delay after a failure; doubled with each further one. */
const BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 60_000
/** How long a running batch may take to finish when the server stops. */
const STOP_MS = 5_000

export interface ConsumerFailure {
  name: string
  /** Number of failures in a row. */
  failures: number
  /** ISO 8601. */
  since: string
}

export interface ConsumerLoop {
  /** New events exist: they are read within a moment, unless the consumer has failed and is waiting. */
  wake(): void
  /** Set from the first failure until a batch succeeds. */
  failure(): ConsumerFailure | undefined
  /** Starts no new batch and gives the running one a few seconds. */
  stop(): Promise<void>
}

/**
 * Runs the batches of one consumer, one after the other, whenever there is something to read.
 * @param restMs minimum pause between two batches, if longer than usual; the first event after a longer silence is read
 * without it
 * @param readBatch handles the next batch until the signal aborts; true if there may be more
 */
export function startConsumerLoop(
  { name, log, batchMs, restMs = 0 }: { name: string; log: Log; batchMs: number; restMs?: number | undefined },
  readBatch: (signal: AbortSignal) => Promise<boolean>,
): ConsumerLoop {
  const stopping = new AbortController()
  let isStopped = false
  let isWoken = false
  let failed: ConsumerFailure | undefined
  let endedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  async function readAll() {
    try {
      while (!isStopped && (await readBatch(AbortSignal.any([stopping.signal, AbortSignal.timeout(batchMs)]))));
      failed = undefined
    } catch (error) {
      if (isStopped) return
      failed = { name, failures: (failed?.failures ?? 0) + 1, since: failed?.since ?? new Date().toISOString() }
      log.warn(
        { err: error, consumer: name, failures: failed.failures },
        'A consumer of events failed and will try again',
      )
    }
  }

  function run() {
    isWoken = false
    running = readAll().then(() => {
      running = undefined
      endedAt = performance.now()
      schedule(failed ? backoff(failed.failures) : isWoken ? remainingRest() : POLL_MS)
    })
  }

  function remainingRest(): number {
    return Math.max(REST_MS, endedAt + restMs - performance.now())
  }

  function schedule(ms: number) {
    clearTimeout(timer)
    if (isStopped) return
    timer = setTimeout(run, ms)
    timer.unref()
  }
  schedule(0)

  return {
    wake() {
      if (isWoken) return
      isWoken = true
      if (!running && !failed) schedule(remainingRest())
    },
    failure: () => failed,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      const hurry = setTimeout(() => stopping.abort(new Error('The server is stopping.')), STOP_MS)
      await running
      clearTimeout(hurry)
    },
  }
}

function backoff(failures: number): number {
  return Math.min(BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS)
}
