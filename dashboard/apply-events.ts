import { notifyManager, type QueryClient } from '@tanstack/react-query'
import type { ClientEvent } from '#contract/events.ts'
import { accountEvents } from './features/accounts/accounts/events.ts'
import { availabilityEvents } from './features/accounts/availability/events.ts'
import { billingEvents } from './features/accounts/billing/events.ts'
import { teamsEvents } from './features/accounts/teams/events.ts'
import { userEvents } from './features/accounts/users/events.ts'
import { integrationEvents } from './features/connections/authorizations/events.ts'
import { assignmentsEvents } from './features/conversations/assignments/events.ts'
import { conversationEvents } from './features/conversations/conversations/events.ts'
import { deadlineEvents } from './features/conversations/deadlines/events.ts'
import { messageEvents } from './features/conversations/messages/events.ts'
import { scheduledMessageEvents } from './features/conversations/messages/scheduled/events.ts'
import { outdateThreads } from './features/conversations/messages/thread.ts'
import { ratingEvents } from './features/conversations/ratings/events.ts'
import { ruleEvents } from './features/conversations/rules/events.ts'
import { searchEvents } from './features/conversations/search/events.ts'
import { viewEvents } from './features/conversations/views/events.ts'
import { attributeEvents } from './features/customers/attributes/events.ts'
import { companyEvents } from './features/customers/companies/events.ts'
import { noteEvents } from './features/customers/customer-notes/events.ts'
import { customerEvents } from './features/customers/customers/events.ts'
import { issueEvents } from './features/customers/issues/events.ts'
import { tagEvents } from './features/customers/tags/events.ts'
import { helpEvents } from './features/help/events.ts'
import { inboxEvents } from './features/widget/inboxes/events.ts'
import { widgetSettingsEvents } from './features/widget/widget-settings/events.ts'
import { isTemporary } from './platform/http/request.ts'
import { isDeleted } from './platform/realtime/event-buffer.ts'
import type { FeatureEvents } from './platform/realtime/feature-events.ts'
import { invalidateSoon } from './platform/realtime/invalidate-soon.ts'

/** How events change each feature's cached data, in this order. */
const FEATURES: readonly FeatureEvents[] = [
  messageEvents,
  conversationEvents,
  customerEvents,
  ratingEvents,
  deadlineEvents,
  accountEvents,
  billingEvents,
  inboxEvents,
  widgetSettingsEvents,
  attributeEvents,
  companyEvents,
  tagEvents,
  issueEvents,
  noteEvents,
  helpEvents,
  scheduledMessageEvents,
  searchEvents,
  userEvents,
  availabilityEvents,
  teamsEvents,
  assignmentsEvents,
  integrationEvents,
  ruleEvents,
  viewEvents,
]

/** Applies events to the cache, oldest first. Applying one twice does no harm. */
export function applyEvents(client: QueryClient, events: ClientEvent[], user_id: number) {
  notifyManager.batch(() => {
    for (const event of events) {
      if ((event.event === 'shout' || event.event === 'message:updated') && isDeleted(event.payload)) continue
      for (const feature of FEATURES) {
        feature.apply?.(client, event, user_id)
        invalidateSoon(client, keysAfter(feature, event))
      }
    }
  })
}

function keysAfter({ invalidates = {} }: FeatureEvents, { event, payload }: ClientEvent) {
  const keys = invalidates[event]
  // The compiler has checked each function against its own event's payload, but here the event can be any of them.
  return typeof keys === 'function' ? keys(payload as never) : (keys ?? [])
}

/** Refetches everything on screen and drops the rest, because too many events were missed. */
export function reloadAll(client: QueryClient) {
  client.removeQueries({ type: 'inactive' })
  outdateThreads(client)
  client.invalidateQueries()
}

/** Refetches what is on screen and failed to load, now that there is a connection. */
export function reloadFailed(client: QueryClient) {
  client.refetchQueries({ type: 'active', predicate: ({ state }) => isTemporary(state.error) })
}
