import { newId, newSecret } from '../new-id.ts'
import { type Backoff, waitMs } from '../realtime/backoff.ts'
import type { Outcome } from '../request.ts'
import type { Storage } from '../storage.ts'
import { planStep, type Step, settleStep } from './outbox.ts'

const MAKE = { newId, newSecret }
/** While the browser says that there is no network, only now and then is it doubted. */
const OFFLINE_MS = 15_000

interface Work {
  storage: Storage
  backoff: Backoff
  perform: (step: Step) => Promise<Outcome>
  /** After each step, with what is kept by then written. */
  settled: (step: Step, outcome: Outcome) => void
  /** The server asks for patience until this moment, in epoch milliseconds; null when it no longer does. */
  waiting: (until: number | null) => void
}

/** Empties the outbox, one step after another, however long it takes. Answers with the function that starts it. */
export function createSender({ storage, backoff, perform, settled, waiting }: Work): () => void {
  let isRunning = false

  async function doStep(): Promise<Outcome | undefined> {
    const plan = planStep(storage.read(), MAKE)
    if (!plan) return undefined
    storage.write(plan.kept)
    const outcome = await perform(plan.step)
    storage.write(settleStep(storage.read(), plan.step, outcome, MAKE))
    settled(plan.step, outcome)
    return outcome
  }

  async function run() {
    for (let failures = 0; ; ) {
      if (!navigator.onLine) await backoff.sleep(OFFLINE_MS)
      const outcome = await alone(storage.name, doStep)
      if (!outcome) return
      if (outcome.kind !== 'later') {
        failures = 0
        continue
      }
      const { seconds } = outcome
      if (seconds) waiting(Date.now() + seconds * 1000)
      // A named time is kept to the end: asking sooner would only lengthen it.
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

/** Two windows of one visitor would break the order of messages, so one of them at a time takes a step. */
async function alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  let isBegun = false
  try {
    return await navigator.locks.request(name, () => {
      isBegun = true
      return work()
    })
  } catch (error) {
    // Sites without TLS have no locks, and browsers that keep nothing for frames refuse them. There the ids alone prevent
    // doubles.
    if (isBegun) throw error
    return work()
  }
}
