/** A page of the event log. */
export interface EventsPage<Event = unknown> {
  data: Event[]
  cursor: string
  more: boolean
  reset: boolean
}

/** An event, with the cursor to continue from. */
export type WithCursor<Event> = Event & {
  /** Store it and pass it as `after` next time. Some events after it may be repeated. */
  cursor: string
}

/** Where to start, and how often to poll. */
export interface Following {
  /** The cursor to continue from; by default only new events are returned. */
  after?: string
  /** Milliseconds between requests when there are no more events; two seconds by default. */
  pause?: number
  signal?: AbortSignal
}

/** The cursor is too old or unknown. Read everything again, and continue from `cursor`. */
export class CursorLost extends Error {
  override name = 'CursorLost'
  readonly cursor: string

  constructor(cursor: string) {
    super('Events since this cursor are no longer stored. Load what you need again, and continue from the new cursor.')
    this.cursor = cursor
  }
}

type FetchEvents<Event> = (after: string | undefined, signal: AbortSignal | undefined) => Promise<EventsPage<Event>>

/**
 * All events in order, until you stop iterating.
 * @throws CursorLost
 */
export async function* iterateEvents<Event>(
  fetchEvents: FetchEvents<Event>,
  { after, pause = 2_000, signal }: Following = {},
): AsyncGenerator<WithCursor<Event>> {
  let cursor = after ?? (await fetchEvents(undefined, signal)).cursor
  while (!signal?.aborted) {
    const page = await fetchEvents(cursor, signal)
    if (page.reset) throw new CursorLost(page.cursor)
    const last = page.data.length - 1
    // Within a page the cursor is that of the page before, so continuing from it repeats some events.
    for (const [at, event] of page.data.entries()) yield { ...event, cursor: at === last ? page.cursor : cursor }
    cursor = page.cursor
    if (!page.more) await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
