import type { ClientEvent } from '#contract/events.ts'
import type { Missed } from '../calls.ts'
import type { Outcome } from '../request.ts'

interface SocketHandlers {
  ask: (cursor?: string) => Promise<Outcome<Missed>>
  apply: (events: ClientEvent[]) => void
  /** Loads everything afresh. Answers whether it could. */
  reload: () => Promise<Outcome>
}

/**
 * Remembers a place in the event log and asks for what came after it. The first time, and when the place is too old,
 * everything is loaded afresh: the place is taken before, so that nothing falls between.
 */
export function createCatchUp({ ask, apply, reload }: SocketHandlers) {
  let cursor: string | undefined

  async function loadAfresh(): Promise<Outcome> {
    const place = await ask()
    if (place.kind !== 'done') return place
    const loaded = await reload()
    if (loaded.kind === 'done') cursor = place.answer.cursor
    return loaded
  }

  /** Comes to the newest state; `done` when it got there. */
  async function comeUp(): Promise<Outcome> {
    while (cursor) {
      const missed = await ask(cursor)
      if (missed.kind !== 'done') return missed
      if (missed.answer.reset) break
      apply(missed.answer.data)
      cursor = missed.answer.cursor
      if (!missed.answer.more) return missed
    }
    return loadAfresh()
  }

  let running: Promise<Outcome> | undefined
  let waiting: Promise<Outcome> | undefined

  function begin(): Promise<Outcome> {
    waiting = undefined
    running = comeUp().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    /** What is asked for now must begin after now, so at most one more waits behind the one that runs. */
    run(): Promise<Outcome> {
      if (!running) return begin()
      waiting ??= running.then(begin)
      return waiting
    },

    forget() {
      cursor = undefined
    },
  }
}
