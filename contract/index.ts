import { accounts } from './accounts.ts'
import { apiKeys } from './api-keys.ts'
import { audit } from './audit.ts'
import { authSessions } from './auth-sessions.ts'
import { billing } from './billing.ts'
import { browserSessions } from './browser-sessions.ts'
import { companies } from './companies.ts'
import { conversationForwarding } from './conversation-forwarding.ts'
import { conversations } from './conversations.ts'
import { customerImports } from './customer-imports.ts'
import { customerNotes } from './customer-notes.ts'
import { customerProfiles } from './customer-profiles.ts'
import { customers } from './customers.ts'
import { deletedConversations } from './deleted-conversations.ts'
import { deliveries } from './deliveries.ts'
import { drafts } from './drafts.ts'
import { emailTemplates } from './email-templates.ts'
import type { Endpoint } from './endpoint.ts'
import { erasure } from './erasure.ts'
import { eventSubscriptions } from './event-subscriptions.ts'
import { events } from './events.ts'
import { files } from './files.ts'
import { forwardingAddresses } from './forwarding-addresses.ts'
import { functions } from './functions.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import { health } from './health.ts'
import { hubspot } from './hubspot.ts'
import { inboundMail } from './inbound-mail.ts'
import { inboxes } from './inboxes.ts'
import { integrations } from './integrations.ts'
import { intercom } from './intercom.ts'
import { invitations } from './invitations.ts'
import { issues } from './issues.ts'
import { mailbox } from './mailbox.ts'
import { mails } from './mails.ts'
import { mattermost } from './mattermost.ts'
import { messageMails } from './message-mails.ts'
import { messages } from './messages.ts'
import { notifications } from './notifications.ts'
import { integrationApps, oauth } from './oauth.ts'
import { oidc } from './oidc.ts'
import { onboarding } from './onboarding.ts'
import { operations } from './operations.ts'
import { pictures } from './pictures.ts'
import { ratings } from './ratings.ts'
import { reporting } from './reporting.ts'
import { savedReplies } from './saved-replies.ts'
import { search } from './search.ts'
import { sharing } from './sharing.ts'
import { signedIdentity } from './signed-identity.ts'
import { slack } from './slack.ts'
import { slackThreads } from './slack-threads.ts'
import { tags } from './tags.ts'
import { team } from './team.ts'
import { twilio } from './twilio.ts'
import { twoFactor } from './two-factor.ts'
import { userSettings } from './user-settings.ts'
import { users } from './users.ts'
import { visitorConversations } from './visitor-conversations.ts'
import { widgets } from './widgets.ts'

/** The calls of all features. */
export const features = {
  accounts,
  apiKeys,
  audit,
  billing,
  authSessions,
  browserSessions,
  companies,
  conversations,
  customerImports,
  customerNotes,
  customerProfiles,
  customers,
  deliveries,
  drafts,
  emailTemplates,
  deletedConversations,
  erasure,
  eventSubscriptions,
  events,
  files,
  forwardingAddresses,
  github,
  google,
  hubspot,
  inboundMail,
  functions,
  inboxes,
  integrationApps,
  integrations,
  intercom,
  invitations,
  issues,
  mailbox,
  mattermost,
  mails,
  conversationForwarding,
  messageMails,
  messages,
  notifications,
  oauth,
  oidc,
  onboarding,
  operations,
  health,
  pictures,
  ratings,
  reporting,
  savedReplies,
  search,
  sharing,
  slack,
  signedIdentity,
  slackThreads,
  tags,
  team,
  twilio,
  twoFactor,
  userSettings,
  users,
  visitorConversations,
  widgets,
} satisfies Record<string, Record<string, Endpoint>>

/** All calls, for documentation and for tests that go through them. */
export const endpoints: Endpoint[] = Object.values(features).flatMap((feature) => Object.values(feature))
