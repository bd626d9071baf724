import { notifyManager, type QueryClient } from '@tanstack/react-query'
import type { HeardEvent } from '#contract/events.ts'
import { applyAccountEvent, applyUserEvent } from './features/accounts/account.ts'
import { applyConversationEvent } from './features/conversations/cache.ts'
import { applyArrival } from './features/customers/arrivals.ts'
import { applyCustomerEvent } from './features/customers/customers.ts'
import { applyInboxEvent } from './features/inboxes/inboxes.ts'
import { applyMessageEvent, outdateThreads } from './features/messages/thread.ts'
import { applyRatingEvent } from './features/ratings/ratings.ts'
import { applyWidgetSettingsEvent } from './features/widget-settings/settings.ts'
import { invalidateAfter } from './invalidations.ts'
import { isGone } from './platform/realtime/event-buffer.ts'

/** Hands each event to the features that show something of it. */
export function applyEvents(client: QueryClient, events: HeardEvent[], user_id: number) {
  notifyManager.batch(() => {
    for (const event of events) {
      if ((event.event === 'shout' || event.event === 'message:updated') && isGone(event.payload)) continue
      applyMessageEvent(client, event)
      applyConversationEvent(client, event, user_id)
      applyCustomerEvent(client, event)
      applyArrival(client, event)
      applyRatingEvent(client, event)
      applyUserEvent(client, event)
      applyAccountEvent(client, event)
      applyInboxEvent(client, event)
      applyWidgetSettingsEvent(client, event)
      invalidateAfter(client, event)
    }
  })
}

/** Loads everything on screen again and forgets the rest, because too much was missed to catch up. */
export function reloadAll(client: QueryClient) {
  client.removeQueries({ type: 'inactive' })
  outdateThreads(client)
  client.invalidateQueries()
}
