import type { Feature } from './feature.ts'
import { accountsFeature } from './features/accounts/accounts/index.ts'
import { auditFeature } from './features/accounts/audit/index.ts'
import { authSessionsFeature } from './features/accounts/auth-sessions/index.ts'
import { availabilityFeature } from './features/accounts/availability/index.ts'
import { billingFeature } from './features/accounts/billing/index.ts'
import { invitationsFeature } from './features/accounts/invitations/index.ts'
import { onboardingFeature } from './features/accounts/onboarding/index.ts'
import { teamFeature } from './features/accounts/team/index.ts'
import { teamsFeature } from './features/accounts/teams/index.ts'
import { usersFeature } from './features/accounts/users/index.ts'
import { authorizationsFeature } from './features/connections/authorizations/index.ts'
import { deliveriesFeature } from './features/connections/deliveries/index.ts'
import { externalLinksFeature } from './features/connections/external-links/index.ts'
import { inboundFeature } from './features/connections/inbound/index.ts'
import { integrationsFeature } from './features/connections/integrations/index.ts'
import { languageModelFeature } from './features/connections/language-model/index.ts'
import { assignmentsFeature } from './features/conversations/assignments/index.ts'
import { conversationsFeature } from './features/conversations/conversations/index.ts'
import { deadlinesFeature } from './features/conversations/deadlines/index.ts'
import { draftsFeature } from './features/conversations/drafts/index.ts'
import { filesFeature } from './features/conversations/files/index.ts'
import { macrosFeature } from './features/conversations/macros/index.ts'
import { mergingFeature } from './features/conversations/merging/index.ts'
import { notificationsFeature } from './features/conversations/notifications/index.ts'
import { picturesFeature } from './features/conversations/pictures/index.ts'
import { pushFeature } from './features/conversations/push/index.ts'
import { ratingRequestsFeature } from './features/conversations/rating-requests/index.ts'
import { remindersFeature } from './features/conversations/reminders/index.ts'
import { reportingFeature } from './features/conversations/reporting/index.ts'
import { rulesFeature } from './features/conversations/rules/index.ts'
import { savedRepliesFeature } from './features/conversations/saved-replies/index.ts'
import { scheduledMessagesFeature } from './features/conversations/scheduled-messages/index.ts'
import { searchFeature } from './features/conversations/search/index.ts'
import { suggestionsFeature } from './features/conversations/suggestions/index.ts'
import { translationsFeature } from './features/conversations/translations/index.ts'
import { viewsFeature } from './features/conversations/views/index.ts'
import { writingHelpFeature } from './features/conversations/writing-help/index.ts'
import { attributesFeature } from './features/customers/attributes/index.ts'
import { companiesFeature } from './features/customers/companies/index.ts'
import { customerImportsFeature } from './features/customers/customer-imports/index.ts'
import { customerNotesFeature } from './features/customers/customer-notes/index.ts'
import { customerProfilesFeature } from './features/customers/customer-profiles/index.ts'
import { customersFeature } from './features/customers/customers/index.ts'
import { erasureFeature } from './features/customers/erasure/index.ts'
import { issuesFeature } from './features/customers/issues/index.ts'
import { signedIdentityFeature } from './features/customers/signed-identity/index.ts'
import { apiKeysFeature } from './features/developers/api-keys/index.ts'
import { assistantsFeature } from './features/developers/assistants/index.ts'
import { eventsFeature } from './features/developers/events/index.ts'
import { functionsFeature } from './features/developers/functions/index.ts'
import { idempotencyFeature } from './features/developers/idempotency/index.ts'
import { eventSubscriptionsFeature } from './features/developers/webhooks/index.ts'
import { articleFeedbackFeature } from './features/help/article-feedback/index.ts'
import { articleSearchFeature } from './features/help/article-search/index.ts'
import { articlesFeature } from './features/help/articles/index.ts'
import { firstAnswersFeature } from './features/help/first-answers/index.ts'
import { helpCenterFeature } from './features/help/help-center/index.ts'
import { helpPagesFeature } from './features/help/help-pages/index.ts'
import { conversationMailsFeature } from './features/mail/conversation-mails/index.ts'
import { emailTemplatesFeature } from './features/mail/email-templates/index.ts'
import { forwardingAddressesFeature } from './features/mail/forwarding-addresses/index.ts'
import { mailGalleryFeature } from './features/mail/mail-gallery/index.ts'
import { mailsFeature } from './features/mail/mails/index.ts'
import { healthFeature } from './features/operations/health/index.ts'
import { metricsFeature } from './features/operations/metrics/index.ts'
import { movingInFeature } from './features/operations/moving-in/index.ts'
import { operationsFeature } from './features/operations/operations/index.ts'
import { inboxesFeature } from './features/widget/inboxes/index.ts'
import { browserSessionsFeature } from './features/widget/live-sessions/index.ts'
import { widgetsFeature } from './features/widget/widgets/index.ts'
import { githubIntegration } from './integrations/github/index.ts'
import { googleIntegration } from './integrations/google/index.ts'
import { hubspotIntegration } from './integrations/hubspot/index.ts'
import { inboundMailIntegration } from './integrations/inbound-mail/index.ts'
import { intercomIntegration } from './integrations/intercom/index.ts'
import { mailboxIntegration } from './integrations/mailbox/index.ts'
import { mattermostIntegration } from './integrations/mattermost/index.ts'
import { slackIntegration } from './integrations/slack/index.ts'
import { telegramIntegration } from './integrations/telegram/index.ts'
import { twilioIntegration } from './integrations/twilio/index.ts'
import { whatsappIntegration } from './integrations/whatsapp/index.ts'

// Only these lists: a feature is a folder and one line here.

export const features: Feature[] = [
  accountsFeature,
  apiKeysFeature,
  articleFeedbackFeature,
  articleSearchFeature,
  articlesFeature,
  assignmentsFeature,
  assistantsFeature,
  attributesFeature,
  auditFeature,
  authorizationsFeature,
  authSessionsFeature,
  availabilityFeature,
  billingFeature,
  browserSessionsFeature,
  companiesFeature,
  conversationMailsFeature,
  conversationsFeature,
  mergingFeature,
  customerImportsFeature,
  customerNotesFeature,
  customerProfilesFeature,
  customersFeature,
  deadlinesFeature,
  deliveriesFeature,
  draftsFeature,
  emailTemplatesFeature,
  erasureFeature,
  eventSubscriptionsFeature,
  eventsFeature,
  externalLinksFeature,
  filesFeature,
  firstAnswersFeature,
  forwardingAddressesFeature,
  functionsFeature,
  healthFeature,
  helpCenterFeature,
  helpPagesFeature,
  idempotencyFeature,
  inboundFeature,
  inboxesFeature,
  integrationsFeature,
  invitationsFeature,
  issuesFeature,
  languageModelFeature,
  macrosFeature,
  mailGalleryFeature,
  mailsFeature,
  metricsFeature,
  movingInFeature,
  notificationsFeature,
  onboardingFeature,
  operationsFeature,
  picturesFeature,
  pushFeature,
  ratingRequestsFeature,
  remindersFeature,
  reportingFeature,
  rulesFeature,
  viewsFeature,
  savedRepliesFeature,
  scheduledMessagesFeature,
  searchFeature,
  signedIdentityFeature,
  suggestionsFeature,
  teamFeature,
  teamsFeature,
  translationsFeature,
  usersFeature,
  widgetsFeature,
  writingHelpFeature,
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
  telegramIntegration,
  twilioIntegration,
  whatsappIntegration,
]
