import { setTimeout as sleep } from 'node:timers/promises'
import { megabytesOf } from './megabytes.ts'
import type { Program } from './program.ts'

const MEMORY_MS = 1_000
const TIMEOUT_MS = 10_000

/** What one server took during a phase. */
export interface Observed {
  /** Most memory of the server with its worker processes, in MB. */
  megabytes: number
  /** Longest delay of its event loop, in milliseconds; NaN if its metrics could not be read. */
  delay: number
}

/** Observes each server for this many seconds. */
export function observe(servers: readonly Program[], metricsToken: string, seconds: number): Promise<Observed[]> {
  return Promise.all(
    servers.map(async (server) => {
      // Reading begins a new measurement.
      await longestDelay(server, metricsToken)
      const observed: Observed = { megabytes: 0, delay: Number.NaN }
      for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(MEMORY_MS)) {
        observed.megabytes = Math.max(observed.megabytes, await megabytesOf(server.pid))
        const delay = await longestDelay(server, metricsToken)
        if (!(observed.delay > delay) && !Number.isNaN(delay)) observed.delay = delay
      }
      return observed
    }),
  )
}

/** Of the server's event loop since the last time, in milliseconds. */
async function longestDelay({ url }: Program, token: string): Promise<number> {
  const text = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).then(
    (answer) => answer.text(),
    () => '',
  )
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1] ?? Number.NaN) * 1000
}
