import { Worker } from 'node:worker_threads'
import { type FromWorker, MEMORY_BYTES, type ToWorker } from './protocol.ts'

// The program of a worker process: runs one task after the other.

new Worker(new URL('./watchdog.ts', import.meta.url), {
  workerData: { parent: Number(process.argv[2]), memoryBytes: MEMORY_BYTES },
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
}).unref()

const send = (message: FromWorker) => void process.send?.(message)

process.on('message', async ({ module, input }: ToWorker) => {
  try {
    const { work } = await import(module)
    send({ type: 'done', output: await work(input) })
  } catch (error) {
    send({ type: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
process.on('disconnect', () => process.exit())
send({ type: 'ready' })
