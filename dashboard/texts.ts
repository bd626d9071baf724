import type { en as accounts } from './features/accounts/locales/en.ts'
import type { en as actions } from './features/actions/locales/en.ts'
import type { en as apiKeys } from './features/api-keys/locales/en.ts'
import type { en as audit } from './features/audit/locales/en.ts'
import type { en as authSessions } from './features/auth-sessions/locales/en.ts'
import type { en as authorizations } from './features/authorizations/locales/en.ts'
import type { en as billing } from './features/billing/locales/en.ts'
import type { en as botDemo } from './features/bot-demo/locales/en.ts'
import type { en as browserSessions } from './features/browser-sessions/locales/en.ts'
import type { en as companies } from './features/companies/locales/en.ts'
import type { en as contactDirectories } from './features/contact-directories/locales/en.ts'
import type { en as conversations } from './features/conversations/locales/en.ts'
import type { en as customerNotes } from './features/customer-notes/locales/en.ts'
import type { en as customers } from './features/customers/locales/en.ts'
import type { en as deletedConversations } from './features/deleted-conversations/locales/en.ts'
import type { en as demo } from './features/demo/locales/en.ts'
import type { en as directoryLinks } from './features/directory-links/locales/en.ts'
import type { en as emailTemplates } from './features/email-templates/locales/en.ts'
import type { en as eventSubscriptions } from './features/event-subscriptions/locales/en.ts'
import type { en as forwardingAddresses } from './features/forwarding-addresses/locales/en.ts'
import type { en as functions } from './features/functions/locales/en.ts'
import type { en as github } from './features/github/locales/en.ts'
import type { en as google } from './features/google/locales/en.ts'
import type { en as health } from './features/health/locales/en.ts'
import type { en as inboxes } from './features/inboxes/locales/en.ts'
import type { en as integrations } from './features/integrations/locales/en.ts'
import type { en as issues } from './features/issues/locales/en.ts'
import type { en as mails } from './features/mails/locales/en.ts'
import type { en as messages } from './features/messages/locales/en.ts'
import type { en as notifications } from './features/notifications/locales/en.ts'
import type { en as oauth } from './features/oauth/locales/en.ts'
import type { en as planNotices } from './features/plan-notices/locales/en.ts'
import type { en as ratings } from './features/ratings/locales/en.ts'
import type { en as reporting } from './features/reporting/locales/en.ts'
import type { en as savedReplies } from './features/saved-replies/locales/en.ts'
import type { en as search } from './features/search/locales/en.ts'
import type { en as sharing } from './features/sharing/locales/en.ts'
import type { en as slack } from './features/slack/locales/en.ts'
import type { en as tags } from './features/tags/locales/en.ts'
import type { en as team } from './features/team/locales/en.ts'
import type { en as twilio } from './features/twilio/locales/en.ts'
import type { en as users } from './features/users/locales/en.ts'
import type { en as widgetSettings } from './features/widget-settings/locales/en.ts'
import type { en as workingHours } from './features/working-hours/locales/en.ts'
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
