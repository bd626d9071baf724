import type { VisitorEvent } from '#contract/visitor-events.ts'
import type { Missed } from '../calls.ts'
import type { RequestOutcome } from '../request.ts'

interface CatchUpOptions {
  ask: (cursor?: string) => Promise<RequestOutcome<Missed>>
  apply: (events: VisitorEvent[]) => void
  /** Loads everything again. */
  reload: () => Promise<RequestOutcome>
}

/**
 * Keeps a cursor into the event log and fetches the events after it. The first time, and when the cursor is too old,
 * everything is loaded again. The cursor is taken before that and the events after it are fetched as well, because what
 * was loaded may be older than an event that arrived meanwhile. Live events are newer than fetched ones, so those that
 * arrive meanwhile are applied again.
 */
export function createCatchUp({ ask, apply, reload }: CatchUpOptions) {
  let cursor: string | undefined
  let arrived: VisitorEvent[] = []

  async function loadAfresh(): Promise<RequestOutcome> {
    const position = await ask()
    if (position.kind !== 'done') return position
    const loaded = await reload()
    if (loaded.kind === 'done') cursor = position.answer.cursor
    return loaded
  }

  /** Applies all missed events; `done` once up to date. */
  async function applyMissed(): Promise<RequestOutcome> {
    for (;;) {
      if (!cursor) {
        const loaded = await loadAfresh()
        if (loaded.kind !== 'done') return loaded
        continue
      }
      const missed = await ask(cursor)
      if (missed.kind !== 'done') return missed
      const { data, more, reset } = missed.answer
      cursor = reset ? undefined : missed.answer.cursor
      if (!reset) apply([...data, ...arrived])
      if (!reset && !more) return missed
    }
  }

  let running: Promise<RequestOutcome> | undefined
  let waiting: Promise<RequestOutcome> | undefined

  function begin(): Promise<RequestOutcome> {
    waiting = undefined
    arrived = []
    running = applyMissed().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    /** A running catch-up may already be past the new event, so one more is queued behind it; never more than one. */
    run(): Promise<RequestOutcome> {
      if (!running) return begin()
      waiting ??= running.then(begin)
      return waiting
    },

    /** Called with each live event. */
    arrive(event: VisitorEvent) {
      if (running) arrived.push(event)
    },

    clearCursor() {
      cursor = undefined
    },
  }
}
