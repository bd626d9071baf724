/** Runs that may follow one another: a function, what answers it, and what answers that. */
export const LONGEST_CHAIN = 3

/** What a run is known by in all that follows from it: what it changes, and the jobs of that. */
interface Link {
  function_id: string
  run_id: string
  depth: number
}

/** The id of the requests that a run makes here. The log shows it beside `function_run_id`. */
export function requestIdOf({ function_id, run_id, depth }: Link): string {
  return `run:${depth}:${function_id}:${run_id.slice(-12)}`
}

/** The run that something follows from, when it follows from one. */
export function readLink(request_id: string | null): { function_id: string; depth: number } | undefined {
  const [, depth, function_id] = /^run:(\d+):([\da-f-]{36}):/.exec(request_id ?? '') ?? []
  return function_id ? { function_id, depth: Number(depth) } : undefined
}
