import { availableParallelism } from 'node:os'

/** Maximum number of connections of each pool of a server. */
interface PoolSizes {
  main: number
  /** Separate, so that writes never wait for searches. */
  searches: number
  /** For counting backlogs, so that monitoring does not burden a busy server. */
  counts: number
}

const COUNTS = 1
/** Fewer connections than these would make ordinary calls wait for each other. */
const MIN_MAIN = 8
/** More connections than a machine can serve only move the queue into the database. */
const MAX_MAIN = 20

/**
 * Divides the connections of a server among its pools.
 * @param total all connections (`DATABASE_CONNECTIONS`, at least 5); by default as many as suit the processor
 */
export function poolSizes(total?: number): PoolSizes {
  const cores = availableParallelism()
  const usual = { main: Math.min(MAX_MAIN, Math.max(MIN_MAIN, 4 * cores)), searches: Math.max(2, cores) }
  if (total === undefined) return { ...usual, counts: COUNTS }
  const searches = Math.min(usual.searches, Math.floor(total / 5))
  return { main: total - searches - COUNTS, searches, counts: COUNTS }
}

/** All connections that a server may open. */
export function totalConnections(sizes: PoolSizes): number {
  return sizes.main + sizes.searches + sizes.counts
}
