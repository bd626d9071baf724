import { accounts } from './accounts/accounts.ts'
import { audit } from './accounts/audit.ts'
import { authSessions } from './accounts/auth-sessions.ts'
import { availability } from './accounts/availability.ts'
import { billing } from './accounts/billing.ts'
import { invitations } from './accounts/invitations.ts'
import { oidc } from './accounts/oidc.ts'
import { onboarding } from './accounts/onboarding.ts'
import { team } from './accounts/team.ts'
import { teams } from './accounts/teams.ts'
import { twoFactor } from './accounts/two-factor.ts'
import { userSettings } from './accounts/user-settings.ts'
import { users } from './accounts/users.ts'
import { deliveries } from './connections/deliveries.ts'
import { integrations } from './connections/integrations.ts'
import { languageModel } from './connections/language-model.ts'
import { integrationApps, oauth } from './connections/oauth.ts'
import { assignments } from './conversations/assignments.ts'
import { conversations } from './conversations/conversations.ts'
import { deadlines } from './conversations/deadlines.ts'
import { deletedConversations } from './conversations/deleted-conversations.ts'
import { drafts } from './conversations/drafts.ts'
import { files } from './conversations/files.ts'
import { macros } from './conversations/macros.ts'
import { merging } from './conversations/merging.ts'
import { messages } from './conversations/messages.ts'
import { notifications } from './conversations/notifications.ts'
import { pictures } from './conversations/pictures.ts'
import { push } from './conversations/push.ts'
import { ratingRequests } from './conversations/rating-requests.ts'
import { ratings } from './conversations/ratings.ts'
import { reporting } from './conversations/reporting.ts'
import { rules } from './conversations/rules.ts'
import { savedReplies } from './conversations/saved-replies.ts'
import { scheduledMessages } from './conversations/scheduled-messages.ts'
import { search } from './conversations/search.ts'
import { sharing } from './conversations/sharing.ts'
import { suggestions } from './conversations/suggestions.ts'
import { translations } from './conversations/translations.ts'
import { conversationViews } from './conversations/views.ts'
import { visitorConversations } from './conversations/visitor-conversations.ts'
import { writingHelp } from './conversations/writing-help.ts'
import { attributes } from './customers/attributes.ts'
import { companies } from './customers/companies.ts'
import { customerImports } from './customers/customer-imports.ts'
import { customerNotes } from './customers/customer-notes.ts'
import { customerProfiles } from './customers/customer-profiles.ts'
import { customers } from './customers/customers.ts'
import { erasure } from './customers/erasure.ts'
import { issues } from './customers/issues.ts'
import { signedIdentity } from './customers/signed-identity.ts'
import { tags } from './customers/tags.ts'
import { apiKeys } from './developers/api-keys.ts'
import { assistants } from './developers/assistants.ts'
import { functions } from './developers/functions.ts'
import { eventSubscriptions } from './developers/webhooks.ts'
import type { Endpoint } from './endpoint.ts'
import { events } from './events.ts'
import { articleCollections } from './help/article-collections.ts'
import { helpGaps } from './help/article-feedback.ts'
import { articles } from './help/articles.ts'
import { firstAnswers } from './help/first-answers.ts'
import { helpCenter } from './help/help-center.ts'
import { articleSearch, publicArticles } from './help/public-articles.ts'
import { github } from './integrations/github.ts'
import { google } from './integrations/google.ts'
import { hubspot } from './integrations/hubspot.ts'
import { inboundMail } from './integrations/inbound-mail.ts'
import { intercom } from './integrations/intercom.ts'
import { mailbox } from './integrations/mailbox.ts'
import { mattermost } from './integrations/mattermost.ts'
import { slack } from './integrations/slack.ts'
import { slackThreads } from './integrations/slack-threads.ts'
import { telegram } from './integrations/telegram.ts'
import { twilio } from './integrations/twilio.ts'
import { whatsapp } from './integrations/whatsapp.ts'
import { conversationForwarding } from './mail/conversation-forwarding.ts'
import { emailTemplates } from './mail/email-templates.ts'
import { forwardingAddresses } from './mail/forwarding-addresses.ts'
import { mails } from './mail/mails.ts'
import { messageMails } from './mail/message-mails.ts'
import { health } from './operations/health.ts'
import { movingIn } from './operations/moving-in.ts'
import { operations } from './operations/operations.ts'
import { inboxes } from './widget/inboxes.ts'
import { browserSessions } from './widget/live-sessions.ts'
import { widgets } from './widget/widgets.ts'

/** The calls of all features. */
export const features = {
  accounts,
  apiKeys,
  assistants,
  articleCollections,
  articles,
  articleSearch,
  assignments,
  attributes,
  audit,
  availability,
  billing,
  authSessions,
  browserSessions,
  companies,
  conversations,
  suggestions,
  translations,
  conversationViews,
  customerImports,
  customerNotes,
  customerProfiles,
  customers,
  deliveries,
  drafts,
  emailTemplates,
  deletedConversations,
  deadlines,
  erasure,
  eventSubscriptions,
  events,
  files,
  forwardingAddresses,
  github,
  google,
  helpCenter,
  firstAnswers,
  helpGaps,
  hubspot,
  inboundMail,
  functions,
  inboxes,
  integrationApps,
  integrations,
  intercom,
  invitations,
  issues,
  languageModel,
  macros,
  mailbox,
  mattermost,
  mails,
  conversationForwarding,
  merging,
  messageMails,
  messages,
  notifications,
  oauth,
  oidc,
  onboarding,
  movingIn,
  operations,
  health,
  pictures,
  push,
  publicArticles,
  ratingRequests,
  ratings,
  reporting,
  rules,
  savedReplies,
  scheduledMessages,
  search,
  sharing,
  slack,
  signedIdentity,
  slackThreads,
  tags,
  team,
  teams,
  telegram,
  twilio,
  whatsapp,
  twoFactor,
  userSettings,
  users,
  visitorConversations,
  widgets,
  writingHelp,
} satisfies Record<string, Record<string, Endpoint>>

/** All calls, for documentation and for tests that go through them. */
export const endpoints: Endpoint[] = Object.values(features).flatMap((feature) => Object.values(feature))
