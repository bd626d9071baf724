/** Maximum length of a chain of runs: a rule or function, one triggered by it, and one triggered by that. */
export const MAX_CHAIN_LENGTH = 3

/** Identifies a run of a rule or function in everything that follows from it: its changes, and their jobs. */
interface Link {
  /** The function; of rules, the event for which they ran. */
  cause_id: string
  /** The run; of rules, the rule. */
  run_id: string
  depth: number
}

/** The request id of what a run does. The log shows it beside the id of the run. */
export function requestIdOf({ cause_id, run_id, depth }: Link): string {
  return `run:${depth}:${cause_id}:${runMark(run_id)}`
}

/** The part of a run's id that its request ids contain. */
export function runMark(run_id: string): string {
  return run_id.slice(-12)
}

/** The run that caused a request, if one did. `mark` is the end of its id. */
export function readLink(request_id: string | null): { cause_id: string; mark: string; depth: number } | undefined {
  const [, depth, cause_id, mark] = /^run:(\d+):([\da-f-]{36}):([\da-f]{12})/.exec(request_id ?? '') ?? []
  return cause_id && mark ? { cause_id, mark, depth: Number(depth) } : undefined
}

/** Number of runs that led to what happened in this request. */
export function depthAfter(request_id: string | null): number {
  const cause = readLink(request_id)
  return cause ? cause.depth + 1 : 0
}
