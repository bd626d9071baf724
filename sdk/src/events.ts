import type { EventsPageAnswer } from './api.ts'

/** What happened, and where to go on after it. */
export type ParleyEvent = EventsPageAnswer['data'][number] & {
  /** Keep it and give it as `after` next time. Some events after it may come a second time. */
  cursor: string
}

/** Where to begin, and how often to ask when nothing happens. */
export interface Following {
  /** A cursor of before. Without it the events from now on come. */
  after?: string
  /** Milliseconds between two questions when all has been told. Two seconds if nothing is said. */
  pause?: number
  signal?: AbortSignal
}

/** The cursor is too old, or unknown: read everything anew, and go on from `cursor`. */
export class CursorLost extends Error {
  override name = 'CursorLost'
  readonly cursor: string

  constructor(cursor: string) {
    super(
      'What happened since this cursor is not kept any more. Read what you need anew, and go on from the new cursor.',
    )
    this.cursor = cursor
  }
}

type Ask = (after: string | undefined, signal: AbortSignal | undefined) => Promise<EventsPageAnswer>

/**
 * Everything that happens, in order, for as long as it is read.
 * @throws CursorLost
 */
export async function* follow(ask: Ask, { after, pause = 2_000, signal }: Following = {}): AsyncGenerator<ParleyEvent> {
  let cursor = after ?? (await ask(undefined, signal)).cursor
  while (!signal?.aborted) {
    const page = await ask(cursor, signal)
    if (page.reset) throw new CursorLost(page.cursor)
    const last = page.data.length - 1
    // Within a page there is no cursor: whoever stops there is told some events of it again.
    for (const [at, event] of page.data.entries()) yield { ...event, cursor: at === last ? page.cursor : cursor }
    cursor = page.cursor
    if (!page.more) await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
