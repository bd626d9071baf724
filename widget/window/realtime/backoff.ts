const FIRST_MS = 500
const MAX_MS = 15_000

/**
 * The wait before the next attempt in milliseconds: exponential with jitter, so that clients do not all return at once.
 */
export function waitMs(attempt: number, chance = Math.random()): number {
  return Math.min(FIRST_MS * 2 ** attempt, MAX_MS) * (0.7 + 0.6 * chance)
}

/** Waits that end early when the network returns, the page becomes visible, or `wake` is called. */
export function createBackoff() {
  const sleepers = new Set<() => void>()
  const wake = () => {
    for (const end of [...sleepers]) end()
  }
  addEventListener('online', wake)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) wake()
  })
  return {
    wake,
    sleep: (ms: number) =>
      new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer)
          sleepers.delete(end)
          resolve()
        }
        const timer = setTimeout(end, ms)
        sleepers.add(end)
      }),
  }
}

export type Backoff = ReturnType<typeof createBackoff>
