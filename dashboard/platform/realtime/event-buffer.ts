import type { ClientEvent } from '#contract/events.ts'

const LONGEST = 2_000

let events: ClientEvent[] = []
let forgotten = 0
/** Ids of messages that are deleted for good, whatever a late answer or event still says of them. */
const deleted = new Set<string>()

/** Keeps an event for answers that are still on their way and were written before it happened. */
export function remember(event: ClientEvent) {
  events.push(event)
  if (event.event === 'message:deleted') deleted.add(event.payload.id)
  if (events.length > LONGEST) {
    forgotten += events.length - LONGEST / 2
    events = events.slice(-LONGEST / 2)
  }
}

/** The position in the stream of events right now. */
export function position(): number {
  return forgotten + events.length
}

/** Whether a message is known to be deleted. */
export function isGone({ id }: { id: string }): boolean {
  return deleted.has(id)
}

/** The events since a position, oldest first. Apply them to an answer that was asked for at that position. */
export function eventsSince(position: number): ClientEvent[] {
  return events.slice(Math.max(0, position - forgotten))
}
