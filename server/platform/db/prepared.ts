import { createHash } from 'node:crypto'

/** How often a statement must come before it is prepared; a rare one is not worth the memory. */
const FREQUENT = 20
/** Every connection keeps those that it has used, some 50 kB each. */
const MAX_PREPARED = 120
const MAX_COUNTED = 2_000

/**
 * PostgreSQL's codes for a prepared statement whose columns a migration changed, that is unknown on this connection, or
 * that already exists.
 */
const STALE_PLAN = new Set(['0A000', '26000', '42P05'])

/** Whether a statement failed only because it was prepared: run again, it succeeds. */
export function isStalePlan(error: unknown): boolean {
  return error instanceof Error && 'code' in error && STALE_PLAN.has(String(error.code))
}

/**
 * Names the statements that come often, so that each connection parses and plans them once. PostgreSQL itself goes on
 * planning those whose best plan depends on their parameters.
 */
export class PreparedStatements {
  #times = new Map<string, number>()
  #names = new Map<string, string>()
  #refused = new Set<string>()

  /** The name under which a statement is prepared, if it comes often. */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text)
    if (name || this.#names.size === MAX_PREPARED || this.#refused.has(text)) return name
    const times = (this.#times.get(text) ?? 0) + 1
    if (times < FREQUENT) {
      if (this.#times.size === MAX_COUNTED) this.#times.clear()
      this.#times.set(text, times)
      return undefined
    }
    this.#times.delete(text)
    // Behind a pooler connections are shared: a name must mean the same statement in every process.
    const made = createHash('sha256').update(text).digest('base64url').slice(0, 32)
    this.#names.set(text, made)
    return made
  }

  /** Never prepares this statement again. */
  exclude(text: string) {
    this.#names.delete(text)
    this.#refused.add(text)
  }
}
