import { TooMany } from '../../errors.ts'

interface Queue {
  running: number
  waiting: (() => void)[]
}

const RETRY_SECONDS = 2

/** Limits concurrent work per key; some more waits, and the rest is refused. */
export class ConcurrencyLimiter {
  readonly #atOnce: number
  readonly #mostWaiting: number
  readonly #queues = new Map<string, Queue>()

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce
    this.#mostWaiting = mostWaiting
  }

  /**
   * Runs the work when it is its turn.
   * @throws TooMany if too many are waiting
   */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(key) ?? { running: 0, waiting: [] }
    this.#queues.set(key, queue)
    if (queue.running < this.#atOnce) queue.running++
    else if (queue.waiting.length >= this.#mostWaiting) throw new TooMany(RETRY_SECONDS)
    // Finished work passes its slot on, so the count does not change.
    else await new Promise<void>((resolve) => queue.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      if (next) next()
      else if (--queue.running === 0) this.#queues.delete(key)
    }
  }
}
