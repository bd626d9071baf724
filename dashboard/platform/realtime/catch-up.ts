import type { ClientEvent } from '#contract/events.ts'

export interface EventPage {
  data: ClientEvent[]
  cursor: string
  more: boolean
  reset: boolean
}

export interface CatchUpOptions {
  /** Asks the event log; without a cursor it only tells where the log stands. */
  ask(after: string | undefined): Promise<EventPage>
  /** Applies what was missed. */
  apply(events: ClientEvent[]): void
  /** Too much was missed: everything on screen is loaded afresh. */
  reload(): void
}

/**
 * The place in the account's event log up to which this tab has applied everything. It is taken before anything is
 * loaded, so that whatever changes while loading is received again: applying an event twice is harmless, missing one is not.
 */
export function createCatchUp({ ask, apply, reload }: CatchUpOptions) {
  let cursor: string | undefined
  let isBehind = true

  return {
    /** Remembers where the log stands, before the first load. */
    async start() {
      cursor = (await ask(undefined)).cursor
    },

    /** The socket closed: what it would have told is in the log. */
    fallBehind() {
      isBehind = true
    },

    /** A position told by the socket. While catching up it may lie ahead of what was applied, so then it is ignored. */
    moveTo(position: string) {
      if (!isBehind) cursor = position
    },

    /** Asks for everything missed, page by page. Throws when the server cannot be reached; call it again then. */
    async run() {
      isBehind = true
      if (cursor === undefined) {
        cursor = (await ask(undefined)).cursor
        reload()
      }
      for (;;) {
        const page = await ask(cursor)
        cursor = page.cursor
        if (page.reset) reload()
        else apply(page.data)
        if (!page.more || page.reset) break
      }
      isBehind = false
    },
  }
}
