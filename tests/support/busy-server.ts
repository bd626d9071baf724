import { defineTask } from '#server/platform/workers/worker-task.ts'
import { Workers } from '#server/platform/workers/workers.ts'
import type { work } from './hostile-work.ts'

// A program with a worker that is busy for good. Sends the worker's process id to whoever started it.

const module = new URL('./hostile-work.ts', import.meta.url)
const task = defineTask<typeof work>('test.spin', { module, timeoutMs: 600_000 })
const workers = new Workers({ processes: 1, perAccount: 1, priority: 5 })
const turn = { account_id: 'acme', bytes: 1 }
const pid = await task.run(workers, turn, { kind: 'rest', ms: 0 })
void task.run(workers, turn, { kind: 'spin' })
process.send?.(pid)
