import type { ClientEvent } from '#contract/events.ts'

export interface EventPage {
  data: ClientEvent[]
  cursor: string
  more: boolean
  reset: boolean
}

export interface CatchUpOptions {
  /** Fetches events after a cursor; without one, only the current cursor. */
  fetchPage(after: string | undefined): Promise<EventPage>
  /** Applies missed events. */
  apply(events: ClientEvent[]): void
  /** Called when too many events were missed: everything on screen is reloaded. */
  reload(): void
}

/**
 * Keeps the cursor up to which this tab has applied the account's events. It is taken before anything is loaded, so
 * that changes during loading are received again: applying an event twice is harmless, missing one is not. Live events are
 * newer than fetched ones, so those that arrive meanwhile are applied again behind them.
 */
export function createCatchUp({ fetchPage, apply, reload }: CatchUpOptions) {
  let cursor: string | undefined
  let isBehind = true
  let arrived: ClientEvent[] = []

  return {
    /** Takes the current cursor, before the first load. */
    async start() {
      cursor = (await fetchPage(undefined)).cursor
    },

    /** Called when the socket closes: missed events are in the log. */
    fallBehind() {
      isBehind = true
    },

    /**
     * Applies a cursor sent over the socket. Ignored while catching up, because it may be ahead of what was applied.
     */
    moveTo(position: string) {
      if (!isBehind) cursor = position
    },

    /** Called with live events. */
    arrive(events: ClientEvent[]) {
      if (isBehind) arrived.push(...events)
    },

    /** Fetches all missed events, page by page. Throws if the server cannot be reached; call it again then. */
    async run() {
      isBehind = true
      arrived = []
      if (cursor === undefined) {
        cursor = (await fetchPage(undefined)).cursor
        reload()
      }
      for (;;) {
        const page = await fetchPage(cursor)
        cursor = page.cursor
        if (page.reset) reload()
        else apply([...page.data, ...arrived])
        if (!page.more || page.reset) break
      }
      isBehind = false
    },
  }
}
