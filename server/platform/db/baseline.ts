import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The schema of version 0.3.0 in one file. The zeros sort it before every later file, whatever day that names. */
export const BASELINE = '00000000T0000-baseline.sql'

/** The single migrations of versions up to 0.3.0, which databases and backups of those versions still name. */
const REPLACED = new Set(
  readFileSync(resolve(import.meta.dirname, 'migrations/replaced-by-baseline.txt'), 'utf8')
    .trim()
    .split('\n'),
)

/** Whether the baseline has replaced this migration. */
export function isReplaced(name: string): boolean {
  return REPLACED.has(name)
}

/**
 * The applied migrations, with the baseline instead of those that it replaces. Undefined if only some of these were
 * applied: then the tables are those of a version before 0.3.0.
 */
export function countBaseline(names: string[]): string[] | undefined {
  const current = names.filter((name) => !isReplaced(name))
  const replaced = names.length - current.length
  if (replaced === 0 || current.includes(BASELINE)) return current
  return replaced === REPLACED.size ? [BASELINE, ...current] : undefined
}
