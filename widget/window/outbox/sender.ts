import { newId, newSecret } from '../new-id.ts'
import { type Backoff, waitMs } from '../realtime/backoff.ts'
import type { RequestOutcome } from '../request.ts'
import type { Storage } from '../storage.ts'
import { planStep, resolveStep, type Step } from './outbox.ts'

const MAKE = { newId, newSecret }
/** How often to try while the browser reports that it is offline, which may be wrong. */
const OFFLINE_MS = 15_000

interface SenderOptions {
  storage: Storage
  backoff: Backoff
  perform: (step: Step) => Promise<RequestOutcome>
  /** Called after each step, once its result is stored. */
  settled: (step: Step, outcome: RequestOutcome) => void
  /** Called with the time until which the server asked to wait, in epoch milliseconds; with null when that is over. */
  waiting: (until: number | null) => void
}

/** Sends the outbox step by step, retrying without limit. Returns a function that starts it. */
export function createSender({ storage, backoff, perform, settled, waiting }: SenderOptions): () => void {
  let isRunning = false

  async function doStep(): Promise<RequestOutcome | undefined> {
    const plan = planStep(storage.read(), MAKE)
    if (!plan) return undefined
    storage.write(plan.stored)
    const outcome = await perform(plan.step)
    storage.write(resolveStep(storage.read(), plan.step, outcome, MAKE))
    settled(plan.step, outcome)
    return outcome
  }

  async function run() {
    for (let failures = 0; ; ) {
      if (!navigator.onLine) await backoff.sleep(OFFLINE_MS)
      const outcome = await withLock(storage.name, doStep)
      if (!outcome) return
      if (outcome.kind !== 'later') {
        failures = 0
        continue
      }
      const { seconds } = outcome
      if (seconds) waiting(Date.now() + seconds * 1000)
      // A wait requested by the server is not shortened: trying earlier would only prolong it.
      await (seconds
        ? new Promise((resolve) => setTimeout(resolve, seconds * 1000))
        : backoff.sleep(waitMs(failures++)))
      waiting(null)
    }
  }

  return () => {
    if (navigator.onLine) backoff.wake()
    if (isRunning) return
    isRunning = true
    void run().finally(() => {
      isRunning = false
    })
  }
}

/** Only one window at a time performs a step, so that messages stay in order. */
async function withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  let isBegun = false
  try {
    return await navigator.locks.request(name, () => {
      isBegun = true
      return work()
    })
  } catch (error) {
    // Locks are missing on sites without TLS and may be refused in frames. There the ids alone prevent duplicates.
    if (isBegun) throw error
    return work()
  }
}
