import { events } from '#contract/events.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { loadCompanyProfiles } from '../../conversations/messages/for-customer.ts'
import { audience } from './audience.ts'
import { readEventsAfter } from './event-log.ts'

export function registerEventsRoutes(routes: Routes, { db }: Context) {
  routes.route(events.after, async ({ caller, query: { after, limit } }) => {
    const { account_id } = caller
    if (caller.kind === 'user') {
      const { events: missed, ...page } = await readEventsAfter(db, account_id, after, { limit })
      return { ...page, data: missed.flatMap((event) => audience(event).team ?? []) }
    }
    // Stored events are for the team: only what `audience` makes of them may be sent.
    const { customer_id } = caller
    const { events: missed, ...page } = await readEventsAfter(db, account_id, after, { customer_id, limit })
    const conversation_ids = missed.flatMap((event) => ('message' in event ? [event.message.conversation_id] : []))
    const companies = await loadCompanyProfiles(db, account_id, conversation_ids)
    // The log names the customer; `audience` decides again, with the current settings. If an inbox hides its people by
    // now, old events hide them, too.
    const received = missed.flatMap((event) => {
      const now = 'message' in event ? { ...event, company: companies.get(event.message.conversation_id) } : event
      const { customer } = audience(now)
      return customer?.customer_id === customer_id ? [customer.sends] : []
    })
    return { ...page, data: received }
  })
}
