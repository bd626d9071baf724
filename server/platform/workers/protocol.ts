/** What a worker process is asked to do. */
export interface ToWorker {
  /** URL of the module whose `work` is called. */
  module: string
  input: unknown
}

/** Messages of a worker process. */
export type FromWorker = { type: 'ready' } | { type: 'done'; output: unknown } | { type: 'failed'; reason: string }

/** Limit of a worker process's JavaScript objects, in megabytes. */
export const HEAP_MB = 320
/** Limit of everything it has in memory, including buffers and what libraries allocate. */
export const MEMORY_BYTES = 700_000_000
