import { auditPages } from './features/accounts/audit/pages.ts'
import { authSessionPages } from './features/accounts/auth-sessions/pages.ts'
import { billingPages } from './features/accounts/billing/pages.ts'
import { teamPages } from './features/accounts/team/pages.ts'
import { teamsPages } from './features/accounts/teams/pages.ts'
import { userPages } from './features/accounts/users/pages.ts'
import { contactDirectoryPages } from './features/connections/contact-directories/pages.ts'
import { integrationPages } from './features/connections/integrations/pages.ts'
import { languageModelPages } from './features/connections/language-model/pages.ts'
import { oauthPages } from './features/connections/oauth/pages.ts'
import { deadlinePages } from './features/conversations/deadlines/pages.ts'
import { macroPages } from './features/conversations/macros/pages.ts'
import { notificationPages } from './features/conversations/notifications/pages.ts'
import { ratingRequestPages } from './features/conversations/rating-requests/pages.ts'
import { reportingPages } from './features/conversations/reporting/pages.ts'
import { rulePages } from './features/conversations/rules/pages.ts'
import { savedReplyPages } from './features/conversations/saved-replies/pages.ts'
import { sharingPages } from './features/conversations/sharing/pages.ts'
import { attributePages } from './features/customers/attributes/pages.ts'
import { companyPages } from './features/customers/companies/pages.ts'
import { notePages } from './features/customers/customer-notes/pages.ts'
import { customerPages } from './features/customers/customers/pages.ts'
import { issuePages } from './features/customers/issues/pages.ts'
import { tagPages } from './features/customers/tags/pages.ts'
import { apiKeyPages } from './features/developers/api-keys/pages.ts'
import { assistantPages } from './features/developers/assistants/pages.ts'
import { functionPages } from './features/developers/functions/pages.ts'
import { eventSubscriptionPages } from './features/developers/webhooks/pages.ts'
import { helpPages } from './features/help/pages.ts'
import { emailTemplatePages } from './features/mail/email-templates/pages.ts'
import { forwardingAddressPages } from './features/mail/forwarding-addresses/pages.ts'
import { healthPages } from './features/operations/health/pages.ts'
import { movingInPages } from './features/operations/moving-in/pages.ts'
import { botDemoPages } from './features/widget/bot-demo/pages.ts'
import { demoPages } from './features/widget/demo/pages.ts'
import { inboxSettingsPages } from './features/widget/inboxes/pages.ts'
import { browserSessionPages } from './features/widget/live-sessions/pages.ts'
import { widgetSettingsPages } from './features/widget/widget-settings/pages.ts'
import { githubPages } from './integrations/github/pages.ts'
import { googlePages } from './integrations/google/pages.ts'
import { mattermostPages } from './integrations/mattermost/pages.ts'
import { slackPages } from './integrations/slack/pages.ts'
import { telegramPages } from './integrations/telegram/pages.ts'
import { twilioPages } from './integrations/twilio/pages.ts'
import { whatsappPages } from './integrations/whatsapp/pages.ts'
import { definePage, type Page } from './platform/pages.ts'
import { accountPages } from './screens/account/pages.ts'
import { oneCompanyPages } from './screens/company/pages.ts'
import { oneCustomerPages } from './screens/customer/pages.ts'
import { deletedConversationPages } from './screens/deleted/pages.ts'
import { gettingStartedPages } from './screens/getting-started/pages.ts'
import { inboxPages } from './screens/inbox/pages.ts'
import { oneIssuePages } from './screens/issue/pages.ts'
import { scheduledPages } from './screens/scheduled/pages.ts'
import { oneSessionPages } from './screens/session/pages.ts'
import { oneTagPages } from './screens/tag/pages.ts'
import { testConversationPages } from './screens/test-conversations/pages.ts'

const sandbox = definePage({
  path: '/sandbox',
  alone: true,
  load: async () => (await import('./ui/sandbox/Sandbox.tsx')).Sandbox,
})

/** All pages of the dashboard, in the order of the navigation. */
export const PAGES: readonly Page[] = [
  ...authSessionPages,
  ...notificationPages,
  ...sharingPages,
  ...demoPages,
  ...botDemoPages,
  sandbox,
  ...gettingStartedPages,
  ...inboxPages,
  ...deletedConversationPages,
  ...testConversationPages,
  ...scheduledPages,
  ...integrationPages,
  ...oauthPages,
  ...contactDirectoryPages,
  ...githubPages,
  ...mattermostPages,
  ...slackPages,
  ...googlePages,
  ...telegramPages,
  ...twilioPages,
  ...whatsappPages,
  ...customerPages,
  ...oneCustomerPages,
  ...companyPages,
  ...oneCompanyPages,
  ...tagPages,
  ...oneTagPages,
  ...issuePages,
  ...oneIssuePages,
  ...notePages,
  ...helpPages,
  ...ratingRequestPages,
  ...reportingPages,
  ...apiKeyPages,
  ...eventSubscriptionPages,
  ...functionPages,
  ...emailTemplatePages,
  ...browserSessionPages,
  ...oneSessionPages,
  ...accountPages,
  ...auditPages,
  ...healthPages,
  ...movingInPages,
  ...teamPages,
  ...teamsPages,
  ...userPages,
  ...inboxSettingsPages,
  ...widgetSettingsPages,
  ...savedReplyPages,
  ...deadlinePages,
  ...macroPages,
  ...rulePages,
  ...attributePages,
  ...assistantPages,
  ...languageModelPages,
  ...forwardingAddressPages,
  ...billingPages,
]
