import { page } from '../platform/lazy/lazy-page.tsx'

// Where the code of each page lies. Every entry is loaded by itself.

export const Frame = page(async () => (await import('./Frame.tsx')).Frame)
export const NotThereYet = page(async () => (await import('./NotThereYet.tsx')).NotThereYet)
export const Sandbox = page(async () => (await import('../ui/sandbox/Sandbox.tsx')).Sandbox)
export const SignInPage = page(async () => (await import('../features/auth-sessions/SignInPage.tsx')).SignInPage)
export const RegistrationPage = page(
  async () => (await import('../features/auth-sessions/RegistrationPage.tsx')).RegistrationPage,
)
export const ConversationsPage = page(
  async () => (await import('../screens/inbox/ConversationsPage.tsx')).ConversationsPage,
)
export const LogOutPage = page(async () => (await import('../features/auth-sessions/LogOutPage.tsx')).LogOutPage)
export const WidgetPage = page(async () => (await import('../features/widget-settings/WidgetPage.tsx')).WidgetPage)
export const ChatWidgetPage = page(
  async () => (await import('../features/widget-settings/ChatWidgetPage.tsx')).ChatWidgetPage,
)
export const PrimaryChatWidgetPage = page(
  async () => (await import('../features/widget-settings/ChatWidgetPage.tsx')).PrimaryChatWidgetPage,
)
export const DemoPage = page(async () => (await import('../features/demo/DemoPage.tsx')).DemoPage)
export const BotDemoPage = page(async () => (await import('../features/bot-demo/BotDemoPage.tsx')).BotDemoPage)
export const InboxesPage = page(async () => (await import('../features/inboxes/InboxesPage.tsx')).InboxesPage)
export const InboxPage = page(async () => (await import('../features/inboxes/InboxPage.tsx')).InboxPage)
export const SavedRepliesPage = page(
  async () => (await import('../features/saved-replies/SavedRepliesPage.tsx')).SavedRepliesPage,
)
export const SharedConversationPage = page(
  async () => (await import('../features/sharing/SharedConversationPage.tsx')).SharedConversationPage,
)

export const VerifyPage = page(async () => (await import('../features/auth-sessions/VerifyPage.tsx')).VerifyPage)
export const RequestResetPage = page(
  async () => (await import('../features/auth-sessions/ResetPages.tsx')).RequestResetPage,
)
export const ResetRequestedPage = page(
  async () => (await import('../features/auth-sessions/ResetPages.tsx')).ResetRequestedPage,
)
export const ResetPage = page(async () => (await import('../features/auth-sessions/ResetPages.tsx')).ResetPage)
export const UnsubscribePage = page(
  async () => (await import('../features/notifications/UnsubscribePage.tsx')).UnsubscribePage,
)
export const AccountPage = page(async () => (await import('../screens/account/AccountPage.tsx')).AccountPage)
export const AuditPage = page(async () => (await import('../features/audit/AuditPage.tsx')).AuditPage)
export const TeamPage = page(async () => (await import('../features/team/TeamPage.tsx')).TeamPage)
export const ProfilePage = page(async () => (await import('../features/users/ProfilePage.tsx')).ProfilePage)
export const GettingStartedPage = page(
  async () => (await import('../features/onboarding/GettingStartedPage.tsx')).GettingStartedPage,
)
export const CustomersPage = page(async () => (await import('../features/customers/CustomersPage.tsx')).CustomersPage)
export const CustomerPage = page(async () => (await import('../screens/customer/CustomerPage.tsx')).CustomerPage)
export const CompaniesPage = page(async () => (await import('../features/companies/CompaniesPage.tsx')).CompaniesPage)
export const CompanyPage = page(async () => (await import('../screens/company/CompanyPage.tsx')).CompanyPage)
export const NewCompanyPage = page(
  async () => (await import('../features/companies/CompanyFormPage.tsx')).NewCompanyPage,
)
export const EditCompanyPage = page(
  async () => (await import('../features/companies/CompanyFormPage.tsx')).EditCompanyPage,
)
export const TagsPage = page(async () => (await import('../features/tags/TagsPage.tsx')).TagsPage)
export const TagPage = page(async () => (await import('../screens/tag/TagPage.tsx')).TagPage)
export const IssuesPage = page(async () => (await import('../features/issues/IssuesPage.tsx')).IssuesPage)
export const IssuePage = page(async () => (await import('../screens/issue/IssuePage.tsx')).IssuePage)
export const NotesPage = page(async () => (await import('../features/customer-notes/NotesPage.tsx')).NotesPage)

/** Fetches the code of the page that is about to be shown. Whoever is signed in sees the inbox most of the time. */
export async function fetchAhead(pathname: string, isSignedIn: boolean): Promise<void> {
  const isInbox = /^\/(conversations\b.*|inboxes\/.*)?$/.test(pathname)
  const wanted = isSignedIn ? [Frame, ...(isInbox ? [ConversationsPage] : [])] : [SignInPage]
  // What cannot be fetched is tried again, and reported, when it is shown.
  await Promise.allSettled(wanted.map((each) => each.fetch()))
}
