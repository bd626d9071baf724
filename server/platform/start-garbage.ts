import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then the server has started, and waiting clients have connected. */
const AFTER_MS = 15_000

/**
 * Collects the garbage of the start once, which takes some 40 ms and returns some 30 MB. V8 would do so when the heap
 * grows, which on a quiet server takes hours.
 */
export function collectStartGarbage() {
  const timer = setTimeout(() => {
    // The function does not exist without the flag, and flags of the command line differ between the ways to start.
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
  }, AFTER_MS)
  timer.unref()
}
