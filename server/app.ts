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
import { workThroughImport } from './features/customer-imports/working.ts'
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
import { destroyUnusedFiles } from './features/files/files.ts'
import { openFiles } from './features/files/routes.ts'
import { openInboxes } from './features/inboxes/routes.ts'
import { openInvitations } from './features/invitations/routes.ts'
import { issueChannels, openIssues } from './features/issues/routes.ts'
import { pruneMails, sendMail } from './features/mails/mails.ts'
import { openMails } from './features/mails/routes.ts'
import { alertTeam } from './features/notifications/alert-team.ts'
import { enqueueNotifications } from './features/notifications/enqueue-notifications.ts'
import { mailMention } from './features/notifications/mention-mail.ts'
import { mailReply } from './features/notifications/reply-mail.ts'
import { openNotifications } from './features/notifications/routes.ts'
import { openOnboarding } from './features/onboarding/routes.ts'
import { openOperations } from './features/operations/routes.ts'
import { openPictures } from './features/pictures/routes.ts'
import { remindEverybody } from './features/reminders/reminders.ts'
import { openSavedReplies } from './features/saved-replies/routes.ts'
import { openSearch } from './features/search/routes.ts'
import { openSignedIdentity } from './features/signed-identity/routes.ts'
import { identitySecrets } from './features/signed-identity/secrets.ts'
import { openTeam } from './features/team/routes.ts'
import { openUsers } from './features/users/routes.ts'
import { openWidgets } from './features/widgets/routes.ts'
import type { Parley } from './parley.ts'
import type { EncryptedColumn } from './platform/crypto/encrypted-columns.ts'
import type { Routes } from './platform/http/routes.ts'
import type { Crons, JobHandlers } from './platform/jobs/jobs.ts'
import type { ChannelDefinition } from './platform/realtime/channel.ts'

// The list of rooms. No logic here: a feature is added by one line in each list that concerns it.

export function openRoutes(routes: Routes, parley: Parley) {
  openAccounts(routes, parley)
  openAudit(routes, parley)
  openAuthSessions(routes, parley)
  openCompanies(routes, parley)
  openConversations(routes, parley)
  openCustomerConversations(routes, parley)
  openCustomerImports(routes, parley)
  openCustomerNotes(routes, parley)
  openCustomerProfiles(routes, parley)
  openCustomers(routes, parley)
  openCustomerTags(routes, parley)
  openDrafts(routes, parley)
  openErasure(routes, parley)
  openEvents(routes, parley)
  openFiles(routes, parley)
  openInboxes(routes, parley)
  openIssues(routes, parley)
  openInvitations(routes, parley)
  openMails(routes, parley)
  openMessages(routes, parley)
  openNotifications(routes, parley)
  openOnboarding(routes, parley)
  openOperations(routes, parley)
  openPictures(routes, parley)
  openSavedReplies(routes, parley)
  openSharing(routes, parley)
  openSignedIdentity(routes, parley)
  openTags(routes, parley)
  openSearch(routes, parley)
  openTeam(routes, parley)
  openUsers(routes, parley)
  openVisitorConversations(routes, parley)
  openVisitorSessions(routes, parley)
  openWidgets(routes, parley)
}

export function openChannels(parley: Parley): ChannelDefinition[] {
  return [...conversationChannels(parley), ...issueChannels(parley)]
}

/** What follows from which events. They are read from the log that is written with them, so none is ever lost. */
export function consumers(parley: Parley): Consumers {
  return {
    'notifications.followMessages': {
      of: ['message:created', 'message:deleted'],
      consume: (change, events) => enqueueNotifications(parley, change, events),
    },
  }
}

export function jobHandlers(parley: Parley): JobHandlers {
  return {
    'accounts.destroy': ({ account_id }) => destroyAccount(parley, account_id),
    'customers.import': ({ account_id, import_id }) => workThroughImport(parley, account_id, String(import_id)),
    'notifications.alertTeam': ({ account_id, message_id }) => alertTeam(parley, account_id, String(message_id)),
    'notifications.mailMention': ({ account_id, message_id, user_id }) =>
      mailMention(parley, account_id, String(message_id), Number(user_id)),
    'notifications.mailReply': ({ account_id, message_id }) => mailReply(parley, account_id, String(message_id)),
    'files.remove': ({ key }) => parley.files.remove(String(key)),
    'mails.send': ({ account_id, mail_id }) => sendMail(parley, account_id, String(mail_id)),
  }
}

/** What is encrypted in the database, for the day the key changes. */
export const encryptedColumns: EncryptedColumn[] = [twoFactorSecrets, identitySecrets]

export function cronTable(parley: Parley): Crons {
  const { db, change } = parley
  return {
    'authSessions.forgetExpired': { schedule: '17 * * * *', run: () => forgetExpiredSessions(db) },
    'conversations.archiveStale': {
      schedule: '7 * * * *',
      run: async () => {
        while ((await change(archiveStaleConversations)) > 0);
      },
    },
    'conversations.wakeDue': {
      schedule: '* * * * *',
      run: async () => {
        while ((await change(wakeDueConversations)) > 0);
      },
    },
    'files.destroyUnused': { schedule: '42 * * * *', run: () => destroyUnusedFiles(parley) },
    'drafts.forgetEmptied': { schedule: '27 * * * *', run: () => forgetEmptiedDrafts(db) },
    'authSessions.forgetStaleTokens': { schedule: '47 * * * *', run: () => forgetStaleTokens(db) },
    'reminders.send': { schedule: '*/30 * * * *', run: () => remindEverybody(parley, new Date()) },
    'erasure.applyRetention': { schedule: '23 2 * * *', run: () => applyRetention(parley, new Date()) },
    'customers.forgetUnstartedImports': { schedule: '52 * * * *', run: () => forgetUnstartedImports(db) },
    'mails.prune': { schedule: '57 3 * * *', run: () => pruneMails(db) },
    'events.prune': { schedule: '37 * * * *', run: () => pruneEvents(db, Object.keys(consumers(parley))) },
  }
}
