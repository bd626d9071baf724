import type { Consumer } from '#server/features/events/consumers.ts'
import type { Parley } from '#server/parley.ts'

/** A consumer that writes one job of this name for each new message. */
export function eachMessage({ jobs }: Parley, name: string): Consumer {
  return {
    of: ['message:created'],
    async consume({ db }, events) {
      const messages = events.flatMap(({ event }) => (event.type === 'message:created' ? [event.message] : []))
      const payloads = messages.map(({ account_id, id }) => ({ payload: { account_id, message_id: id } }))
      await jobs.enqueueAll(db, name, payloads)
    },
  }
}
