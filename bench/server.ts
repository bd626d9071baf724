import { monitorEventLoopDelay } from 'node:perf_hooks'
import pino from 'pino'
import { readConfig } from '#server/config.ts'
import { startServer } from '#server/start.ts'

/** The server of a bench, on a database started by the bench. */
const config = readConfig({ SECRET_KEY: 'of a bench, which keeps nothing that lasts', ...process.env })
const server = await startServer({
  config,
  database: { connectionString: config.databaseUrl! },
  log: pino({ level: config.logLevel }),
})
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)))
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
process.on('message', (question) => {
  if (question === 'memory') process.send?.({ ...process.memoryUsage(), ...server.context.realtime.stats() })
  if (question === 'delay') {
    process.send?.([50, 99].map((share) => delay.percentile(share) / 1e6))
    delay.reset()
  }
  if (question === 'collect') globalThis.gc?.()
})
process.send?.(server.url)
