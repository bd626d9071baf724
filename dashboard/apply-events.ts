import { notifyManager, type QueryClient } from '@tanstack/react-query'
import type { HeardEvent } from '#contract/events.ts'
import { hearAccount, hearUser } from './features/accounts/account.ts'
import { hearConversation } from './features/conversations/cache.ts'
import { hearArrival } from './features/customers/arrivals.ts'
import { hearCustomer } from './features/customers/customers.ts'
import { hearInbox } from './features/inboxes/inboxes.ts'
import { hearMessage, outdateThreads } from './features/messages/thread.ts'
import { hearRating } from './features/ratings/ratings.ts'
import { hearWidgetSettings } from './features/widget-settings/settings.ts'
import { hearStale } from './invalidations.ts'
import { isGone } from './platform/realtime/event-buffer.ts'

/** Hands each event to the features that show something of it. */
export function hearAll(client: QueryClient, events: HeardEvent[], user_id: number) {
  notifyManager.batch(() => {
    for (const event of events) {
      if ((event.event === 'shout' || event.event === 'message:updated') && isGone(event.payload)) continue
      hearMessage(client, event)
      hearConversation(client, event, user_id)
      hearCustomer(client, event)
      hearArrival(client, event)
      hearRating(client, event)
      hearUser(client, event)
      hearAccount(client, event)
      hearInbox(client, event)
      hearWidgetSettings(client, event)
      hearStale(client, event)
    }
  })
}

/** Loads everything on screen again and forgets the rest, because too much was missed to catch up. */
export function reloadAll(client: QueryClient) {
  client.removeQueries({ type: 'inactive' })
  outdateThreads(client)
  client.invalidateQueries()
}
