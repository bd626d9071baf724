import type { Feature } from './feature.ts'
import { accountsFeature } from './features/accounts/index.ts'
import { apiKeysFeature } from './features/api-keys/index.ts'
import { auditFeature } from './features/audit/index.ts'
import { authSessionsFeature } from './features/auth-sessions/index.ts'
import { authorizationsFeature } from './features/authorizations/index.ts'
import { billingFeature } from './features/billing/index.ts'
import { browserSessionsFeature } from './features/browser-sessions/index.ts'
import { companiesFeature } from './features/companies/index.ts'
import { conversationMailsFeature } from './features/conversation-mails/index.ts'
import { conversationsFeature } from './features/conversations/index.ts'
import { customerImportsFeature } from './features/customer-imports/index.ts'
import { customerNotesFeature } from './features/customer-notes/index.ts'
import { customerProfilesFeature } from './features/customer-profiles/index.ts'
import { customersFeature } from './features/customers/index.ts'
import { deliveriesFeature } from './features/deliveries/index.ts'
import { draftsFeature } from './features/drafts/index.ts'
import { emailTemplatesFeature } from './features/email-templates/index.ts'
import { erasureFeature } from './features/erasure/index.ts'
import { eventSubscriptionsFeature } from './features/event-subscriptions/index.ts'
import { eventsFeature } from './features/events/index.ts'
import { externalLinksFeature } from './features/external-links/index.ts'
import { filesFeature } from './features/files/index.ts'
import { forwardingAddressesFeature } from './features/forwarding-addresses/index.ts'
import { functionsFeature } from './features/functions/index.ts'
import { healthFeature } from './features/health/index.ts'
import { idempotencyFeature } from './features/idempotency/index.ts'
import { inboundFeature } from './features/inbound/index.ts'
import { inboxesFeature } from './features/inboxes/index.ts'
import { integrationsFeature } from './features/integrations/index.ts'
import { invitationsFeature } from './features/invitations/index.ts'
import { issuesFeature } from './features/issues/index.ts'
import { mailGalleryFeature } from './features/mail-gallery/index.ts'
import { mailsFeature } from './features/mails/index.ts'
import { metricsFeature } from './features/metrics/index.ts'
import { notificationsFeature } from './features/notifications/index.ts'
import { onboardingFeature } from './features/onboarding/index.ts'
import { operationsFeature } from './features/operations/index.ts'
import { picturesFeature } from './features/pictures/index.ts'
import { remindersFeature } from './features/reminders/index.ts'
import { reportingFeature } from './features/reporting/index.ts'
import { savedRepliesFeature } from './features/saved-replies/index.ts'
import { searchFeature } from './features/search/index.ts'
import { signedIdentityFeature } from './features/signed-identity/index.ts'
import { teamFeature } from './features/team/index.ts'
import { usersFeature } from './features/users/index.ts'
import { widgetsFeature } from './features/widgets/index.ts'
import { githubIntegration } from './integrations/github/index.ts'
import { googleIntegration } from './integrations/google/index.ts'
import { hubspotIntegration } from './integrations/hubspot/index.ts'
import { inboundMailIntegration } from './integrations/inbound-mail/index.ts'
import { intercomIntegration } from './integrations/intercom/index.ts'
import { mailboxIntegration } from './integrations/mailbox/index.ts'
import { mattermostIntegration } from './integrations/mattermost/index.ts'
import { slackIntegration } from './integrations/slack/index.ts'
import { twilioIntegration } from './integrations/twilio/index.ts'

// Only these lists: a feature is a folder and one line here.

export const features: Feature[] = [
  accountsFeature,
  apiKeysFeature,
  auditFeature,
  authorizationsFeature,
  authSessionsFeature,
  billingFeature,
  browserSessionsFeature,
  companiesFeature,
  conversationMailsFeature,
  conversationsFeature,
  customerImportsFeature,
  customerNotesFeature,
  customerProfilesFeature,
  customersFeature,
  deliveriesFeature,
  draftsFeature,
  emailTemplatesFeature,
  erasureFeature,
  eventSubscriptionsFeature,
  eventsFeature,
  externalLinksFeature,
  filesFeature,
  forwardingAddressesFeature,
  functionsFeature,
  healthFeature,
  idempotencyFeature,
  inboundFeature,
  inboxesFeature,
  integrationsFeature,
  invitationsFeature,
  issuesFeature,
  mailGalleryFeature,
  mailsFeature,
  metricsFeature,
  notificationsFeature,
  onboardingFeature,
  operationsFeature,
  picturesFeature,
  remindersFeature,
  reportingFeature,
  savedRepliesFeature,
  searchFeature,
  signedIdentityFeature,
  teamFeature,
  usersFeature,
  widgetsFeature,
]

/** Integrations with other systems. They may import features; no feature imports an integration. */
export const integrations: Feature[] = [
  githubIntegration,
  googleIntegration,
  hubspotIntegration,
  inboundMailIntegration,
  intercomIntegration,
  mailboxIntegration,
  mattermostIntegration,
  slackIntegration,
  twilioIntegration,
]
