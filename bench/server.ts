import { monitorEventLoopDelay } from 'node:perf_hooks'
import pino from 'pino'
import { readConfig } from '#server/config.ts'
import { setTracer, type Tracer } from '#server/platform/tracing/traced.ts'
import { startServer } from '#server/start.ts'

/** The server of a bench, on a database started by the bench. */
const config = readConfig({ SECRET_KEY: 'of a bench, which keeps nothing that lasts', ...process.env })
const server = await startServer({
  config,
  database: { connectionString: config.databaseUrl! },
  log: pino({ level: config.logLevel }),
})
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)))
/** When each statement began and ended, while they are recorded. */
let statements: { from: number; to: number }[] = []
const tracer: Tracer = {
  run: (_, work) => work(),
  record: (_, ms) => void statements.push({ from: performance.now() - ms, to: performance.now() }),
}

/** Statements that ran at the same time are one wave. */
function countWaves(): number {
  let [waves, end] = [0, 0]
  for (const { from, to } of statements.sort((a, b) => a.from - b.from)) {
    if (from > end) waves++
    end = Math.max(end, to)
  }
  return waves
}

const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
process.on('message', (question) => {
  if (question === 'memory') process.send?.({ ...process.memoryUsage(), ...server.context.realtime.stats() })
  if (question === 'delay') {
    process.send?.([50, 99].map((share) => delay.percentile(share) / 1e6))
    delay.reset()
  }
  if (question === 'statements') {
    statements = []
    setTracer(tracer)
  }
  if (question === 'waves') {
    setTracer(undefined)
    process.send?.([statements.length, countWaves()])
  }
  if (question === 'collect') globalThis.gc?.()
})
process.send?.(server.url)
