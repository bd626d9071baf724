import { TooMany } from '../../errors.ts'

interface Line {
  running: number
  waiting: (() => void)[]
}

const RETRY_SECONDS = 2

/** Lets so many pieces of work of one key run at once; a few more wait for their turn. */
export class Turns {
  readonly #atOnce: number
  readonly #mostWaiting: number
  readonly #lines = new Map<string, Line>()

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce
    this.#mostWaiting = mostWaiting
  }

  /**
   * Does the work when it is its turn.
   * @throws TooMany when too many wait already
   */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] }
    this.#lines.set(key, line)
    if (line.running < this.#atOnce) line.running++
    else if (line.waiting.length >= this.#mostWaiting) throw new TooMany(RETRY_SECONDS)
    // Whoever ends hands the turn on, so nobody is counted anew.
    else await new Promise<void>((resolve) => line.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      if (next) next()
      else if (--line.running === 0) this.#lines.delete(key)
    }
  }
}
