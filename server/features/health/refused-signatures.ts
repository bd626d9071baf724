import type { RefusedSignatures } from '#contract/health.ts'
import { perServer } from '../../context.ts'

interface RefusedSignaturesCount {
  /** A call of a system bore no signature, or a wrong or an old one. */
  note(system: string): void
  list(): RefusedSignatures[]
}

/**
 * Calls of other systems that were refused on this server since it started, by the system. Strangers can call as often as they
 * like, so nothing is written anywhere, and there is one row for each kind of signature.
 */
export const refusedSignatures = perServer((): RefusedSignaturesCount => {
  const counts = new Map<string, RefusedSignatures>()
  return {
    note(system) {
      const now = new Date().toISOString()
      const { count, first_at } = counts.get(system) ?? { count: 0, first_at: now }
      counts.set(system, { system, count: count + 1, first_at, last_at: now })
    },
    list: () => [...counts.values()],
  }
})
