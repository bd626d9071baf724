import type { Follower } from '#server/features/events/following.ts'
import type { Parley } from '#server/parley.ts'

/** A follower that writes one job of this name for each new message. */
export function eachMessage({ jobs }: Parley, name: string): Follower {
  return {
    of: ['message:created'],
    async follow({ db }, happened) {
      const messages = happened.flatMap(({ event }) => (event.type === 'message:created' ? [event.message] : []))
      const payloads = messages.map(({ account_id, id }) => ({ payload: { account_id, message_id: id } }))
      await jobs.enqueueAll(db, name, payloads)
    },
  }
}
