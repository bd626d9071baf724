import { Worker } from 'node:worker_threads'
import { type FromWorker, MEMORY_BYTES, REUSED_BYTES, type ToWorker } from './protocol.ts'

// The program of a worker process: runs one task after the other.

new Worker(new URL('./watchdog.ts', import.meta.url), {
  workerData: { parent: Number(process.argv[2]), memoryBytes: MEMORY_BYTES },
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
}).unref()

const isLarge = () => process.memoryUsage.rss() > REUSED_BYTES
const send = (message: FromWorker) => void process.send?.(message)

process.on('message', async ({ module, input }: ToWorker) => {
  try {
    const { work } = await import(module)
    const output = await work(input)
    send({ type: 'done', output, isLarge: isLarge() })
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    send({ type: 'failed', reason, isLarge: isLarge() })
  }
})
process.on('disconnect', () => process.exit())
send({ type: 'ready' })
