import type { ClientEvent } from '#contract/events.ts'

const MAX_EVENTS = 2_000

let events: ClientEvent[] = []
let forgotten = 0
/** Ids of deleted messages, so that delayed responses and events do not bring them back. */
const deleted = new Set<string>()

/** Keeps an event for responses that were created before it happened. */
export function remember(event: ClientEvent) {
  events.push(event)
  if (event.event === 'message:deleted') deleted.add(event.payload.id)
  if (events.length > MAX_EVENTS) {
    forgotten += events.length - MAX_EVENTS / 2
    events = events.slice(-MAX_EVENTS / 2)
  }
}

/** The current position in the stream of events. */
export function position(): number {
  return forgotten + events.length
}

/** Whether a message was deleted. */
export function isDeleted({ id }: { id: string }): boolean {
  return deleted.has(id)
}

/** The events since a position, oldest first. Apply them to a response that was requested at that position. */
export function eventsSince(position: number): ClientEvent[] {
  return events.slice(Math.max(0, position - forgotten))
}
