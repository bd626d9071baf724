import { MOVING_PARTS, type MovingProgress } from '#contract/operations/moving-in.ts'

type Part = MovingProgress['part']

/** Called with the part that is being done, and how much of it is done, from 0 to 1. */
export type OnProgress = (part: Part, fraction: number) => void

/**
 * How much of the time each part takes, as measured with a million messages. Requests to the old server and files take
 * what they take, and are estimated alone.
 */
const SHARES: Record<Part, number> = { fetching: 0, reading: 0.12, converting: 0.63, counting: 0.25, files: 0 }
/** Before that the rest cannot be judged. */
const MIN_SECONDS = 3
const MIN_FRACTION = 0.01

/** Turns what is reported into how much of the whole is done, and how long the rest takes. */
export function createEstimate(now = () => Date.now()): (part: Part, fraction: number) => MovingProgress {
  const started: Partial<Record<Part, number>> = {}
  const since = (part: Part) => {
    started[part] ??= now()
    return now() - started[part]
  }
  return (part, fraction) => {
    if (SHARES[part] === 0) return { part, fraction, seconds_left: secondsLeft(since(part), fraction) }
    const before = MOVING_PARTS.slice(0, MOVING_PARTS.indexOf(part)).reduce((sum, name) => sum + SHARES[name], 0)
    const whole = Math.min(1, before + SHARES[part] * Math.min(1, fraction))
    return { part, fraction: whole, seconds_left: secondsLeft(since('reading'), whole) }
  }
}

function secondsLeft(elapsedMs: number, fraction: number): number | null {
  const seconds = elapsedMs / 1_000
  if (seconds < MIN_SECONDS || fraction < MIN_FRACTION) return null
  return Math.round((seconds / fraction) * (1 - fraction))
}

/** A line for the operator's terminal: `Converting, 42 %, about 3 minutes left`. */
export function describeProgress({ part, fraction, seconds_left }: MovingProgress): string {
  const names: Record<Part, string> = {
    fetching: 'Reading from the old server',
    reading: 'Reading',
    converting: 'Converting',
    counting: 'Counting for reports',
    files: 'Copying files',
  }
  const remaining = seconds_left === null ? '' : `, about ${describeSeconds(seconds_left)} left`
  return `${names[part]}, ${Math.floor(fraction * 100)} %${remaining}`
}

function describeSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, seconds)} seconds`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes} minutes`
  return `${Math.round(minutes / 60)} hours`
}

/** A terminal shows one line that changes; elsewhere a line follows now and then. */
const LINE_MS = 15_000
const TERMINAL_MS = 500

/** Shows progress to an operator who has called a command. */
export function printProgress(out: NodeJS.WriteStream): { onProgress: OnProgress; clear(): void } {
  const estimate = createEstimate()
  let last = { part: '', at: 0 }
  const clear = () => {
    if (out.isTTY) out.write('\r\u001b[K')
  }
  return {
    onProgress(part, fraction) {
      const pause = out.isTTY ? TERMINAL_MS : LINE_MS
      if (last.part === part && Date.now() - last.at < pause) return
      last = { part, at: Date.now() }
      clear()
      out.write(describeProgress(estimate(part, fraction)) + (out.isTTY ? '' : '\n'))
    },
    clear,
  }
}
