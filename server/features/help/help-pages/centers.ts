import { type Context, perServer } from '../../../context.ts'
import type { LoggedEvent } from '../../../feature.ts'
import { type CenterAddress, findPublishedCenter, type HelpCenterRow } from '../help-center/help-center.ts'

/** Changes on this server are known at once, those on others after this time. */
const FRESH_MS = 3_000
const MAX_CACHED = 1_000

interface Cached {
  at: number
  center: Promise<HelpCenterRow | undefined>
}

const CHANGES = /^(help_center|article|article_collections|account):/

/** The published help centers that this server was asked for lately. */
export const helpCenters = perServer(({ db }: Context) => {
  const cache = new Map<string, Cached>()
  return {
    /** Undefined if there is none, or nobody has published it. */
    find(address: CenterAddress): Promise<HelpCenterRow | undefined> {
      const key = JSON.stringify(address)
      const cached = cache.get(key)
      if (cached && Date.now() - cached.at < FRESH_MS) return cached.center
      const center = findPublishedCenter(db, address)
      cache.delete(key)
      cache.set(key, { at: Date.now(), center })
      center.catch(() => cache.delete(key))
      if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!)
      return center
    },
    apply(events: LoggedEvent[]) {
      if (events.some(({ event }) => CHANGES.test(event.type))) cache.clear()
    },
  }
})
