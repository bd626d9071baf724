/** What a worker process is asked to do. */
export interface ToWorker {
  /** URL of the module whose `work` is called. */
  module: string
  input: unknown
}

/** Messages of a worker process; `isLarge` if its task left it with much memory. */
export type FromWorker =
  | { type: 'ready' }
  | { type: 'done'; output: unknown; isLarge: boolean }
  | { type: 'failed'; reason: string; isLarge: boolean }

/** Limit of a worker process's JavaScript objects, in megabytes. */
export const HEAP_MB = 320
/** Limit of everything it has in memory, including buffers and what libraries allocate. */
export const MEMORY_BYTES = 700_000_000
/** A process that keeps more after a task is not used again: the next task would be blamed for it. */
export const REUSED_BYTES = 300_000_000
