import type { en as accounts } from './features/accounts/accounts/locales/en.ts'
import type { en as audit } from './features/accounts/audit/locales/en.ts'
import type { en as authSessions } from './features/accounts/auth-sessions/locales/en.ts'
import type { en as billing } from './features/accounts/billing/locales/en.ts'
import type { en as planNotices } from './features/accounts/plan-notices/locales/en.ts'
import type { en as team } from './features/accounts/team/locales/en.ts'
import type { en as users } from './features/accounts/users/locales/en.ts'
import type { en as authorizations } from './features/connections/authorizations/locales/en.ts'
import type { en as contactDirectories } from './features/connections/contact-directories/locales/en.ts'
import type { en as directoryLinks } from './features/connections/directory-links/locales/en.ts'
import type { en as integrations } from './features/connections/integrations/locales/en.ts'
import type { en as oauth } from './features/connections/oauth/locales/en.ts'
import type { en as actions } from './features/conversations/actions/locales/en.ts'
import type { en as conversations } from './features/conversations/conversations/locales/en.ts'
import type { en as deletedConversations } from './features/conversations/deleted-conversations/locales/en.ts'
import type { en as messages } from './features/conversations/messages/locales/en.ts'
import type { en as notifications } from './features/conversations/notifications/locales/en.ts'
import type { en as ratings } from './features/conversations/ratings/locales/en.ts'
import type { en as reporting } from './features/conversations/reporting/locales/en.ts'
import type { en as savedReplies } from './features/conversations/saved-replies/locales/en.ts'
import type { en as search } from './features/conversations/search/locales/en.ts'
import type { en as sharing } from './features/conversations/sharing/locales/en.ts'
import type { en as companies } from './features/customers/companies/locales/en.ts'
import type { en as customerNotes } from './features/customers/customer-notes/locales/en.ts'
import type { en as customers } from './features/customers/customers/locales/en.ts'
import type { en as issues } from './features/customers/issues/locales/en.ts'
import type { en as tags } from './features/customers/tags/locales/en.ts'
import type { en as apiKeys } from './features/developers/api-keys/locales/en.ts'
import type { en as functions } from './features/developers/functions/locales/en.ts'
import type { en as eventSubscriptions } from './features/developers/webhooks/locales/en.ts'
import type { en as emailTemplates } from './features/mail/email-templates/locales/en.ts'
import type { en as forwardingAddresses } from './features/mail/forwarding-addresses/locales/en.ts'
import type { en as mails } from './features/mail/mails/locales/en.ts'
import type { en as health } from './features/operations/health/locales/en.ts'
import type { en as botDemo } from './features/widget/bot-demo/locales/en.ts'
import type { en as demo } from './features/widget/demo/locales/en.ts'
import type { en as inboxes } from './features/widget/inboxes/locales/en.ts'
import type { en as browserSessions } from './features/widget/live-sessions/locales/en.ts'
import type { en as widgetSettings } from './features/widget/widget-settings/locales/en.ts'
import type { en as workingHours } from './features/widget/working-hours/locales/en.ts'
import type { en as github } from './integrations/github/locales/en.ts'
import type { en as google } from './integrations/google/locales/en.ts'
import type { en as slack } from './integrations/slack/locales/en.ts'
import type { en as twilio } from './integrations/twilio/locales/en.ts'
import type { en as common } from './locales/en.ts'
import type { labels } from './locales/labels.ts'
import type { en as gettingStarted } from './screens/getting-started/locales/en.ts'

/** The type of all texts, by which keys are checked. Types only: the texts are loaded with the pages. */
type AllTexts = typeof accounts &
  typeof actions &
  typeof apiKeys &
  typeof audit &
  typeof authorizations &
  typeof authSessions &
  typeof billing &
  typeof botDemo &
  typeof companies &
  typeof contactDirectories &
  typeof conversations &
  typeof customerNotes &
  typeof customers &
  typeof deletedConversations &
  typeof demo &
  typeof browserSessions &
  typeof directoryLinks &
  typeof emailTemplates &
  typeof eventSubscriptions &
  typeof forwardingAddresses &
  typeof functions &
  typeof github &
  typeof google &
  typeof health &
  typeof inboxes &
  typeof integrations &
  typeof issues &
  typeof mails &
  typeof messages &
  typeof notifications &
  typeof gettingStarted &
  typeof oauth &
  typeof planNotices &
  typeof ratings &
  typeof reporting &
  typeof savedReplies &
  typeof search &
  typeof sharing &
  typeof slack &
  typeof tags &
  typeof team &
  typeof twilio &
  typeof users &
  typeof widgetSettings &
  typeof workingHours &
  typeof common

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'screens'
    resources: { screens: AllTexts; labels: typeof labels.en }
  }
}
