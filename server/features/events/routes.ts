import { events } from '#contract/events.ts'
import { audience } from '../../audience.ts'
import type { Parley } from '../../parley.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { readEventsAfter } from './event-log.ts'

export function openEvents(routes: Routes, { db }: Parley) {
  routes.route(events.after, async ({ caller, query: { after, limit } }) => {
    if (caller.kind === 'user') {
      const missed = await readEventsAfter(db, caller.account_id, after, { limit })
      return { ...missed, data: missed.events.flatMap((event) => audience(event).team ?? []) }
    }
    const missed = await readEventsAfter(db, caller.account_id, after, { customer_id: caller.customer_id, limit })
    // The log names the customer who may hear; the audience decides it once more, with the words.
    const heard = missed.events.flatMap((event) => {
      const { customer } = audience(event)
      return customer?.customer_id === caller.customer_id ? [customer.heard] : []
    })
    return { ...missed, data: heard }
  })
}
