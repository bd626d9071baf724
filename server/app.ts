import type { EventType } from '#contract/events.ts'
import { openAccounts } from './features/accounts/routes.ts'
import { forgetExpiredSessions } from './features/auth-sessions/auth-sessions.ts'
import { openAuthSessions } from './features/auth-sessions/routes.ts'
import { conversationChannels } from './features/conversations/channels.ts'
import { openMessages } from './features/conversations/message-routes.ts'
import { openConversations, openCustomerConversations } from './features/conversations/routes.ts'
import { openSharing } from './features/conversations/sharing-routes.ts'
import { openTags } from './features/conversations/tag-routes.ts'
import { archiveStaleConversations } from './features/conversations/updating.ts'
import { openCustomers, openVisitorSessions } from './features/customers/routes.ts'
import { pruneEvents } from './features/events/event-log.ts'
import { openEvents } from './features/events/routes.ts'
import { openFiles } from './features/files/routes.ts'
import { openInboxes } from './features/inboxes/routes.ts'
import { openOperations } from './features/operations/routes.ts'
import { openSavedReplies } from './features/saved-replies/routes.ts'
import { openSearch } from './features/search/routes.ts'
import { openWidgets } from './features/widgets/routes.ts'
import type { Parley } from './parley.ts'
import type { Routes } from './platform/http/routes.ts'
import type { Crons, JobHandlers } from './platform/jobs/jobs.ts'
import type { ChannelDefinition } from './platform/realtime/channel.ts'

// The list of rooms. No logic here: a feature is added by one line in each list that concerns it.

export function openRoutes(routes: Routes, parley: Parley) {
  openAccounts(routes, parley)
  openAuthSessions(routes, parley)
  openConversations(routes, parley)
  openCustomerConversations(routes, parley)
  openCustomers(routes, parley)
  openEvents(routes, parley)
  openFiles(routes, parley)
  openInboxes(routes, parley)
  openMessages(routes, parley)
  openOperations(routes, parley)
  openSavedReplies(routes, parley)
  openSharing(routes, parley)
  openTags(routes, parley)
  openSearch(routes, parley)
  openVisitorSessions(routes, parley)
  openWidgets(routes, parley)
}

export function openChannels(parley: Parley): ChannelDefinition[] {
  return [...conversationChannels(parley)]
}

/** Which jobs follow from which event. They are written in the event's own transaction, so none is ever lost. */
export type Consequences = Partial<Record<EventType, readonly string[]>>

export const consequences: Consequences = {}

export function jobHandlers(_parley: Parley): JobHandlers {
  return {}
}

export function cronTable({ db, change }: Parley): Crons {
  return {
    'authSessions.forgetExpired': { schedule: '17 * * * *', run: () => forgetExpiredSessions(db) },
    'conversations.archiveStale': {
      schedule: '7 * * * *',
      run: async () => {
        while ((await change(archiveStaleConversations)) > 0);
      },
    },
    'events.prune': { schedule: '37 * * * *', run: () => pruneEvents(db) },
  }
}
