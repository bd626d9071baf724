import { workerData } from 'node:worker_threads'

// Runs in a thread of a worker process, whose own thread may be busy for good: then it would notice neither that the
// server has died, nor how much memory it uses.

const { parent, memoryBytes } = workerData as { parent: number; memoryBytes: number }
const INTERVAL_MS = 200

setInterval(() => {
  if (process.ppid !== parent || process.memoryUsage.rss() > memoryBytes) process.kill(process.pid, 'SIGKILL')
}, INTERVAL_MS)
