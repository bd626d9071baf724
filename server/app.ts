import type { Context } from './context.ts'
import { openAccounts } from './features/accounts/routes.ts'
import { openAudit } from './features/audit/routes.ts'
import { forgetExpiredSessions } from './features/auth-sessions/auth-sessions.ts'
import { forgetStaleTokens } from './features/auth-sessions/one-time-tokens.ts'
import { openAuthSessions } from './features/auth-sessions/routes.ts'
import { twoFactorSecrets } from './features/auth-sessions/two-factor.ts'
import { openCompanies } from './features/companies/routes.ts'
import { conversationChannels } from './features/conversations/channels.ts'
import { openMessages } from './features/conversations/message-routes.ts'
import { openConversations, openCustomerConversations } from './features/conversations/routes.ts'
import { openSharing } from './features/conversations/sharing-routes.ts'
import { wakeDueConversations } from './features/conversations/snoozing.ts'
import { openTags } from './features/conversations/tag-routes.ts'
import { archiveStaleConversations } from './features/conversations/updating.ts'
import { openVisitorConversations } from './features/conversations/visitor-routes.ts'
import { forgetUnstartedImports } from './features/customer-imports/imports.ts'
import { openCustomerImports } from './features/customer-imports/routes.ts'
import { runImport } from './features/customer-imports/run-import.ts'
import { openCustomerNotes } from './features/customer-notes/routes.ts'
import { openCustomerProfiles } from './features/customer-profiles/routes.ts'
import { openCustomers, openCustomerTags, openVisitorSessions } from './features/customers/routes.ts'
import { forgetEmptiedDrafts } from './features/drafts/drafts.ts'
import { openDrafts } from './features/drafts/routes.ts'
import { destroyAccount } from './features/erasure/closing.ts'
import { applyRetention } from './features/erasure/retention.ts'
import { openErasure } from './features/erasure/routes.ts'
import type { Consumers } from './features/events/consumers.ts'
import { pruneEvents } from './features/events/event-log.ts'
import { openEvents } from './features/events/routes.ts'
import { destroyUnusedFiles, removeFile } from './features/files/files.ts'
import { openFiles } from './features/files/routes.ts'
import { openInboxes } from './features/inboxes/routes.ts'
import { openInvitations } from './features/invitations/routes.ts'
import { issueChannels, openIssues } from './features/issues/routes.ts'
import { pruneMails } from './features/mails/mails.ts'
import { openMails } from './features/mails/routes.ts'
import { sendMail } from './features/mails/send-mail.ts'
import { alertTeam } from './features/notifications/alert-team.ts'
import { enqueueNotifications } from './features/notifications/enqueue-notifications.ts'
import { mailMention } from './features/notifications/mention-mail.ts'
import { mailReply } from './features/notifications/reply-mail.ts'
import { openNotifications } from './features/notifications/routes.ts'
import { openOnboarding } from './features/onboarding/routes.ts'
import { openOperations } from './features/operations/routes.ts'
import { openPictures } from './features/pictures/routes.ts'
import { remindEverybody } from './features/reminders/reminders.ts'
import { COUNTED_EVENTS, followCounts, recountMessages } from './features/reporting/counting.ts'
import { openReporting } from './features/reporting/routes.ts'
import { openSavedReplies } from './features/saved-replies/routes.ts'
import { openSearch } from './features/search/routes.ts'
import { openSignedIdentity } from './features/signed-identity/routes.ts'
import { identitySecrets } from './features/signed-identity/secrets.ts'
import { openTeam } from './features/team/routes.ts'
import { openUsers } from './features/users/routes.ts'
import { openWidgets } from './features/widgets/routes.ts'
import type { EncryptedColumn } from './platform/crypto/encrypted-columns.ts'
import type { Routes } from './platform/http/routes.ts'
import { defineSchedule, type Job, type JobPayload, type Schedule } from './platform/jobs/job.ts'
import type { ChannelDefinition } from './platform/realtime/channel.ts'

// The list of rooms. No logic here: a feature is added by one line in each list that concerns it.

export function openRoutes(routes: Routes, context: Context) {
  openAccounts(routes, context)
  openAudit(routes, context)
  openAuthSessions(routes, context)
  openCompanies(routes, context)
  openConversations(routes, context)
  openCustomerConversations(routes, context)
  openCustomerImports(routes, context)
  openCustomerNotes(routes, context)
  openCustomerProfiles(routes, context)
  openCustomers(routes, context)
  openCustomerTags(routes, context)
  openDrafts(routes, context)
  openErasure(routes, context)
  openEvents(routes, context)
  openFiles(routes, context)
  openInboxes(routes, context)
  openIssues(routes, context)
  openInvitations(routes, context)
  openMails(routes, context)
  openMessages(routes, context)
  openNotifications(routes, context)
  openOnboarding(routes, context)
  openOperations(routes, context)
  openPictures(routes, context)
  openReporting(routes, context)
  openSavedReplies(routes, context)
  openSharing(routes, context)
  openSignedIdentity(routes, context)
  openTags(routes, context)
  openSearch(routes, context)
  openTeam(routes, context)
  openUsers(routes, context)
  openVisitorConversations(routes, context)
  openVisitorSessions(routes, context)
  openWidgets(routes, context)
}

export function openChannels(context: Context): ChannelDefinition[] {
  return [...conversationChannels(context), ...issueChannels(context)]
}

/** What follows from which events. They are read from the log that is written with them, so none is ever lost. */
export function consumers(context: Context): Consumers {
  return {
    'notifications.followMessages': {
      of: ['message:created', 'message:deleted'],
      consume: (change, events) => enqueueNotifications(context, change, events),
    },
    'reporting.countMessages': {
      of: COUNTED_EVENTS,
      consume: (change, events) => followCounts(context, change, events),
    },
  }
}

export const jobs: Job<JobPayload, Context>[] = [
  alertTeam,
  destroyAccount,
  mailMention,
  mailReply,
  recountMessages,
  removeFile,
  runImport,
  sendMail,
]

/** What is encrypted in the database, for the day the key changes. */
export const encryptedColumns: EncryptedColumn[] = [twoFactorSecrets, identitySecrets]

export const schedules: Schedule<Context>[] = [
  defineSchedule('authSessions.forgetExpired', '17 * * * *', ({ db }) => forgetExpiredSessions(db)),
  defineSchedule('conversations.archiveStale', '7 * * * *', async ({ change }) => {
    while ((await change(archiveStaleConversations)) > 0);
  }),
  defineSchedule('conversations.wakeDue', '* * * * *', async ({ change }) => {
    while ((await change(wakeDueConversations)) > 0);
  }),
  defineSchedule('files.destroyUnused', '42 * * * *', (context) => destroyUnusedFiles(context)),
  defineSchedule('drafts.forgetEmptied', '27 * * * *', ({ db }) => forgetEmptiedDrafts(db)),
  defineSchedule('authSessions.forgetStaleTokens', '47 * * * *', ({ db }) => forgetStaleTokens(db)),
  defineSchedule('reminders.send', '*/30 * * * *', (context) => remindEverybody(context, new Date())),
  defineSchedule('erasure.applyRetention', '23 2 * * *', (context) => applyRetention(context, new Date())),
  defineSchedule('customers.forgetUnstartedImports', '52 * * * *', ({ db }) => forgetUnstartedImports(db)),
  defineSchedule('mails.prune', '57 3 * * *', ({ db }) => pruneMails(db)),
  defineSchedule('events.prune', '37 * * * *', (context) => pruneEvents(context.db, Object.keys(consumers(context)))),
]
