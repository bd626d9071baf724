/** Maximum length of a chain of runs: a function, one triggered by it, and one triggered by that. */
export const MAX_CHAIN_LENGTH = 3

/** Identifies a run in everything that follows from it: its changes, and their jobs. */
interface Link {
  function_id: string
  run_id: string
  depth: number
}

/** The request id of calls that a run makes here. The log shows it beside `function_run_id`. */
export function requestIdOf({ function_id, run_id, depth }: Link): string {
  return `run:${depth}:${function_id}:${run_id.slice(-12)}`
}

/** The run that caused a request, if one did. */
export function readLink(request_id: string | null): { function_id: string; depth: number } | undefined {
  const [, depth, function_id] = /^run:(\d+):([\da-f-]{36}):/.exec(request_id ?? '') ?? []
  return function_id ? { function_id, depth: Number(depth) } : undefined
}
