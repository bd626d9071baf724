import { notifyManager, type QueryClient } from '@tanstack/react-query'
import type { HeardEvent } from '#contract/events.ts'
import { hearUser } from './features/accounts/account.ts'
import { hearConversation } from './features/conversations/cache.ts'
import { hearCustomer } from './features/customers/customers.ts'
import { hearMessage } from './features/messages/thread.ts'

/** Hands each event to the features that show something of it. */
export function hearAll(client: QueryClient, events: HeardEvent[], user_id: number) {
  notifyManager.batch(() => {
    for (const event of events) {
      hearMessage(client, event)
      hearConversation(client, event, user_id)
      hearCustomer(client, event)
      hearUser(client, event)
    }
  })
}

/** Loads everything on screen again and forgets the rest, because too much was missed to catch up. */
export function reloadAll(client: QueryClient) {
  client.removeQueries({ type: 'inactive' })
  client.invalidateQueries()
}
