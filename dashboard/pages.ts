import { apiKeyPages } from './features/api-keys/pages.ts'
import { auditPages } from './features/audit/pages.ts'
import { authSessionPages } from './features/auth-sessions/pages.ts'
import { billingPages } from './features/billing/pages.ts'
import { botDemoPages } from './features/bot-demo/pages.ts'
import { browserSessionPages } from './features/browser-sessions/pages.ts'
import { companyPages } from './features/companies/pages.ts'
import { contactDirectoryPages } from './features/contact-directories/pages.ts'
import { notePages } from './features/customer-notes/pages.ts'
import { customerPages } from './features/customers/pages.ts'
import { demoPages } from './features/demo/pages.ts'
import { emailTemplatePages } from './features/email-templates/pages.ts'
import { eventSubscriptionPages } from './features/event-subscriptions/pages.ts'
import { forwardingAddressPages } from './features/forwarding-addresses/pages.ts'
import { functionPages } from './features/functions/pages.ts'
import { githubPages } from './features/github/pages.ts'
import { googlePages } from './features/google/pages.ts'
import { healthPages } from './features/health/pages.ts'
import { inboxSettingsPages } from './features/inboxes/pages.ts'
import { integrationPages } from './features/integrations/pages.ts'
import { issuePages } from './features/issues/pages.ts'
import { mattermostPages } from './features/mattermost/pages.ts'
import { notificationPages } from './features/notifications/pages.ts'
import { oauthPages } from './features/oauth/pages.ts'
import { reportingPages } from './features/reporting/pages.ts'
import { savedReplyPages } from './features/saved-replies/pages.ts'
import { sharingPages } from './features/sharing/pages.ts'
import { slackPages } from './features/slack/pages.ts'
import { tagPages } from './features/tags/pages.ts'
import { teamPages } from './features/team/pages.ts'
import { twilioPages } from './features/twilio/pages.ts'
import { userPages } from './features/users/pages.ts'
import { widgetSettingsPages } from './features/widget-settings/pages.ts'
import { definePage, type Page } from './platform/pages.ts'
import { accountPages } from './screens/account/pages.ts'
import { oneCompanyPages } from './screens/company/pages.ts'
import { oneCustomerPages } from './screens/customer/pages.ts'
import { deletedConversationPages } from './screens/deleted/pages.ts'
import { gettingStartedPages } from './screens/getting-started/pages.ts'
import { inboxPages } from './screens/inbox/pages.ts'
import { oneIssuePages } from './screens/issue/pages.ts'
import { oneSessionPages } from './screens/session/pages.ts'
import { oneTagPages } from './screens/tag/pages.ts'

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
  ...integrationPages,
  ...oauthPages,
  ...contactDirectoryPages,
  ...githubPages,
  ...mattermostPages,
  ...slackPages,
  ...googlePages,
  ...twilioPages,
  ...customerPages,
  ...oneCustomerPages,
  ...companyPages,
  ...oneCompanyPages,
  ...tagPages,
  ...oneTagPages,
  ...issuePages,
  ...oneIssuePages,
  ...notePages,
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
  ...teamPages,
  ...userPages,
  ...inboxSettingsPages,
  ...widgetSettingsPages,
  ...savedReplyPages,
  ...forwardingAddressPages,
  ...billingPages,
]
