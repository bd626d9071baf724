/** Work that repeats until it is stopped. */
export interface Repeating {
  /** Waits for the work in progress. */
  stop(): Promise<void>
}

/** Does the work again and again, this many milliseconds after it has ended. It must not throw. */
export function repeat(pauseMs: number, work: () => Promise<void>): Repeating {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()

  function schedule() {
    if (isStopped) return
    timer = setTimeout(() => {
      working = work().then(schedule)
    }, pauseMs)
    timer.unref()
  }
  schedule()

  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await working
    },
  }
}
