import { startRealtimeNode } from './realtime-node.ts'

/** A realtime node in a process of its own, for tests that kill it. Prints its address when it listens. */
const node = await startRealtimeNode({ redisUrl: process.argv[2] })
process.stdout.write(`${node.url}\n`)
