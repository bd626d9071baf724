import type { HeardEvent } from '#contract/events.ts'

const LONGEST = 2_000

let events: HeardEvent[] = []
let forgotten = 0
/** Messages that are gone for good, whatever an answer or an event that was late on its way still says of them. */
const gone = new Set<string>()

/** Keeps an event for answers that are still on their way and were written before it happened. */
export function remember(event: HeardEvent) {
  events.push(event)
  if (event.event === 'message:deleted') gone.add(event.payload.id)
  if (events.length > LONGEST) {
    forgotten += events.length - LONGEST / 2
    events = events.slice(-LONGEST / 2)
  }
}

/** The place in the stream of events right now. */
export function now(): number {
  return forgotten + events.length
}

/** Whether a message is known to be gone. */
export function isGone({ id }: { id: string }): boolean {
  return gone.has(id)
}

/** What was heard since a place, oldest first. Apply it to an answer that was asked for at that place. */
export function heardSince(place: number): HeardEvent[] {
  return events.slice(Math.max(0, place - forgotten))
}
