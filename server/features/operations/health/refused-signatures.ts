import type { RefusedSignatures } from '#contract/operations/health.ts'
import { perServer } from '../../../context.ts'

interface RefusedSignaturesCount {
  /** Counts a call of a system whose signature was missing, wrong or too old. */
  record(system: string): void
  list(): RefusedSignatures[]
}

/**
 * Calls of other systems refused on this server since it started, by system. Strangers can make any number of such
 * calls, so nothing is stored, and there is one counter per kind of signature.
 */
export const refusedSignatures = perServer((): RefusedSignaturesCount => {
  const counts = new Map<string, RefusedSignatures>()
  return {
    record(system) {
      const now = new Date().toISOString()
      const { count, first_at } = counts.get(system) ?? { count: 0, first_at: now }
      counts.set(system, { system, count: count + 1, first_at, last_at: now })
    },
    list: () => [...counts.values()],
  }
})
